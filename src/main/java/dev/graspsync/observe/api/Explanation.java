package dev.graspsync.observe.api;

import dev.graspsync.nostr.EventFields;
import dev.graspsync.store.GoneEvent;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.eclipse.microprofile.openapi.annotations.media.Schema;

/**
 * Whether something is here, and why not.
 *
 * @param query as it was asked
 * @param type {@code event}, {@code address} or {@code author}
 * @param verdict the answer in a word, see {@link Verdict}
 * @param summary the answer in a sentence
 * @param details further sentences
 * @param repository the address of the repository it is about
 * @param relays what is to be said about each relay it may be at
 */
record Explanation(
        String query,

        @Schema(enumeration = {"event", "address", "author"})
        String type,

        Optional<String> id,
        Optional<String> address,
        Optional<String> pubkey,
        boolean here,

        @Schema(
                enumeration = {
                    "here",
                    "never-offered",
                    "refused",
                    "deleted",
                    "superseded",
                    "expired",
                    "vanished",
                    "waiting",
                    "not-hosted",
                    "unknown"
                })
        String verdict,

        String summary,
        List<String> details,
        Optional<About> event,
        Optional<EventDetail.Came> provenance,
        Optional<String> repository,
        List<AtRelay> relays) {

    /** The answer in a word. */
    enum Verdict {
        HERE,
        /** Nobody offered it, as far as is known. */
        NEVER_OFFERED,
        REFUSED,
        DELETED,
        SUPERSEDED,
        EXPIRED,
        VANISHED,
        /** Something it refers to is not here. */
        WAITING,
        /** Its repository does not name this service. */
        NOT_HOSTED,
        /** It cannot be said at the moment. */
        UNKNOWN;

        @Override
        public String toString() {
            return RelayReader.word(this);
        }
    }

    /** What is known of an event, also of one that is not here. */
    record About(String id, int kind, String kindName, Instant createdAt, String pubkey) {

        static About of(EventFields event) {
            return new About(
                    event.id().hex(),
                    event.kind(),
                    KindName.of(event.kind()),
                    Instant.ofEpochSecond(event.createdAt()),
                    event.pubkey().hex());
        }

        static About of(GoneEvent event) {
            return new About(
                    event.id().hex(),
                    event.kind(),
                    KindName.of(event.kind()),
                    Instant.ofEpochSecond(event.createdAt()),
                    event.pubkey().hex());
        }
    }

    /**
     * A relay it may be at.
     *
     * @param verdict {@code searched}: it was asked for everything and did not have it; {@code searching},
     *     {@code unreachable}, {@code capped}: it has more than it hands out, {@code refused}: it does not answer this
     *     service, or {@code not-asked}
     */
    record AtRelay(
            String url,
            Optional<String> state,
            Optional<String> health,

            @Schema(enumeration = {"searched", "searching", "unreachable", "capped", "refused", "not-asked"})
            String verdict,

            String text) {}
}
