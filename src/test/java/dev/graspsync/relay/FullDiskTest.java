package dev.graspsync.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.graspsync.TestKeys;
import dev.graspsync.nostr.Event;
import dev.graspsync.nostr.Filter;
import dev.graspsync.nostr.Tag;
import dev.graspsync.store.EventCursor;
import dev.graspsync.store.EventStore;
import dev.graspsync.store.Provenance;
import dev.graspsync.store.StoreFailure;
import dev.graspsync.store.h2.H2EventStore;
import dev.graspsync.store.h2.SmallDisk;
import dev.graspsync.store.h2.StoreOptions;
import dev.graspsync.wire.EventJson;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A full disk refuses what comes, keeps what is here, and is forgotten when there is room again. */
class FullDiskTest {

    private static final StoreOptions OPTIONS = StoreOptions.usual(4).withScheme(SmallDisk.SCHEME);
    private static final TestKeys OWNER = TestKeys.ALICE;
    private static final String REPO = "30617:" + OWNER.pubkey().hex() + ":repo";

    @TempDir
    Path folder;

    private final List<Event> acknowledged = new ArrayList<>();
    private EventStore store;
    private EventWriter writer;
    private long nextSecond = 1_000;

    @BeforeEach
    void open() {
        SmallDisk.register();
        store = H2EventStore.open(folder, OPTIONS);
        writer = new EventWriter(
                store,
                new AcceptancePolicy(AcceptanceMode.HOSTED, "relay.example"),
                () -> Instant.ofEpochSecond(2_000_000),
                none -> {});
        write(OWNER.sign(
                30617,
                nextSecond++,
                List.of(
                        Tag.of("d", "repo"),
                        Tag.of("relays", "wss://relay.example"),
                        Tag.of("clone", "https://relay.example/npub1owner/repo.git")),
                ""));
    }

    @AfterEach
    void close() {
        SmallDisk.resize(Long.MAX_VALUE);
        store.close();
    }

    @Test
    void whatIsHereIsServedAndWhatComesIsRefusedUntilThereIsRoom() throws Exception {
        for (int i = 0; i < 20; i++) {
            assertThat(write(issue()).accepted()).isTrue();
        }
        SmallDisk.resize(Files.size(folder.resolve("events.mv")));
        Event refused = fill();
        for (int i = 0; i < 5; i++) {
            IngestResult answer = write(refused);
            assertThat(answer.accepted()).isFalse();
            assertThat(answer.message()).startsWith("error: ");
            assertEverythingAcknowledgedIsServed();
        }
        SmallDisk.resize(Long.MAX_VALUE);
        assertThat(write(refused).accepted()).isTrue();
        assertEverythingAcknowledgedIsServed();
        store.close();
        store = H2EventStore.open(folder, 4);
        assertEverythingAcknowledgedIsServed();
    }

    @Test
    void theFailureNamesTheFolderAndSaysWhatToDo() throws Exception {
        SmallDisk.resize(Files.size(folder.resolve("events.mv")));
        Event refused = fill();
        assertThatThrownBy(() -> writer.write(List.of(incoming(refused, new ArrayList<>()))))
                .isInstanceOf(StoreFailure.class)
                .hasMessageContaining(folder.toAbsolutePath().toString())
                .hasMessageContaining("full: make room");
    }

    @Test
    void aQueryThatWasOpenBeforeEndsInItsOwnFailureAtWorst() throws Exception {
        for (int i = 0; i < 20; i++) {
            write(issue());
        }
        SmallDisk.resize(Files.size(folder.resolve("events.mv")));
        try (EventCursor before = store.query(List.of(Filter.ALL), 100, 0)) {
            assertThat(before.next()).isNotNull();
            fill();
        }
        assertEverythingAcknowledgedIsServed();
    }

    /** Rule 27: what the failed batch would have brought still brings it. */
    @Test
    void aStateThatWaitsForItsAnnouncementDoesSoAfterAFailedCommit() throws Exception {
        TestKeys carol = TestKeys.CAROL;
        Event state = carol.sign(30618, nextSecond++, List.of(Tag.of("d", "other")), "");
        assertThat(write(state).accepted()).isFalse();
        Event announcement = carol.sign(
                30617,
                nextSecond++,
                List.of(
                        Tag.of("d", "other"),
                        Tag.of("relays", "wss://relay.example"),
                        Tag.of("clone", "https://relay.example/npub1carol/other.git")),
                "x".repeat(100_000));
        SmallDisk.resize(Files.size(folder.resolve("events.mv")));
        fill();
        assertThat(write(announcement).message()).startsWith("error: ");

        SmallDisk.resize(Long.MAX_VALUE);
        assertThat(write(announcement).accepted()).isTrue();
        assertThat(store.find(state.id())).isPresent();
    }

    @Test
    void aNewStoreWithoutRoomSaysSo() {
        SmallDisk.resize(1_000);
        assertThatThrownBy(() -> H2EventStore.open(folder.resolve("new"), OPTIONS))
                .isInstanceOf(StoreFailure.class)
                .hasMessageContaining("is full: make room on it");
    }

    /** Writes until the room that was left inside the file is used up; returns the first event that was refused. */
    private Event fill() {
        Event event = issue();
        for (int i = 0; i < 10_000 && write(event).accepted(); i++) {
            event = issue();
        }
        assertThat(write(event).accepted()).as("the disk is full").isFalse();
        return event;
    }

    private Event issue() {
        return OWNER.sign(1621, nextSecond++, List.of(Tag.of("a", REPO)), "x".repeat(2_000));
    }

    private IngestResult write(Event event) {
        List<IngestResult> results = new ArrayList<>();
        try {
            writer.write(List.of(incoming(event, results)));
        } catch (StoreFailure failure) {
            assertThat(results).hasSize(1);
            return results.getFirst();
        }
        if (results.getFirst().accepted()) {
            acknowledged.add(event);
        }
        return results.getFirst();
    }

    private static Incoming.Verified incoming(Event event, List<IngestResult> results) {
        return new Incoming.Verified(
                new Incoming.Arrived(EventJson.encodeIfIdMatches(event).orElseThrow(), Provenance.DIRECT),
                results::add);
    }

    private void assertEverythingAcknowledgedIsServed() {
        List<Object> served = new ArrayList<>();
        try (EventCursor cursor = store.query(List.of(Filter.ALL), 100_000, 0)) {
            for (var event = cursor.next(); event != null; event = cursor.next()) {
                served.add(event.id());
            }
        }
        assertThat(served).containsAll(acknowledged.stream().map(Event::id).toList());
        assertThat(acknowledged).allMatch(event -> store.find(event.id()).isPresent());
    }
}
