package dev.graspsync.sync.core.sim;

import dev.graspsync.nostr.Kind;
import dev.graspsync.relay.MemoryIngest;
import dev.graspsync.sync.core.SyncInput;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Consumer;

/** The SelfSubscriber's part: what the own relay stored or lost, in windows of 5 s from the first event (rule 3). */
final class SelfFeed implements MemoryIngest.Listener<SimEvent> {

    private static final Duration WINDOW = Duration.ofSeconds(5);
    private static final Duration DRAIN_AGAIN = Duration.ofHours(24);
    private static final int PAGE = 25;

    private final SimClock clock;
    private final Chance chance;
    private final Consumer<SyncInput> out;
    private final MemoryIngest<SimEvent> ingest;
    private final List<SimEvent> stored = new ArrayList<>();
    private final List<SyncInput.Removed> removed = new ArrayList<>();
    private boolean listening;
    private boolean windowOpen;
    private long life;
    private long drains;

    SelfFeed(String domain, SimClock clock, Chance chance, Consumer<SyncInput> out) {
        this.clock = clock;
        this.chance = chance;
        this.out = out;
        ingest = new MemoryIngest<>(domain, this);
    }

    MemoryIngest<SimEvent> ingest() {
        return ingest;
    }

    void stop(boolean crashed) {
        life++;
        drains++;
        listening = false;
        windowOpen = false;
        stored.clear();
        removed.clear();
        ingest.restart(crashed);
    }

    /** Rule 4: on every connect, and once a day, the own relay is drained completely, in pages. */
    void start() {
        listening = true;
        drain();
    }

    /** The connection to the own relay was lost and is back: it is read again, whatever was being read. */
    void reconnect() {
        if (listening) {
            drain();
        }
    }

    private void drain() {
        long mine = ++drains;
        out.accept(new SyncInput.SelfDrainBegan(clock.now()));
        List<SimEvent> all = ingest.live().stream()
                .filter(SelfFeed::isOfInterest)
                .sorted(Comparator.comparing((SimEvent event) -> event.kind() != Kind.REPO_ANNOUNCEMENT)
                        .thenComparing(SimEvent.NEWEST_FIRST))
                .toList();
        drain(all, mine);
    }

    private void drain(List<SimEvent> rest, long mine) {
        clock.after(chance.upTo(Duration.ofSeconds(2)), () -> {
            if (drains != mine) {
                return;
            }
            List<SimEvent> page = rest.subList(0, Math.min(PAGE, rest.size()));
            if (page.isEmpty()) {
                out.accept(new SyncInput.SelfDrained(clock.now()));
                drainAgainLater(mine);
                return;
            }
            give(page, List.of());
            drain(rest.subList(page.size(), rest.size()), mine);
        });
    }

    private void drainAgainLater(long mine) {
        clock.after(DRAIN_AGAIN, () -> {
            if (drains == mine) {
                drain();
            }
        });
    }

    /** Some of it is shown a second time. */
    void repeatSome() {
        List<SimEvent> all =
                ingest.live().stream().filter(SelfFeed::isOfInterest).toList();
        if (listening && !all.isEmpty()) {
            give(chance.some(all), List.of());
        }
    }

    @Override
    public void stored(SimEvent event) {
        if (listening && isOfInterest(event)) {
            stored.add(event);
            openWindow();
        }
    }

    @Override
    public void gone(SimEvent event, long upToCreatedAt) {
        if (listening && isOfInterest(event)) {
            removed.add(
                    event.kind() == Kind.REPO_ANNOUNCEMENT
                            ? new SyncInput.Removed.Repo(SelfView.repo(event), upToCreatedAt)
                            : new SyncInput.Removed.Event(event.id()));
            openWindow();
        }
    }

    private static boolean isOfInterest(SimEvent event) {
        return event.kind() == Kind.REPO_ANNOUNCEMENT || Kind.isRoot(event.kind());
    }

    private void openWindow() {
        if (windowOpen) {
            return;
        }
        windowOpen = true;
        long began = life;
        clock.after(WINDOW, () -> {
            if (life == began) {
                windowOpen = false;
                List<SimEvent> events = List.copyOf(stored);
                List<SyncInput.Removed> removals = List.copyOf(removed);
                stored.clear();
                removed.clear();
                give(events, removals);
            }
        });
    }

    /** What is no longer there when the page is read is not shown. */
    private void give(List<SimEvent> events, List<SyncInput.Removed> removals) {
        SelfView view = new SelfView(ingest);
        List<SimEvent> live =
                events.stream().filter(event -> ingest.isLive(event.id())).toList();
        out.accept(new SyncInput.SelfBatch(
                clock.now(),
                live.stream()
                        .filter(event -> event.kind() == Kind.REPO_ANNOUNCEMENT)
                        .map(view::announced)
                        .toList(),
                live.stream()
                        .filter(event -> Kind.isRoot(event.kind()))
                        .map(view::rooted)
                        .toList(),
                removals));
    }
}
