package dev.graspsync.nostr;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/** What people copy and paste (NIP-19): {@code note}, {@code nevent}, {@code npub}, {@code nprofile}, {@code naddr}. */
public sealed interface Nip19 {

    /** {@code note} or {@code nevent}; all but the id are hints. */
    record OfEvent(EventId id, List<RelayUrl> relays, Optional<PublicKey> author, OptionalInt kind) implements Nip19 {
        public OfEvent {
            relays = List.copyOf(relays);
        }
    }

    /** {@code npub} or {@code nprofile}. */
    record OfAuthor(PublicKey pubkey, List<RelayUrl> relays) implements Nip19 {
        public OfAuthor {
            relays = List.copyOf(relays);
        }
    }

    /** {@code naddr}. */
    record OfAddress(Address address, List<RelayUrl> relays) implements Nip19 {
        public OfAddress {
            relays = List.copyOf(relays);
        }

        public String text() {
            ByteArrayOutputStream out = new ByteArrayOutputStream();
            put(out, SPECIAL, address.identifier().getBytes(StandardCharsets.UTF_8));
            relays.forEach(relay -> put(out, RELAY, relay.toString().getBytes(StandardCharsets.US_ASCII)));
            put(out, AUTHOR, address.pubkey().bytes());
            put(
                    out,
                    KIND,
                    ByteBuffer.allocate(Integer.BYTES).putInt(address.kind()).array());
            return new Bech32("naddr", out.toByteArray()).text();
        }

        private static void put(ByteArrayOutputStream out, int type, byte[] value) {
            // A length is one byte: what is longer has no naddr, and is cut to one that leads nowhere.
            int length = Math.min(value.length, MOST_VALUE);
            out.write(type);
            out.write(length);
            out.write(value, 0, length);
        }
    }

    int SPECIAL = 0;
    int RELAY = 1;
    int AUTHOR = 2;
    int KIND = 3;
    int MOST_VALUE = 255;
    int MOST_RELAYS = 20;

    /** Absent for what is none of them, or damaged. */
    static Optional<Nip19> parse(String text) {
        return Bech32.parse(text).flatMap(Nip19::read);
    }

    private static Optional<Nip19> read(Bech32 bech32) {
        byte[] data = bech32.data();
        return switch (bech32.prefix()) {
            case "note" -> id(data).map(id -> new OfEvent(id, List.of(), Optional.empty(), OptionalInt.empty()));
            case "npub" -> key(data).map(key -> new OfAuthor(key, List.of()));
            case "nevent" ->
                first(data, SPECIAL)
                        .flatMap(Nip19::id)
                        .map(id -> new OfEvent(
                                id, relays(data), first(data, AUTHOR).flatMap(Nip19::key), kind(data)));
            case "nprofile" -> first(data, SPECIAL).flatMap(Nip19::key).map(key -> new OfAuthor(key, relays(data)));
            case "naddr" -> address(data).map(address -> new OfAddress(address, relays(data)));
            default -> Optional.empty();
        };
    }

    private static Optional<Address> address(byte[] data) {
        Optional<byte[]> identifier = first(data, SPECIAL);
        Optional<PublicKey> author = first(data, AUTHOR).flatMap(Nip19::key);
        OptionalInt kind = kind(data);
        if (identifier.isEmpty() || author.isEmpty() || kind.isEmpty()) {
            return Optional.empty();
        }
        String name = new String(identifier.get(), StandardCharsets.UTF_8);
        return Address.parse(new Address(kind.getAsInt(), author.get(), name).toString());
    }

    private static Optional<EventId> id(byte[] bytes) {
        return bytes.length == EventId.BYTES ? Optional.of(EventId.ofBytes(bytes)) : Optional.empty();
    }

    private static Optional<PublicKey> key(byte[] bytes) {
        return bytes.length == PublicKey.BYTES ? Optional.of(PublicKey.ofBytes(bytes)) : Optional.empty();
    }

    private static OptionalInt kind(byte[] data) {
        Optional<byte[]> value = first(data, KIND).filter(bytes -> bytes.length == Integer.BYTES);
        return value.isEmpty()
                ? OptionalInt.empty()
                : OptionalInt.of(ByteBuffer.wrap(value.get()).getInt());
    }

    private static List<RelayUrl> relays(byte[] data) {
        return all(data, RELAY).stream()
                .limit(MOST_RELAYS)
                .flatMap(url -> RelayUrl.parse(new String(url, StandardCharsets.UTF_8)).stream())
                .distinct()
                .toList();
    }

    private static Optional<byte[]> first(byte[] data, int type) {
        return all(data, type).stream().findFirst();
    }

    /** The values of a type, up to what is cut short. */
    private static List<byte[]> all(byte[] data, int type) {
        List<byte[]> found = new ArrayList<>();
        int at = 0;
        while (at + 2 <= data.length) {
            int length = data[at + 1] & 0xff;
            int end = at + 2 + length;
            if (end > data.length) {
                break;
            }
            if (data[at] == type) {
                found.add(Arrays.copyOfRange(data, at + 2, end));
            }
            at = end;
        }
        return found;
    }
}
