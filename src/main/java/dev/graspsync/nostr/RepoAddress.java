package dev.graspsync.nostr;

import java.util.Optional;

/** The address of a repository announcement: {@code 30617:pubkey:identifier}. */
public record RepoAddress(PublicKey pubkey, String identifier) {

    public static Optional<RepoAddress> parse(String text) {
        return Address.parse(text)
                .filter(Address::isRepo)
                .map(address -> new RepoAddress(address.pubkey(), address.identifier()));
    }

    public Address address() {
        return new Address(Kind.REPO_ANNOUNCEMENT, pubkey, identifier);
    }

    @Override
    public String toString() {
        return address().toString();
    }
}
