package dev.graspsync.store.h2;

import dev.graspsync.nostr.Address;
import dev.graspsync.nostr.EventFields;
import dev.graspsync.nostr.EventId;
import dev.graspsync.nostr.Kind;
import dev.graspsync.nostr.PublicKey;
import dev.graspsync.nostr.Tag;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * What an event can be found by, as 64-bit terms. They are hashes with a secret seed of the store's own: nobody outside
 * can make terms collide, and whoever reads checks the event itself, so that a collision costs time and nothing else.
 */
final class Terms {

    /** order and prefix are the first 16 bytes of the id. */
    static final long ID = 1;
    /** Every event. */
    static final long TIME = 2;
    /** order is the expiration. */
    static final long EXPIRES = 3;

    private final long seed;

    Terms(long seed) {
        this.seed = seed;
    }

    static long newestFirst(long createdAt) {
        return Long.MAX_VALUE - createdAt;
    }

    long kind(int kind) {
        return mix(mix(seed, 'k'), kind);
    }

    long author(PublicKey author) {
        return key(mix(seed, 'u'), author);
    }

    long authorKind(PublicKey author, int kind) {
        return mix(key(mix(seed, 'v'), author), kind);
    }

    long address(Address address) {
        return text(mix(key(mix(seed, 'h'), address.pubkey()), address.kind()), address.identifier());
    }

    long tag(String name, String value) {
        return text(mix(mix(seed, 't'), name.charAt(0)), value);
    }

    /** A deletion by this author names this id or address. */
    long deletes(PublicKey author, String idOrAddress) {
        return text(key(mix(seed, 'd'), author), idOrAddress);
    }

    long vanishes(PublicKey author) {
        return key(mix(seed, 'w'), author);
    }

    long maintains(String identifier, PublicKey maintainer) {
        return text(key(mix(seed, 'm'), maintainer), identifier);
    }

    /** An announcement or a root event tags this id or address. */
    long mentions(String idOrAddress) {
        return text(mix(seed, 'r'), idOrAddress);
    }

    /** The terms that a batch must also find before they are in the index: those its own decisions look up. */
    List<Long> decisive(EventFields event) {
        List<Long> terms = new ArrayList<>(4);
        Address.of(event).ifPresent(address -> terms.add(address(address)));
        if (event.kind() == Kind.DELETION) {
            terms.add(authorKind(event.pubkey(), Kind.DELETION));
            for (Tag tag : event.tags()) {
                if (tag.hasValue() && (tag.name().equals("e") || tag.name().equals("a"))) {
                    terms.add(deletes(event.pubkey(), tag.value()));
                }
            }
        }
        if (event.kind() == Kind.VANISH) {
            terms.add(vanishes(event.pubkey()));
        }
        if (event.kind() == Kind.REPO_ANNOUNCEMENT) {
            String identifier = event.firstValue("d").orElse("");
            event.tags("maintainers")
                    .flatMap(tag -> tag.values().stream().skip(1))
                    .flatMap(hex -> PublicKey.parse(hex).stream())
                    .filter(key -> !key.equals(event.pubkey()))
                    .forEach(key -> terms.add(maintains(identifier, key)));
        }
        if (event.kind() == Kind.REPO_ANNOUNCEMENT || Kind.isRoot(event.kind())) {
            for (Tag tag : event.tags()) {
                if (tag.hasValue() && isReference(tag.name())) {
                    terms.add(mentions(tag.value()));
                }
            }
        }
        return terms;
    }

    private static boolean isReference(String name) {
        return name.length() == 1 && "eEqaA".indexOf(name.charAt(0)) >= 0;
    }

    /** The entries of an event as it lies in the file: of one that is gone, only what keeps it from coming back. */
    void addEntries(EventRecord event, PackedEntries out) {
        switch (event.state()) {
            case LIVE -> addEntries(event, event.seq(), decisive(event), out);
            case DELISTED -> addDelisted(event, event.seq(), event.addressTerm(), out);
            case SUPERSEDED, DELETED, EXPIRED ->
                out.add(ID, event.id().a(), event.id().b(), event.seq());
        }
    }

    static void addDelisted(EventFields event, long seq, long addressTerm, PackedEntries out) {
        out.add(ID, event.id().a(), event.id().b(), seq);
        out.add(addressTerm, newestFirst(event.createdAt()), event.id().a(), seq);
    }

    void addEntries(EventFields event, long seq, List<Long> decisive, PackedEntries out) {
        EventId id = event.id();
        long order = newestFirst(event.createdAt());
        out.add(ID, id.a(), id.b(), seq);
        out.add(TIME, order, id.a(), seq);
        long[] terms = new long[decisive.size() + 3 + event.tags().size()];
        int count = 0;
        for (long term : decisive) {
            terms[count++] = term;
        }
        terms[count++] = kind(event.kind());
        terms[count++] = author(event.pubkey());
        terms[count++] = authorKind(event.pubkey(), event.kind());
        for (Tag tag : event.tags()) {
            if (tag.isIndexed()) {
                terms[count++] = tag(tag.name(), tag.value());
            }
        }
        // In order, so that what an event has twice lies together.
        Arrays.sort(terms, 0, count);
        for (int i = 0; i < count; i++) {
            if (i == 0 || terms[i] != terms[i - 1]) {
                out.add(terms[i], order, id.a(), seq);
            }
        }
        event.expiration().ifPresent(at -> out.add(EXPIRES, at, id.a(), seq));
    }

    private static long key(long hash, PublicKey key) {
        return mix(mix(hash, key.a()), key.b());
    }

    private static long text(long hash, String text) {
        long h = mix(hash, text.length());
        long word = 0;
        int length = text.length();
        for (int i = 0; i < length; i++) {
            word = word << 16 | text.charAt(i);
            if ((i & 3) == 3) {
                h = mix(h, word);
                word = 0;
            }
        }
        return mix(h, word);
    }

    private static long mix(long hash, long value) {
        long x = (hash ^ value) * 0x9E3779B97F4A7C15L;
        x = (x ^ x >>> 32) * 0xD6E8FEB86659FD93L;
        return (x ^ x >>> 29) + hash;
    }
}
