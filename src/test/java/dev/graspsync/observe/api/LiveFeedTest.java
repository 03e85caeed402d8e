package dev.graspsync.observe.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.datatype.jdk8.Jdk8Module;
import com.fasterxml.jackson.datatype.jsr310.JavaTimeModule;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class LiveFeedTest {

    private static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");

    private long nanos = 5_000_000_000L;
    private int looks;
    private long stored;
    private final List<RelayRow> rows = new ArrayList<>();
    private final LiveFeed feed = new LiveFeed(
            this::status,
            () -> List.copyOf(rows),
            new ObjectMapper().registerModules(new Jdk8Module(), new JavaTimeModule()),
            () -> nanos);

    private Status status() {
        looks++;
        return new Status(
                "grasp-sync",
                "1",
                "embedded",
                Optional.empty(),
                "relay.example",
                NOON,
                NOON.plusNanos(nanos),
                false,
                new Status.Store(1, 2, 3, 4, false),
                new Status.Ingest(0, Map.of("live", stored), 0, 0, 0),
                new Status.Sync(
                        true, "complete", 1, 1, 1, 0, Optional.empty(), new Status.Relays(1, 1, 0, 0), 1, 1, 0));
    }

    private static RelayRow row(String url, String state) {
        return new RelayRow(
                url,
                state,
                "healthy",
                "synced",
                Optional.of(NOON),
                0,
                Optional.empty(),
                Optional.empty(),
                1,
                1,
                1,
                0,
                0,
                0,
                0,
                0,
                List.of());
    }

    private void pass(Duration time) {
        nanos += time.toNanos();
    }

    private static List<String> names(List<LiveFeed.Told> told) {
        return told.stream().map(LiveFeed.Told::name).toList();
    }

    @Test
    void theFirstTellingIsOfEverything() {
        rows.add(row("wss://one.example/", "connected"));

        List<LiveFeed.Told> told = feed.listen().next();

        assertThat(names(told)).containsExactly("status", "relays");
        assertThat(told.get(1).json()).contains("wss://one.example/").endsWith("\"gone\":[]}");
    }

    @Test
    void laterOnlyWhatChangedIsToldAndWhatIsGone() {
        rows.addAll(List.of(row("wss://one.example/", "connected"), row("wss://two.example/", "connected")));
        LiveFeed.Listener listener = feed.listen();
        listener.next();
        pass(Duration.ofSeconds(1));
        assertThat(listener.next()).isEmpty();

        rows.set(0, row("wss://one.example/", "disconnected"));
        pass(Duration.ofSeconds(1));
        List<LiveFeed.Told> told = listener.next();
        assertThat(names(told)).containsExactly("relays");
        assertThat(told.getFirst().json()).contains("disconnected").doesNotContain("two.example");

        rows.remove(1);
        stored++;
        pass(Duration.ofSeconds(1));
        told = listener.next();
        assertThat(names(told)).containsExactly("status", "relays");
        assertThat(told.get(1).json()).isEqualTo("{\"relays\":[],\"gone\":[\"wss://two.example/\"]}");
    }

    @Test
    void theStatusIsToldEveryFifteenSecondsEvenIfNothingHappens() {
        LiveFeed.Listener listener = feed.listen();
        listener.next();
        pass(Duration.ofSeconds(14));
        assertThat(listener.next()).isEmpty();
        pass(Duration.ofSeconds(1));
        assertThat(names(listener.next())).containsExactly("status");
        pass(Duration.ofSeconds(14));
        assertThat(listener.next()).isEmpty();
    }

    @Test
    void manyListenersShareOneLook() {
        for (int i = 0; i < 50; i++) {
            feed.listen().next();
        }
        assertThat(looks).isEqualTo(1);
        pass(Duration.ofMillis(950));
        feed.listen().next();
        assertThat(looks).isEqualTo(2);
    }

    @Test
    void whoComesSeldomHearsOfAllThatChangedMeanwhile() {
        rows.add(row("wss://one.example/", "connected"));
        LiveFeed.Listener slow = feed.listen();
        slow.next();
        LiveFeed.Listener quick = feed.listen();
        rows.add(row("wss://two.example/", "connected"));
        pass(Duration.ofSeconds(1));
        quick.next();
        rows.add(row("wss://three.example/", "connected"));
        pass(Duration.ofSeconds(1));
        quick.next();

        assertThat(slow.next().getFirst().json()).contains("two.example", "three.example");
    }
}
