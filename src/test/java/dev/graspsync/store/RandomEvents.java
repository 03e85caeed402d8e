package dev.graspsync.store;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.graspsync.nostr.EncodedEvent;
import dev.graspsync.nostr.Event;
import dev.graspsync.nostr.EventId;
import dev.graspsync.nostr.Filter;
import dev.graspsync.nostr.PublicKey;
import dev.graspsync.nostr.Signature;
import dev.graspsync.nostr.Tag;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;

/** Events and filters over a small world, so that they meet often. Ids and signatures are not real: no store checks them. */
final class RandomEvents {

    private static final int[] KINDS = {1, 7, 1111, 1617, 1621, 1630, 10317, 30617, 30618};
    private static final String LETTERS = "aAeEqptd";

    private final Random random;
    private final List<PublicKey> authors = new ArrayList<>();
    private final List<Event> made = new ArrayList<>();

    RandomEvents(long seed) {
        random = new Random(seed);
        for (int i = 0; i < 6; i++) {
            authors.add(new PublicKey(random.nextLong(), random.nextLong(), random.nextLong(), i));
        }
    }

    static EncodedEvent encode(Event event) {
        return new EncodedEvent(event, ("{\"id\":\"" + event.id().hex() + "\"}").getBytes(UTF_8));
    }

    Event next() {
        if (!made.isEmpty() && random.nextInt(20) == 0) {
            return pick(made);
        }
        Event event = random.nextInt(12) == 0 ? deletion() : plain();
        made.add(event);
        return event;
    }

    private Event plain() {
        int kind = KINDS[random.nextInt(KINDS.length)];
        List<Tag> tags = new ArrayList<>();
        if (kind >= 30_000) {
            tags.add(Tag.of("d", "repo:" + random.nextInt(3)));
        }
        for (int i = random.nextInt(4); i > 0; i--) {
            tags.add(Tag.of(letter(), value()));
        }
        if (random.nextInt(15) == 0) {
            tags.add(Tag.of("expiration", Long.toString(1_000 + random.nextInt(300))));
        }
        return event(kind, tags);
    }

    private Event deletion() {
        List<Tag> tags = new ArrayList<>();
        if (!made.isEmpty() && random.nextBoolean()) {
            Event target = pick(made);
            tags.add(Tag.of("e", target.id().hex()));
            return event(5, tags, random.nextInt(4) == 0 ? pick(authors) : target.pubkey());
        }
        PublicKey author = pick(authors);
        tags.add(Tag.of("a", "30617:" + author.hex() + ":repo:" + random.nextInt(3)));
        return event(5, tags, author);
    }

    Event vanish(PublicKey author) {
        return event(62, List.of(Tag.of("relay", "ALL_RELAYS")), author);
    }

    PublicKey author() {
        return pick(authors);
    }

    private Event event(int kind, List<Tag> tags) {
        return event(kind, tags, pick(authors));
    }

    private Event event(int kind, List<Tag> tags, PublicKey author) {
        EventId id = new EventId(random.nextLong(), random.nextLong(), random.nextLong(), random.nextLong());
        return new Event(id, author, 1_000 + random.nextInt(200), kind, tags, "", Signature.ofBytes(new byte[64]));
    }

    private String letter() {
        return String.valueOf(LETTERS.charAt(random.nextInt(LETTERS.length())));
    }

    private String value() {
        return random.nextInt(3) == 0 && !made.isEmpty() ? pick(made).id().hex() : "value" + random.nextInt(8);
    }

    Filter filter() {
        Filter filter = Filter.ALL;
        if (random.nextInt(8) == 0 && !made.isEmpty()) {
            Set<EventId> ids = new HashSet<>();
            for (int i = random.nextInt(5); i >= 0; i--) {
                ids.add(pick(made).id());
            }
            filter = filter.withIds(ids);
        }
        if (random.nextInt(3) == 0) {
            filter = filter.withAuthors(Set.of(pick(authors)));
        }
        if (random.nextInt(3) == 0) {
            filter = filter.withKinds(KINDS[random.nextInt(4)], KINDS[4 + random.nextInt(5)]);
        }
        for (int i = random.nextInt(3); i > 0; i--) {
            Set<String> values = new HashSet<>(Set.of(value()));
            values.add(value());
            filter = filter.withTag(letter(), values);
        }
        if (random.nextInt(3) == 0) {
            filter = filter.withSince(1_000 + random.nextInt(200));
        }
        if (random.nextInt(3) == 0) {
            filter = filter.withUntil(1_000 + random.nextInt(200));
        }
        return random.nextInt(3) == 0 ? filter.withLimit(random.nextInt(30)) : filter;
    }

    private <T> T pick(List<T> list) {
        return list.get(random.nextInt(list.size()));
    }
}
