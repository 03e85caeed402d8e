package dev.graspsync.nostr;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** What filters and policies look at: an event without its content and signature. */
public interface EventFields {

    EventId id();

    PublicKey pubkey();

    long createdAt();

    int kind();

    List<Tag> tags();

    default Stream<Tag> tags(String name) {
        return tags().stream().filter(tag -> tag.name().equals(name));
    }

    /** The first value of the first tag with this name. */
    default Optional<String> firstValue(String name) {
        for (Tag tag : tags()) {
            if (tag.hasValue() && tag.name().equals(name)) {
                return Optional.of(tag.value());
            }
        }
        return Optional.empty();
    }

    /**
     * NIP-40: the second from which this event is to be treated as gone; absent or unreadable means never. Deletions and
     * requests to vanish never expire: what they took away would come back.
     */
    default Optional<Long> expiration() {
        return Kind.isForGood(kind()) ? Optional.empty() : expirationTag();
    }

    private Optional<Long> expirationTag() {
        return firstValue("expiration")
                .filter(value -> value.matches("[0-9]{1,18}"))
                .map(Long::parseLong);
    }

    default boolean isExpired(long nowSeconds) {
        return expiration().filter(at -> at <= nowSeconds).isPresent();
    }

    /** NIP-70: only its author may publish it. */
    default boolean isProtected() {
        return tags().stream().anyMatch(tag -> tag.name().equals("-"));
    }
}
