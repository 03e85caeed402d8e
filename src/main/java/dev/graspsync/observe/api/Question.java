package dev.graspsync.observe.api;

import dev.graspsync.nostr.Address;
import dev.graspsync.nostr.EventId;
import dev.graspsync.nostr.Nip19;
import dev.graspsync.nostr.PublicKey;
import dev.graspsync.nostr.RelayUrl;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** What somebody asks after, in any of the ways in which Nostr names things. */
sealed interface Question {

    int LONGEST = 2_000;

    /** As it was put. */
    String text();

    /** Where it is said to be found. */
    List<RelayUrl> hints();

    record OfEvent(String text, EventId id, List<RelayUrl> hints, Optional<PublicKey> author) implements Question {}

    record OfAddress(String text, Address address, List<RelayUrl> hints) implements Question {}

    record OfAuthor(String text, PublicKey pubkey, List<RelayUrl> hints) implements Question {}

    /** Refuses, with the reason, what is none. */
    static Question parse(Optional<String> query) {
        String text = query.orElse("").strip();
        if (text.isEmpty()) {
            throw ApiProblem.badRequest("id is missing: what is asked after?");
        }
        if (text.length() > LONGEST) {
            throw ApiProblem.badRequest("id is longer than " + LONGEST + " characters");
        }
        String bare = text.toLowerCase(Locale.ROOT).startsWith("nostr:") ? text.substring("nostr:".length()) : text;
        if (bare.toLowerCase(Locale.ROOT).startsWith("nsec1")) {
            throw ApiProblem.badRequest("this is a secret key: never show it to anybody, and make a new one");
        }
        return EventId.parse(bare.toLowerCase(Locale.ROOT))
                .<Question>map(id -> new OfEvent(text, id, List.of(), Optional.empty()))
                .or(() -> Address.parse(bare).map(address -> new OfAddress(text, address, List.of())))
                .or(() -> Nip19.parse(bare).map(named -> of(text, named)))
                .orElseThrow(() -> ApiProblem.badRequest(wrong(bare)));
    }

    private static Question of(String text, Nip19 named) {
        return switch (named) {
            case Nip19.OfEvent event -> new OfEvent(text, event.id(), event.relays(), event.author());
            case Nip19.OfAddress address -> new OfAddress(text, address.address(), address.relays());
            case Nip19.OfAuthor author -> new OfAuthor(text, author.pubkey(), author.relays());
        };
    }

    private static String wrong(String text) {
        if (text.matches("(?i)(note|nevent|npub|nprofile|naddr)1.*")) {
            return "damaged: its checksum does not match, so a character is wrong or missing";
        }
        if (text.matches("(?i)[0-9a-f]+")) {
            return "an event's id has 64 hex digits, and this has " + text.length();
        }
        if (text.matches("[0-9]{1,5}:.*")) {
            return "not an address: it is <kind>:<public key, 64 hex digits>:<identifier>, of a kind that has addresses";
        }
        return "neither an event's id (64 hex digits), nor note, nevent, naddr or npub, nor an address"
                + " (30617:<public key>:<identifier>)";
    }
}
