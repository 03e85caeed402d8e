package dev.graspsync.relay;

import dev.graspsync.nostr.Event;
import dev.graspsync.nostr.Prefix;
import dev.graspsync.nostr.PublicKey;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import java.util.Set;

/** What can be said about an incoming event before its signature is looked at. */
final class Admission {

    private final Optional<Duration> oldest;
    private final Duration furthest;
    private final InstantSource clock;

    /**
     * @param oldest how far back {@code created_at} may lie
     * @param furthest how far ahead {@code created_at} may lie
     */
    Admission(Optional<Duration> oldest, Duration furthest, InstantSource clock) {
        this.oldest = oldest;
        this.furthest = furthest;
        this.clock = clock;
    }

    /** @param authenticated who the sender has shown to be: for other relays nobody, whatever they carry */
    Optional<String> refusal(Event event, Set<PublicKey> authenticated) {
        long now = clock.instant().getEpochSecond();
        if (event.createdAt() > now + furthest.toSeconds()) {
            return Optional.of(
                    Prefix.INVALID.with("created_at is more than " + furthest.toSeconds() + " seconds in the future"));
        }
        if (isTooOld(event, now)) {
            return Optional.of(Prefix.INVALID.with(
                    "created_at is more than " + oldest.orElseThrow().toSeconds() + " seconds ago"));
        }
        return event.isProtected() ? ofProtected(event, authenticated) : Optional.empty();
    }

    private boolean isTooOld(Event event, long now) {
        return oldest.isPresent() && event.createdAt() < now - oldest.get().toSeconds();
    }

    /** Whether no relay may ever bring it. */
    boolean isRefusedForGood(Event event) {
        return event.isProtected() || isTooOld(event, clock.instant().getEpochSecond());
    }

    /** NIP-70: nobody but its author brings a protected event, so it never comes through sync. */
    private static Optional<String> ofProtected(Event event, Set<PublicKey> authenticated) {
        if (authenticated.contains(event.pubkey())) {
            return Optional.empty();
        }
        return Optional.of(
                authenticated.isEmpty()
                        ? Prefix.AUTH_REQUIRED.with("this event may only be published by its author")
                        : Prefix.RESTRICTED.with(
                                "this event may only be published by its author, who is not authenticated here"));
    }
}
