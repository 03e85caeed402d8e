package dev.graspsync.sync.core;

import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The subscriptions of a relay that stay open for what is new. */
final class LiveSide {

    /** @param filters how many the REQ has */
    static final class LiveSub {

        private final int filters;
        private final boolean announcements;
        private final Instant sentAt;
        private boolean open;

        LiveSub(int filters, boolean announcements, Instant sentAt) {
            this.filters = filters;
            this.announcements = announcements;
            this.sentAt = sentAt;
        }

        boolean isAnnouncements() {
            return announcements;
        }

        Instant sentAt() {
            return sentAt;
        }

        boolean isOpen() {
            return open;
        }
    }

    private final Map<String, LiveSub> subs = new LinkedHashMap<>();
    /** Closed as soon as those that replace them are open (rule 15: make before break). */
    private final Set<String> retiring = new LinkedHashSet<>();
    /** Repositories with items that no live subscription asks for. */
    private final Set<RepoAtRelay> uncovered = new LinkedHashSet<>();

    private boolean coarse;
    private boolean rebuild;
    private boolean announcementsMissing = true;
    private @Nullable Instant brokenSince;
    private Instant itemsNotBefore = Instant.MIN;
    private Instant announcementsNotBefore = Instant.MIN;

    int size() {
        return subs.size() + retiring.size();
    }

    /** Those for items, without the one for announcements. */
    int itemFilters() {
        return subs.values().stream()
                .filter(sub -> !sub.announcements)
                .mapToInt(sub -> sub.filters)
                .sum();
    }

    /** Those that are to stay, the one for announcements included. */
    int filters() {
        return subs.values().stream().mapToInt(sub -> sub.filters).sum();
    }

    int itemSubs() {
        return (int) subs.values().stream().filter(sub -> !sub.announcements).count();
    }

    void opened(String id, LiveSub sub) {
        subs.put(id, sub);
        if (sub.announcements) {
            announcementsMissing = false;
        }
    }

    boolean has(String id) {
        return subs.containsKey(id) || retiring.contains(id);
    }

    /** EOSE came; returns what can be closed now. */
    List<String> established(String id) {
        LiveSub sub = subs.get(id);
        if (sub != null) {
            sub.open = true;
        }
        if (retiring.isEmpty() || subs.values().stream().anyMatch(other -> !other.open)) {
            return List.of();
        }
        List<String> closing = new ArrayList<>(retiring);
        retiring.clear();
        return closing;
    }

    /** The relay ended a subscription: what it covered is to be asked for anew, from when it was last good. */
    void closed(String id, Instant now) {
        LiveSub sub = subs.remove(id);
        if (sub == null) {
            retiring.remove(id);
            return;
        }
        Instant since = sub.open ? now : sub.sentAt;
        brokenSince = brokenSince == null || since.isBefore(brokenSince) ? since : brokenSince;
        if (sub.announcements) {
            announcementsMissing = true;
        } else {
            rebuild = true;
        }
    }

    /** Takes all subscriptions for items out of use; returns their names. */
    List<String> retireItems() {
        List<String> old = subs.entrySet().stream()
                .filter(entry -> !entry.getValue().announcements)
                .map(Map.Entry::getKey)
                .toList();
        old.forEach(subs::remove);
        return old;
    }

    void retire(List<String> ids) {
        retiring.addAll(ids);
    }

    List<String> dropRetiring() {
        List<String> ids = new ArrayList<>(retiring);
        retiring.clear();
        return ids;
    }

    Map<String, LiveSub> subs() {
        return subs;
    }

    Set<RepoAtRelay> uncovered() {
        return uncovered;
    }

    boolean isCoarse() {
        return coarse;
    }

    void coarse(boolean now) {
        coarse = now;
    }

    boolean isRebuildWanted() {
        return rebuild;
    }

    void wantRebuild(boolean wanted) {
        rebuild = wanted;
    }

    boolean areAnnouncementsMissing() {
        return announcementsMissing;
    }

    /** Since when something may have been missed; null where nothing was. */
    @Nullable
    Instant takeBrokenSince() {
        Instant since = brokenSince;
        brokenSince = null;
        return since;
    }

    @Nullable
    Instant brokenSince() {
        return brokenSince;
    }

    void breakAt(Instant since) {
        brokenSince = brokenSince == null || since.isBefore(brokenSince) ? since : brokenSince;
    }

    /** When a refused subscription may be asked for again. */
    Instant notBefore(boolean announcements) {
        return announcements ? announcementsNotBefore : itemsNotBefore;
    }

    void notBefore(boolean announcements, Instant at) {
        if (announcements) {
            announcementsNotBefore = at;
        } else {
            itemsNotBefore = at;
        }
    }

    boolean isRefused(Instant now) {
        return itemsNotBefore.isAfter(now) || announcementsNotBefore.isAfter(now);
    }

    boolean isAnnouncements(String id) {
        LiveSub sub = subs.get(id);
        return sub != null && sub.announcements;
    }

    /** Those whose EOSE is overdue. */
    List<String> silentSince(Instant since) {
        return subs.entrySet().stream()
                .filter(entry ->
                        !entry.getValue().open && !entry.getValue().sentAt.isAfter(since))
                .map(Map.Entry::getKey)
                .toList();
    }

    /** The connection is gone, and all subscriptions with it. */
    void clear() {
        subs.clear();
        retiring.clear();
        uncovered.clear();
        coarse = false;
        rebuild = false;
        announcementsMissing = true;
        brokenSince = null;
        itemsNotBefore = Instant.MIN;
        announcementsNotBefore = Instant.MIN;
    }
}
