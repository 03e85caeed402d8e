package dev.graspsync.sync.core;

import dev.graspsync.nostr.Filter;
import dev.graspsync.sync.core.LiveSide.LiveSub;
import java.time.Instant;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.List;

/** Keeps a live subscription open for everything wanted of a relay, before its history is read (rules 9 and 15). */
final class LiveRules {

    /** With more than this share of the threshold in use after packing, every few new items would mean packing again. */
    private static final double ROOM_TO_GROW = 0.75;

    private LiveRules() {}

    static void cover(RelayState relay, Turn turn) {
        LiveSide live = relay.live;
        if (live.areAnnouncementsMissing() && !live.notBefore(true).isAfter(turn.now()) && roomFor(relay, 1)) {
            LayerFilters layers = layers(relay);
            open(relay, layers.of(List.of(new Item.Announcements())), true, turn);
        }
        if (!live.notBefore(false).isAfter(turn.now())) {
            if (live.isRebuildWanted()) {
                rebuild(relay, turn);
            } else if (!live.uncovered().isEmpty()) {
                extend(relay, turn);
            }
        }
        boolean whole = !live.areAnnouncementsMissing() && !live.isRebuildWanted();
        Instant broken = whole ? live.takeBrokenSince() : null;
        if (broken != null) {
            ConnectionRules.catchUp(relay, broken.minus(turn.settings().quickReconnectWindow()), turn);
        }
    }

    private static boolean roomFor(RelayState relay, int more) {
        return relay.openSubscriptions() + more <= relay.budget.subscriptions();
    }

    /** Without since, because an old event may be published today; one stored event a filter, as no relay refuses. */
    private static LayerFilters layers(RelayState relay) {
        return new LayerFilters(relay.budget, Filter.ALL.withLimit(1));
    }

    /** Adds subscriptions for new items, or packs all anew where they would become too many. */
    private static void extend(RelayState relay, Turn turn) {
        LiveSide live = relay.live;
        if (live.isCoarse()) {
            live.uncovered().forEach(repo -> repo.setLive(repo.unlive()));
            live.uncovered().clear();
            return;
        }
        LayerFilters layers = layers(relay);
        List<Item> items = itemsOf(live.uncovered());
        List<Filter> filters = layers.of(items);
        List<List<Filter>> reqs = layers.pack(filters);
        boolean fits =
                live.itemFilters() + filters.size() <= turn.settings().budgets().consolidationThreshold()
                        && live.itemSubs() + reqs.size() <= mostItemSubs(relay, turn);
        if (!fits) {
            rebuild(relay, turn);
        } else if (roomFor(relay, reqs.size())) {
            live.uncovered().forEach(repo -> repo.setLive(repo.unlive()));
            live.uncovered().clear();
            reqs.forEach(req -> open(relay, req, false, turn));
        }
    }

    private static int mostItemSubs(RelayState relay, Turn turn) {
        int slots = relay.budget.historySlots(turn.settings().budgets().historyRequests());
        return Math.max(1, relay.budget.subscriptions() - 1 - slots);
    }

    private static List<Item> itemsOf(Collection<RepoAtRelay> repos) {
        List<Item> items = new ArrayList<>();
        for (RepoAtRelay repo : repos) {
            BitSet missing = repo.unlive();
            for (int i = missing.nextSetBit(0); i >= 0; i = missing.nextSetBit(i + 1)) {
                if (repo.repo().item(i).isLive()) {
                    items.add(repo.repo().item(i));
                }
            }
        }
        return items;
    }

    /** Packs everything into as few filters as it takes; by kind alone, where even that is too much. */
    private static void rebuild(RelayState relay, Turn turn) {
        LiveSide live = relay.live;
        LayerFilters layers = layers(relay);
        List<List<Filter>> reqs = precise(relay, layers, turn);
        boolean coarse = reqs.isEmpty() && !relay.repos.isEmpty();
        if (coarse) {
            reqs = layers.pack(layers.ofKinds(LayerFilters.KINDS));
            reqs = reqs.subList(0, Math.min(reqs.size(), mostItemSubs(relay, turn)));
        }
        List<String> old = live.retireItems();
        if (relay.openSubscriptions() + old.size() + reqs.size() <= relay.budget.subscriptions()) {
            live.retire(old);
        } else {
            // No room for both: what comes between them is caught up with.
            live.breakAt(turn.now());
            old.forEach(id -> turn.act(new SyncAction.Unsubscribe(relay.url, id)));
            live.dropRetiring().forEach(id -> turn.act(new SyncAction.Unsubscribe(relay.url, id)));
            if (!roomFor(relay, reqs.size())) {
                live.wantRebuild(true); // history has the places: as soon as a query ends
                return;
            }
        }
        live.wantRebuild(false);
        live.coarse(coarse);
        live.uncovered().clear();
        relay.repos.values().forEach(repo -> repo.setLive(repo.unlive()));
        reqs.forEach(req -> open(relay, req, false, turn));
    }

    /** Nothing where precise filters would be too many. */
    private static List<List<Filter>> precise(RelayState relay, LayerFilters layers, Turn turn) {
        int most = (int) (turn.settings().budgets().consolidationThreshold() * ROOM_TO_GROW);
        long items =
                relay.repos.keySet().stream().mapToLong(RepoSyncNeeds::liveSize).sum();
        if (items / relay.budget.values() * 3 > 2L * most) {
            turn.report(relay.url, new Finding.CoarseLive((int) (items / relay.budget.values() * 3)));
            return List.of();
        }
        relay.repos.values().forEach(RepoAtRelay::clearLive);
        List<Filter> filters = layers.of(itemsOf(relay.repos.values()));
        List<List<Filter>> reqs = layers.pack(filters);
        if (filters.size() > most || reqs.size() > mostItemSubs(relay, turn)) {
            turn.report(relay.url, new Finding.CoarseLive(filters.size()));
            return List.of();
        }
        return reqs;
    }

    private static void open(RelayState relay, List<Filter> filters, boolean announcements, Turn turn) {
        String id = turn.ids().next(announcements ? 'a' : 'l');
        relay.live.opened(id, new LiveSub(filters.size(), announcements, turn.now()));
        turn.act(new SyncAction.Subscribe(relay.url, id, PageRequest.of(filters), Purpose.LIVE));
    }
}
