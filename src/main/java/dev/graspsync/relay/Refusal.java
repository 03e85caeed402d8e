package dev.graspsync.relay;

import dev.graspsync.nostr.Address;
import dev.graspsync.nostr.EventFields;
import dev.graspsync.nostr.EventId;
import dev.graspsync.nostr.PublicKey;
import dev.graspsync.store.Provenance;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * That an event was offered and not taken.
 *
 * @param address where its kind has one
 * @param by the event that stands in its way
 * @param message the answer it got, with a machine-readable prefix (NIP-01)
 * @param lacks ids and addresses of which one would make it acceptable; not all where they are many
 */
public record Refusal(
        EventId id,
        int kind,
        PublicKey pubkey,
        long createdAt,
        Optional<Address> address,
        Because because,
        Optional<EventId> by,
        String message,
        List<String> lacks,
        Provenance from,
        Instant at) {

    /** What sort of reason it is. Their order is part of the file format. */
    public enum Because {
        /** A rule of this relay. */
        RULE,
        /** Nothing it refers to is here. */
        LACKS,
        SUPERSEDED,
        DELETED,
        VANISHED,
        EXPIRED,
        /** Its id or its signature is wrong: anybody may have made it. */
        FORGED
    }

    private static final int MOST_LACKS = 8;
    private static final int LONGEST_LACK = 600;
    private static final int LONGEST_MESSAGE = 2_000;

    public Refusal {
        lacks = List.copyOf(lacks);
    }

    static Refusal of(EventFields event, Because because, String message, Provenance from, Instant at) {
        return of(event, because, Optional.empty(), message, Set.of(), from, at);
    }

    static Refusal lacking(EventFields event, String message, Set<String> lacks, Provenance from, Instant at) {
        return of(event, Because.LACKS, Optional.empty(), message, lacks, from, at);
    }

    static Refusal by(EventId by, EventFields event, Because because, String message, Provenance from, Instant at) {
        return of(event, because, Optional.of(by), message, Set.of(), from, at);
    }

    private static Refusal of(
            EventFields event,
            Because because,
            Optional<EventId> by,
            String message,
            Set<String> lacks,
            Provenance from,
            Instant at) {
        Optional<Address> address =
                Address.of(event).filter(own -> own.identifier().length() <= LONGEST_LACK);
        String id = event.id().hex();
        String ownAddress = address.map(Address::toString).orElse("");
        return new Refusal(
                event.id(),
                event.kind(),
                event.pubkey(),
                event.createdAt(),
                address,
                because,
                by,
                message.length() <= LONGEST_MESSAGE ? message : message.substring(0, LONGEST_MESSAGE),
                lacks.stream()
                        .filter(lack -> !lack.equals(id)
                                && !lack.equals(ownAddress)
                                && !lack.startsWith("d:")
                                && lack.length() <= LONGEST_LACK)
                        // Repositories say more than single events.
                        .sorted(Comparator.comparing((String lack) -> !lack.contains(":"))
                                .thenComparing(Comparator.naturalOrder()))
                        .limit(MOST_LACKS)
                        .toList(),
                from,
                at);
    }
}
