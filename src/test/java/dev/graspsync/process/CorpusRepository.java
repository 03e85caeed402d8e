package dev.graspsync.process;

import dev.graspsync.TestKeys;
import dev.graspsync.nostr.Event;
import dev.graspsync.nostr.Kind;
import dev.graspsync.nostr.Tag;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** One repository of the corpus: its announcement and state, its root events, and a reply for each of them. */
record CorpusRepository(String address, List<Corpus.Item> items, List<String> roots) {

    private static final long START = 1_760_000_000L;
    private static final int DAY = 86_400;
    private static final String[] WORDS = ("fix add relay sync state push branch merge ref pack index cache test crash"
                    + " leak parse filter event nostr git repo patch build docs \"quoted\" back\\slash tab\there"
                    + " ünïcode 漢字 🚀 review nit ok LGTM please rebase onto main the a of to in and is that for on with")
            .split(" ");

    static CorpusRepository generate(
            long seed, int number, int roots, List<TestKeys> users, Corpus.Places places, boolean accepted) {
        Writer writer = new Writer(new Random(seed * 1_000_003 + number), users, accepted);
        return writer.repository((accepted ? "repo-" : "other-") + number, places, roots);
    }

    private static final class Writer {

        private final Random random;
        private final List<TestKeys> users;
        private final boolean accepted;
        private final List<Corpus.Item> items = new ArrayList<>();

        Writer(Random random, List<TestKeys> users, boolean accepted) {
            this.random = random;
            this.users = users;
            this.accepted = accepted;
        }

        CorpusRepository repository(String name, Corpus.Places places, int rootCount) {
            TestKeys owner = user();
            String key = owner.pubkey().hex();
            String address = Kind.REPO_ANNOUNCEMENT + ":" + key + ":" + name;
            long start = START + random.nextInt(90 * DAY);
            add(
                    owner,
                    30617,
                    start,
                    "",
                    Tag.of("d", name),
                    Tag.of("name", name),
                    Tag.of("description", words(10)),
                    tag(
                            "clone",
                            places.servers().stream()
                                    .map(server -> server + "/" + key + "/" + name + ".git")
                                    .toList()),
                    tag("relays", places.relays()),
                    Tag.of("r", hex(40), "euc"));
            add(
                    owner,
                    30618,
                    start + 60 + random.nextInt(180 * DAY),
                    "",
                    Tag.of("d", name),
                    Tag.of("refs/heads/main", hex(40)),
                    Tag.of("refs/tags/v0.1.0", hex(40)),
                    Tag.of("HEAD", "ref: refs/heads/main"));
            List<Event> roots = new ArrayList<>();
            for (int i = 0; i < rootCount; i++) {
                roots.add(root(address, key, start + 100 + random.nextInt(250 * DAY)));
            }
            for (int i = 0; i < rootCount; i++) {
                reply(roots.get(random.nextInt(rootCount)), address, key);
            }
            return new CorpusRepository(
                    address, items, roots.stream().map(root -> root.id().hex()).toList());
        }

        private Event root(String address, String owner, long at) {
            Tag a = Tag.of("a", address);
            Tag p = Tag.of("p", owner);
            int dice = random.nextInt(100);
            if (dice < 35) {
                Tag commit = Tag.of("commit", hex(40));
                Tag parent = Tag.of("parent-commit", hex(40));
                return add(user(), 1617, at, patch(), a, Tag.of("r", hex(40)), p, Tag.of("t", "root"), commit, parent);
            }
            Tag subject = Tag.of("subject", words(5));
            return dice < 55
                    ? add(user(), 1618, at, text(4), a, Tag.of("r", hex(40)), p, subject, Tag.of("c", hex(40)))
                    : add(user(), 1621, at, text(5), a, p, subject, Tag.of("t", "bug"));
        }

        private void reply(Event root, String address, String owner) {
            long at = root.createdAt() + 60 + random.nextInt(6 * DAY);
            String id = root.id().hex();
            String author = root.pubkey().hex();
            int dice = random.nextInt(100);
            if (dice < 5) {
                Tag k = Tag.of("k", "30617");
                add(user(), 1111, at, text(2), Tag.of("A", address), Tag.of("K", "30617"), Tag.of("a", address), k);
            } else if (dice < 75) {
                String kind = Integer.toString(root.kind());
                add(
                        user(),
                        1111,
                        at,
                        text(3),
                        Tag.of("E", id, "", author),
                        Tag.of("K", kind),
                        Tag.of("P", author),
                        Tag.of("e", id, "", author),
                        Tag.of("k", kind),
                        Tag.of("p", author));
            } else {
                Tag e = Tag.of("e", id, "", "root");
                add(user(), 1630 + random.nextInt(4), at, "", e, Tag.of("p", owner), Tag.of("a", address));
            }
            if (dice % 20 == 0) {
                add(user(), 1, at + 5, text(1), Tag.of("q", id, "", author));
            }
        }

        private Event add(TestKeys author, int kind, long at, String content, Tag... tags) {
            Event event = author.sign(kind, at, List.of(tags), content);
            items.add(Corpus.Item.of(event, accepted));
            return event;
        }

        private static Tag tag(String name, List<String> values) {
            List<String> all = new ArrayList<>(values);
            all.addFirst(name);
            return Tag.of(all.toArray(String[]::new));
        }

        private TestKeys user() {
            return users.get(random.nextInt(users.size()));
        }

        private String hex(int digits) {
            StringBuilder out = new StringBuilder(digits);
            while (out.length() < digits) {
                out.append(Character.forDigit(random.nextInt(16), 16));
            }
            return out.toString();
        }

        private String words(int count) {
            StringBuilder out = new StringBuilder(count * 6);
            for (int i = 0; i < count; i++) {
                out.append(i == 0 ? "" : " ").append(WORDS[random.nextInt(WORDS.length)]);
            }
            return out.toString();
        }

        private String text(int paragraphs) {
            StringBuilder out = new StringBuilder(words(8 + random.nextInt(30)));
            for (int i = random.nextInt(paragraphs); i > 0; i--) {
                out.append("\n\n").append(words(8 + random.nextInt(30)));
            }
            return out.toString();
        }

        private String patch() {
            StringBuilder out = new StringBuilder("From ").append(hex(40)).append("\nSubject: [PATCH] ");
            out.append(words(6)).append("\n\n").append(words(12)).append("\n---\ndiff --git a/src/x.c b/src/x.c");
            for (int i = 4 + random.nextInt(50); i > 0; i--) {
                out.append('\n').append(" +-".charAt(random.nextInt(3))).append("  ");
                out.append(words(2 + random.nextInt(6)));
            }
            return out.append("\n--\n2.45.0\n").toString();
        }
    }
}
