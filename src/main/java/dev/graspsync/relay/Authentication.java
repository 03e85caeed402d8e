package dev.graspsync.relay;

import dev.graspsync.nostr.Event;
import dev.graspsync.nostr.Kind;
import dev.graspsync.nostr.Prefix;
import dev.graspsync.nostr.PublicKey;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.HexFormat;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;

/** NIP-42 on one connection: its challenge, and who has answered it. A connection may speak for several people. */
final class Authentication {

    private static final SecureRandom RANDOM = new SecureRandom();
    private static final int CHALLENGE_BYTES = 16;
    private static final Duration TOLERANCE = Duration.ofMinutes(10);
    private static final int MOST_KEYS = 1_000;

    private final ServiceDomain service;
    private final String challenge;
    private final Set<PublicKey> keys = new LinkedHashSet<>();

    Authentication(ServiceDomain service) {
        this.service = service;
        byte[] random = new byte[CHALLENGE_BYTES];
        RANDOM.nextBytes(random);
        challenge = HexFormat.of().formatHex(random);
    }

    String challenge() {
        return challenge;
    }

    Set<PublicKey> keys() {
        return Collections.unmodifiableSet(keys);
    }

    /** Why this event authenticates nobody, as far as its fields say; its signature is another matter. */
    Optional<String> refusal(Event event, Instant now) {
        if (event.kind() != Kind.CLIENT_AUTH) {
            return invalid("authentication is an event of kind " + Kind.CLIENT_AUTH);
        }
        if (!event.firstValue("challenge").equals(Optional.of(challenge))) {
            return invalid("this is not the challenge of this connection");
        }
        if (event.firstValue("relay").filter(service::isRelay).isEmpty()) {
            return invalid("the relay tag does not name " + service);
        }
        Duration apart = Duration.ofSeconds(Math.subtractExact(event.createdAt(), now.getEpochSecond()));
        if (apart.abs().compareTo(TOLERANCE) > 0) {
            return invalid("created_at is more than " + TOLERANCE.toMinutes() + " minutes away from now");
        }
        return keys.size() >= MOST_KEYS
                ? Optional.of(Prefix.RESTRICTED.with("too many people on one connection"))
                : Optional.empty();
    }

    void add(PublicKey key) {
        keys.add(key);
    }

    private static Optional<String> invalid(String reason) {
        return Optional.of(Prefix.INVALID.with(reason));
    }
}
