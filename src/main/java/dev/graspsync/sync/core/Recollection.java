package dev.graspsync.sync.core;

import dev.graspsync.sync.core.ConnectionState.Connected;
import dev.graspsync.sync.core.ConnectionState.Connecting;
import dev.graspsync.sync.core.ConnectionState.Disconnected;
import dev.graspsync.sync.core.RelayRecord.Synced;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What had been confirmed before a restart (rules 8 and 22). A repository is believed to be synced only if it has
 * exactly the items it had when that was remembered, so an old memory means asking for more, never for less.
 */
final class Recollection {

    /** Reading the own relay takes seconds; where it cannot be read, relays are not kept waiting for it. */
    static final Duration PATIENCE = Duration.ofMinutes(5);

    private Recollection() {}

    /** What is worth remembering of a relay now; empty where nothing is synced whole. */
    static Optional<Synced> of(RelayState relay, Turn turn) {
        if (relay.recalled != null) {
            return Optional.of(relay.recalled);
        }
        Instant upTo = upTo(relay, turn);
        long[] digests = relay.repos.values().stream()
                .filter(RepoAtRelay::isSyncedOnce)
                .mapToLong(repo -> repo.repo().digest())
                .toArray();
        boolean announcements = relay.announcements.isSyncedOnce();
        return upTo == null || (digests.length == 0 && !announcements)
                ? Optional.empty()
                : Optional.of(new Synced(upTo, announcements, RepoDigests.of(digests)));
    }

    /** Everything that was published by then, at a synced repository, is here. */
    private static @Nullable Instant upTo(RelayState relay, Turn turn) {
        Instant upTo = switch (relay.connection) {
            case Connected connected -> turn.now();
            case Connecting connecting -> connecting.before().lastHeard().orElse(null);
            case Disconnected disconnected -> disconnected.lastHeard().orElse(null);
        };
        Instant since = relay.catchUpSince;
        boolean stale = since != null
                && (relay.announcements.hasStale()
                        || relay.repos.values().stream().anyMatch(RepoAtRelay::hasStale));
        upTo = earlier(upTo, relay.live.brokenSince());
        return since != null && stale ? earlier(upTo, since.plus(turn.settings().quickReconnectWindow())) : upTo;
    }

    private static @Nullable Instant earlier(@Nullable Instant one, @Nullable Instant other) {
        return one == null || other == null || one.isBefore(other) ? one : other;
    }

    /** The own relay has been read: as far as it still has what it had, the relay counts as lost back then. */
    static void restore(RelayState relay) {
        Synced synced = relay.recalled;
        relay.recalled = null;
        relay.heldUntil = Instant.MIN;
        if (synced == null || !(relay.connection instanceof Disconnected)) {
            return;
        }
        relay.connection = new Disconnected(Optional.of(synced.upTo()), Optional.of(synced.upTo()));
        if (synced.announcements()) {
            relay.announcements.restore();
        }
        for (RepoAtRelay repo : relay.repos.values()) {
            if (synced.repos().contains(repo.repo().digest())) {
                repo.restore();
            }
        }
    }

    /** It has waited long enough for the own relay, or connects for another reason. */
    static void giveUp(RelayState relay) {
        relay.recalled = null;
        relay.heldUntil = Instant.MIN;
    }
}
