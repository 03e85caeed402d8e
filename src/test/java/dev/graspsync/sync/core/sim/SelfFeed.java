package dev.graspsync.sync.core.sim;

import dev.graspsync.nostr.Kind;
import dev.graspsync.relay.MemoryIngest;
import dev.graspsync.sync.core.SyncInput;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** The SelfSubscriber's part: what the own relay stored or lost, in windows of 5 s from the first event (rule 3). */
final class SelfFeed implements MemoryIngest.Listener<SimEvent> {

    private static final Duration WINDOW = Duration.ofSeconds(5);
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
        listening = false;
        windowOpen = false;
        stored.clear();
        removed.clear();
        ingest.restart(crashed);
    }

    /** Rule 4: on the first connect the own relay is drained completely, newest first and in pages. */
    void start() {
        listening = true;
        out.accept(new SyncInput.SelfDrainBegan(clock.now()));
        List<SimEvent> all = ingest.live().stream()
                .filter(SelfFeed::isOfInterest)
                .sorted(SimEvent.NEWEST_FIRST)
                .toList();
        drain(all, life);
    }

    private void drain(List<SimEvent> rest, long began) {
        clock.after(chance.upTo(Duration.ofSeconds(2)), () -> {
            if (life != began) {
                return;
            }
            List<SimEvent> page = rest.subList(0, Math.min(PAGE, rest.size()));
            if (page.isEmpty()) {
                out.accept(new SyncInput.SelfDrained(clock.now()));
                return;
            }
            give(page, List.of());
            drain(rest.subList(page.size(), rest.size()), began);
        });
    }

    /** A reconnect to the own relay shows some of it a second time. */
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
