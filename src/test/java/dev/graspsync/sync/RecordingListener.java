package dev.graspsync.sync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.graspsync.nostr.RelayMessage;
import dev.graspsync.sync.core.RelayHints;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

/** Keeps what a connection told, in its order, and on which threads. */
final class RecordingListener implements RelayListener {

    private static final Duration PATIENCE = Duration.ofSeconds(20);

    sealed interface Told {
        record Opened(RelayHints hints) implements Told {}

        record OpenFailed(String why) implements Told {}

        record Received(RelayMessage message) implements Told {}

        record Malformed(String why) implements Told {}

        record Lost(Instant lastHeard, String why) implements Told {}
    }

    final List<Told> told = new CopyOnWriteArrayList<>();
    final Set<Thread> threads = ConcurrentHashMap.newKeySet();
    /** What to do on each message, on the event loop. */
    volatile Consumer<RelayMessage> onMessage = message -> {};

    @Override
    public void opened(RelayHints hints) {
        add(new Told.Opened(hints));
    }

    @Override
    public void openFailed(String why) {
        add(new Told.OpenFailed(why));
    }

    @Override
    public void received(RelayMessage message) {
        add(new Told.Received(message));
        onMessage.accept(message);
    }

    @Override
    public void malformed(String why) {
        add(new Told.Malformed(why));
    }

    @Override
    public void lost(Instant lastHeard, String why) {
        add(new Told.Lost(lastHeard, why));
    }

    private void add(Told what) {
        threads.add(Thread.currentThread());
        told.add(what);
    }

    <T extends Told> List<T> all(Class<T> type) {
        return told.stream().filter(type::isInstance).map(type::cast).toList();
    }

    <T extends Told> T await1(Class<T> type) {
        await().atMost(PATIENCE)
                .pollInterval(Duration.ofMillis(5))
                .failFast(() -> isOver() && all(type).isEmpty())
                .until(() -> !all(type).isEmpty());
        return all(type).getFirst();
    }

    RelayHints awaitOpened() {
        return await1(Told.Opened.class).hints();
    }

    String awaitOpenFailed() {
        String why = await1(Told.OpenFailed.class).why();
        assertOrder();
        return why;
    }

    String awaitLost() {
        String why = await1(Told.Lost.class).why();
        assertOrder();
        return why;
    }

    /** Opened or not, it ends: the reason why. */
    String awaitEnd() {
        await().atMost(PATIENCE).pollInterval(Duration.ofMillis(5)).until(this::isOver);
        assertOrder();
        return all(Told.Lost.class).isEmpty()
                ? all(Told.OpenFailed.class).getFirst().why()
                : all(Told.Lost.class).getFirst().why();
    }

    List<RelayMessage> awaitMessages(int count) {
        await().atMost(PATIENCE)
                .pollInterval(Duration.ofMillis(5))
                .until(() -> all(Told.Received.class).size() >= count);
        return all(Told.Received.class).stream().map(Told.Received::message).toList();
    }

    private boolean isOver() {
        return told.stream().anyMatch(what -> what instanceof Told.OpenFailed || what instanceof Told.Lost);
    }

    /** What {@link RelayListener} promises of the order. */
    void assertOrder() {
        int opened = all(Told.Opened.class).size();
        assertThat(opened + all(Told.OpenFailed.class).size())
                .as("opened or not, once: %s", told)
                .isEqualTo(1);
        assertThat(all(Told.Lost.class)).hasSizeLessThanOrEqualTo(opened);
        if (isOver()) {
            assertThat(told.getLast()).isInstanceOfAny(Told.OpenFailed.class, Told.Lost.class);
        }
        assertThat(told.getFirst()).isInstanceOfAny(Told.OpenFailed.class, Told.Opened.class);
        assertThat(threads).as("one event loop").hasSize(1);
    }
}
