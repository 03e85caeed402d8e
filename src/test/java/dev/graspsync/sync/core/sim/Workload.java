package dev.graspsync.sync.core.sim;

import dev.graspsync.nostr.EventId;
import dev.graspsync.nostr.Kind;
import dev.graspsync.nostr.PublicKey;
import dev.graspsync.nostr.Tag;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** What people do in a world: announce repositories, change their minds, and talk about issues and patches. */
final class Workload {

    private static final int COMMENT = 1111;
    private static final int STATUS_OPEN = 1630;
    private static final int NOTE = 1;

    private final World world;
    private final Chance chance;
    private final Instant from;
    private final Instant to;
    private final boolean prompt;
    private final List<PublicKey> people = new ArrayList<>();
    private int published;

    /** @param prompt whether everything is sent as soon as it is written, and nothing twice */
    Workload(World world, Chance chance, Instant from, Instant to, boolean prompt) {
        this.prompt = prompt;
        this.world = world;
        this.chance = chance;
        this.from = from;
        this.to = to;
    }

    int published() {
        return published;
    }

    void plan() {
        int count = chance.between(3, 6);
        for (int i = 0; i < count; i++) {
            people.add(chance.key());
        }
        int repos = chance.between(3, 12);
        for (int i = 0; i < repos; i++) {
            planRepo(i);
        }
        int notes = chance.between(0, 20);
        for (int i = 0; i < notes; i++) {
            Instant at = chance.between(from, to);
            world.clock.at(at, () -> publish(event(chance.one(people), NOTE, at), chance.some(world.urls())));
        }
    }

    // Repositories -------------------------------------------------------------------------------------------------

    /** A repository as its owner sees it. */
    private static final class Repo {
        final PublicKey owner;
        final String identifier;
        List<String> relays;
        boolean lists;
        List<EventId> roots = new ArrayList<>();

        Repo(PublicKey owner, String identifier, List<String> relays, boolean lists) {
            this.owner = owner;
            this.identifier = identifier;
            this.relays = relays;
            this.lists = lists;
        }

        String address() {
            return Kind.REPO_ANNOUNCEMENT + ":" + owner.hex() + ":" + identifier;
        }
    }

    private void planRepo(int number) {
        String identifier = chance.percent(20) ? "group:repo-" + number : "repo-" + chance.between(0, number);
        Repo repo = new Repo(chance.one(people), identifier, chance.some(world.urls()), !chance.percent(12));
        Instant announced = number == 0 ? from.plusSeconds(60) : chance.between(from, to);
        boolean tellsUs = number == 0 || chance.percent(70);
        world.clock.at(announced, () -> announce(repo, tellsUs));
        int changes = chance.percent(50) ? chance.between(1, 4) : 0;
        for (int i = 0; i < changes; i++) {
            world.clock.at(chance.between(announced, to), () -> change(repo));
        }
        int states = chance.between(0, 3);
        for (int i = 0; i < states; i++) {
            Instant at = chance.between(from, to);
            world.clock.at(at, () -> publish(state(repo, at), somewhere(repo)));
        }
        planRoots(repo, announced);
    }

    private void announce(Repo repo, boolean tellsUs) {
        SimEvent announcement = announcement(repo);
        List<String> where =
                repo.relays.stream().filter(relay -> chance.percent(85)).toList();
        publish(announcement, where);
        if (tellsUs) {
            world.home.publish(announcement);
        }
    }

    private SimEvent announcement(Repo repo) {
        List<String> relays = new ArrayList<>(repo.relays);
        if (repo.lists) {
            relays.add(chance.between(0, relays.size()), World.OWN_URL);
        }
        if (chance.percent(10)) {
            relays.add("wss://no-such-host.example");
        }
        relays.addFirst("relays");
        List<Tag> tags = new ArrayList<>(List.of(Tag.of("d", repo.identifier), new Tag(relays)));
        tags.add(Tag.of("clone", "https://" + (repo.lists ? World.DOMAIN : "elsewhere.example") + "/r.git"));
        if (chance.percent(40)) {
            tags.add(Tag.of("maintainers", chance.one(people).hex(), repo.owner.hex()));
        }
        if (chance.percent(5)) {
            Instant expires = world.clock.now().plus(chance.between(Duration.ofHours(1), Duration.ofDays(20)));
            tags.add(Tag.of("expiration", Long.toString(expires.getEpochSecond())));
        }
        return event(repo.owner, Kind.REPO_ANNOUNCEMENT, world.clock.now(), tags.toArray(Tag[]::new));
    }

    private void change(Repo repo) {
        List<String> before = repo.relays;
        switch (chance.between(0, 5)) {
            case 0 -> repo.relays = chance.some(world.urls());
            case 1 -> repo.relays = before.size() > 1 ? List.copyOf(before.subList(1, before.size())) : world.urls();
            case 2 -> repo.lists = !repo.lists;
            case 3 -> {
                SimEvent deletion = event(repo.owner, Kind.DELETION, world.clock.now(), Tag.of("a", repo.address()));
                publish(deletion, chance.some(before));
                tellUs(deletion, 50);
                return;
            }
            default -> {}
        }
        SimEvent announcement = announcement(repo);
        // Where the old version was, the new one is usually sent as well; but not always.
        Stream.concat(repo.relays.stream(), before.stream())
                .distinct()
                .filter(relay -> chance.percent(80))
                .forEach(relay -> publish(announcement, List.of(relay)));
        tellUs(announcement, 60);
    }

