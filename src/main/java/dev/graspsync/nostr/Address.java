package dev.graspsync.nostr;

import java.util.Optional;

/**
 * The coordinate {@code kind:pubkey:d} under which only the newest version of an event counts (NIP-01). Replaceable
 * events have an empty identifier.
 */
public record Address(int kind, PublicKey pubkey, String identifier) {

    public static Optional<Address> parse(String text) {
        // An identifier may itself contain ':'.
        String[] parts = text.split(":", 3);
        if (parts.length < 3 || !parts[0].matches("0|[1-9][0-9]{0,4}")) {
            return Optional.empty();
        }
        int kind = Integer.parseInt(parts[0]);
        if (!Kind.isReplaceable(kind) && !Kind.isAddressable(kind)) {
            return Optional.empty();
        }
        return PublicKey.parse(parts[1]).map(pubkey -> new Address(kind, pubkey, parts[2]));
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
