package dev.graspsync.nostr;

import java.util.Optional;

/**
 * The coordinate {@code kind:pubkey:d} under which only the newest version of an event counts (NIP-01). Replaceable
 * events have an empty identifier.
 */
public record Address(int kind, PublicKey pubkey, String identifier) {

    public static Optional<Address> parse(String text) {
        // An identifier may itself contain ':'.
        int first = text.indexOf(':');
        int second = text.indexOf(':', first + 1);
        if (first < 1 || first > 5 || second < 0) {
            return Optional.empty();
        }
        int kind = kind(text, first);
        if (!Kind.isReplaceable(kind) && !Kind.isAddressable(kind)) {
            return Optional.empty();
        }
        return PublicKey.parse(text.substring(first + 1, second))
                .map(pubkey -> new Address(kind, pubkey, text.substring(second + 1)));
    }

    /** The decimal number before {@code end}, without leading zeros; -1 where there is none. */
    private static int kind(String text, int end) {
        int kind = 0;
        for (int i = 0; i < end; i++) {
            char digit = text.charAt(i);
            if (digit < '0' || digit > '9' || kind == 0 && i > 0) {
                return -1;
            }
            kind = 10 * kind + digit - '0';
        }
        return kind;
    }

    /** The address of an event, absent for regular and ephemeral kinds. */
    public static Optional<Address> of(EventFields event) {
        if (Kind.isAddressable(event.kind())) {
            return Optional.of(new Address(
                    event.kind(), event.pubkey(), event.firstValue("d").orElse("")));
        }
        return Kind.isReplaceable(event.kind())
                ? Optional.of(new Address(event.kind(), event.pubkey(), ""))
                : Optional.empty();
    }

    public boolean isRepo() {
        return kind == Kind.REPO_ANNOUNCEMENT;
    }

    @Override
    public String toString() {
        return kind + ":" + pubkey.hex() + ":" + identifier;
    }
}