    private SimEvent state(Repo repo, Instant at) {
        PublicKey author = chance.percent(70) ? repo.owner : chance.one(people);
        return event(author, Kind.REPO_STATE, at, Tag.of("d", repo.identifier));
    }

    // Roots and what is said about them ----------------------------------------------------------------------------

    private void planRoots(Repo repo, Instant announced) {
        int roots = chance.between(0, chance.percent(20) ? 40 : 10);
        for (int i = 0; i < roots; i++) {
            Instant earliest = chance.percent(30) ? from : announced;
            world.clock.at(chance.between(earliest, to), () -> openRoot(repo));
        }
        if (chance.percent(15)) {
            world.clock.at(chance.between(announced, to), () -> burst(repo));
        }
    }

    private void openRoot(Repo repo) {
        List<Tag> tags = new ArrayList<>(List.of(Tag.of("a", repo.address())));
        if (chance.percent(10)) {
            tags.add(Tag.of(
                    "a", Kind.REPO_ANNOUNCEMENT + ":" + chance.one(people).hex() + ":repo-0"));
        }
        if (chance.percent(15)) {
            SimEvent quoted = event(chance.one(people), NOTE, world.clock.now());
            publish(quoted, somewhere(repo));
            tags.add(Tag.of("q", quoted.id().hex()));
        }
        int kind = chance.one(Kind.PATCH, Kind.PULL_REQUEST, Kind.PULL_REQUEST_UPDATE, Kind.ISSUE, Kind.ISSUE);
        SimEvent root = event(chance.one(people), kind, world.clock.now(), tags.toArray(Tag[]::new));
        repo.roots.add(root.id());
        publish(root, somewhere(repo));
        tellUs(root, 20);
        publishAgainLater(root, repo);
        int replies = chance.between(0, 6);
        for (int i = 0; i < replies; i++) {
            Instant at = world.clock.now().plus(chance.upTo(Duration.ofDays(chance.one(0, 0, 1, 5, 20))));
            if (at.isBefore(to)) {
                world.clock.at(at, () -> reply(repo, root));
            }
        }
    }

    private void reply(Repo repo, SimEvent root) {
        Tag parent = Tag.of("e", root.id().hex());
        Tag top = Tag.of("E", root.id().hex());
        PublicKey author = chance.one(people);
        Instant now = world.clock.now();
        SimEvent reply = switch (chance.between(0, 7)) {
            case 0 -> event(author, COMMENT, now, top, parent, Tag.of("A", repo.address()));
            case 1 -> event(author, COMMENT, now, top, Tag.of("K", "1621"));
            case 2 -> event(author, STATUS_OPEN, now, parent, Tag.of("a", repo.address()));
            case 3 -> event(author, STATUS_OPEN + 2, now, parent);
            case 4 -> event(author, NOTE, now, Tag.of("q", root.id().hex()));
            case 5 -> event(author, COMMENT, now, Tag.of("A", repo.address()));
            case 6 -> event(author, NOTE, now, Tag.of("q", repo.address()));
            default ->
                chance.percent(30)
                        ? event(root.pubkey(), Kind.DELETION, now, parent)
                        : event(author, COMMENT, now, top);
        };
        publish(reply, somewhere(repo));
        tellUs(reply, 15);
        publishAgainLater(reply, repo);
    }

    /** Many events in one second: more than some relays hand out at once. */
    private void burst(Repo repo) {
        Instant now = world.clock.now();
        int count = chance.between(20, 80);
        List<String> where = somewhere(repo);
        boolean aboutARoot = chance.percent(50) && !repo.roots.isEmpty();
        Tag about = aboutARoot ? Tag.of("E", chance.one(repo.roots).hex()) : Tag.of("A", repo.address());
        for (int i = 0; i < count; i++) {
            publish(
                    new SimEvent(chance.id(), chance.one(people), now.getEpochSecond(), COMMENT, List.of(about)),
                    where);
        }
    }

    // Publishing ---------------------------------------------------------------------------------------------------

    private List<String> somewhere(Repo repo) {
        return chance.percent(90) ? chance.some(repo.relays) : chance.some(world.urls());
    }

    private void publishAgainLater(SimEvent event, Repo repo) {
        if (!prompt && chance.percent(15)) {
            Instant at = world.clock.now().plus(chance.upTo(Duration.ofDays(6)));
            if (at.isBefore(to)) {
                world.clock.at(at, () -> publish(event, somewhere(repo)));
            }
        }
    }

    private void publish(SimEvent event, List<String> where) {
        published++;
        where.forEach(url -> world.relay(url).publish(event));
    }

    private void tellUs(SimEvent event, int percent) {
        if (chance.percent(percent)) {
            world.home.publish(event);
        }
    }

    private SimEvent event(PublicKey author, int kind, Instant now, Tag... tags) {
        return new SimEvent(chance.id(), author, skewed(now).getEpochSecond(), kind, List.of(tags));
    }

    /** Clocks are off, and things are written long before they are sent. */
    private Instant skewed(Instant now) {
        if (prompt) {
            return now;
        }
        return switch (chance.between(0, 19)) {
            case 0 -> now.minus(chance.upTo(Duration.ofDays(10)));
            case 1 -> now.minus(chance.upTo(Duration.ofMinutes(30)));
            case 2 -> now.plus(chance.upTo(Duration.ofMinutes(15)));
            default -> now;
        };
    }
}
