package dev.graspsync.relay;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.graspsync.nostr.EncodedEvent;
import dev.graspsync.nostr.Event;
import dev.graspsync.nostr.EventId;
import dev.graspsync.nostr.Filter;
import dev.graspsync.nostr.PublicKey;
import dev.graspsync.nostr.RepoAddress;
import dev.graspsync.nostr.Signature;
import dev.graspsync.nostr.Tag;
import dev.graspsync.store.Provenance;
import dev.graspsync.store.h2.H2EventStore;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Rule 27: the order in which events arrive does not decide which of them are here in the end. */
class EventWriterTest {

    private static final PublicKey OWNER = new PublicKey(1, 2, 3, 4);
    private static final PublicKey STRANGER = new PublicKey(5, 6, 7, 8);
    private static final String REPO = "30617:" + OWNER.hex() + ":repo";

    @TempDir
    Path folder;

    private Instant now = Instant.ofEpochSecond(2_000);
    private long nextId = 1;
    private H2EventStore store;
    private EventWriter writer;
    private final List<Delisting> delistings = new ArrayList<>();

    @BeforeEach
    void open() {
        store = H2EventStore.open(folder, 4);
        writer = new EventWriter(
                store, new AcceptancePolicy(AcceptanceMode.HOSTED, "relay.example"), () -> now, delistings::add);
    }

    @AfterEach
    void close() {
        store.close();
    }

    @Test
    void aThreadThatArrivesBackwardsIsStoredWhole() {
        Event announcement = announcement(1_000, "wss://relay.example");
        Event issue = event(1621, STRANGER, 1_001, Tag.of("a", REPO));
        Event comment = event(1111, STRANGER, 1_002, Tag.of("E", issue.id().hex()));
        Event reaction = event(7, OWNER, 1_003, Tag.of("e", comment.id().hex()));

        for (Event early : List.of(reaction, comment, issue)) {
            IngestResult result = write(early);
            assertThat(result.accepted()).isFalse();
            assertThat(result.message()).startsWith("blocked: ");
        }
        assertThat(write(announcement).accepted()).isTrue();

        assertThat(List.of(announcement, issue, comment, reaction))
                .allMatch(event -> store.find(event.id()).isPresent());
    }

    @Test
    void whatARootMentionsIsStoredWhenTheRootArrives() {
        write(announcement(1_000, "wss://relay.example"));
        Event note = event(1, STRANGER, 900);
        assertThat(write(note).accepted()).isFalse();
        write(event(1621, OWNER, 1_001, Tag.of("a", REPO), Tag.of("q", note.id().hex())));
        assertThat(store.find(note.id())).isPresent();
    }

    @Test
    void nobodyWaitsLongerThanTheHotTime() {
        Event issue = event(1621, STRANGER, 1_001, Tag.of("a", REPO));
        write(issue);
        now = now.plus(WaitingRoom.HOT).plusSeconds(1);
        write(announcement(1_000, "wss://relay.example"));
        assertThat(store.find(issue.id())).isEmpty();
        assertThat(write(issue).accepted()).isTrue();
    }

    @Test
    void rule27ARejectedIdIsRememberedUntilWhatItLackedArrives() {
        Event issue = event(1621, STRANGER, 1_001, Tag.of("a", REPO));
        Event comment = event(1111, STRANGER, 1_002, Tag.of("E", issue.id().hex()));
        write(issue);
        write(comment);
        now = now.plus(WaitingRoom.HOT).plusSeconds(1);
        assertThat(writer.isRejected(issue.id())).isTrue();

        write(announcement(1_000, "wss://relay.example"));
        assertThat(writer.isRejected(issue.id())).isFalse();
        assertThat(writer.isRejected(comment.id())).isTrue();

        write(issue);
        assertThat(writer.isRejected(comment.id())).isFalse();
    }

    @Test
    void rule27ARejectedIdIsForgottenAfterAWeek() {
        Event issue = event(1621, STRANGER, 1_001, Tag.of("a", REPO));
        write(issue);
        now = now.plus(Duration.ofDays(8));

        write(event(1621, STRANGER, 1_002, Tag.of("a", REPO)));

        assertThat(writer.isRejected(issue.id())).isFalse();
    }

    @Test
    void anOwnerWhoNoLongerListsTheServiceTakesTheRepositoryOff() {
        Event listed = announcement(1_000, "wss://relay.example");
        Event older = announcement(900, "wss://relay.example");
        write(listed);
        assertThat(write(announcement(1_100, "wss://elsewhere.example")).accepted())
                .isFalse();
        assertThat(store.find(listed.id())).isEmpty();
        write(older);
        assertThat(store.find(older.id())).isEmpty();
        Event again = announcement(1_200, "wss://relay.example");
        assertThat(write(again).accepted()).isTrue();
        assertThat(store.find(again.id())).isPresent();
        assertThat(write(event(1621, STRANGER, 1_201, Tag.of("a", REPO))).accepted())
                .isTrue();
    }

    /** As most owners do. */
    @Test
    void anOwnerWhoListsHimselfAsMaintainerCanTakeTheRepositoryOff() {
        Tag maintainers = Tag.of("maintainers", OWNER.hex(), STRANGER.hex());
        Event listed = announcement(1_000, "wss://relay.example", maintainers);
        write(listed);

        assertThat(write(announcement(1_100, "wss://elsewhere.example", maintainers))
                        .accepted())
                .isFalse();
        assertThat(store.find(listed.id())).isEmpty();
    }

    @Test
    void twoMaintainersWhoListEachOtherCanBothLeave() {
        Event owners = announcement(OWNER, 1_000, "wss://relay.example", Tag.of("maintainers", STRANGER.hex()));
        Event strangers = announcement(STRANGER, 1_001, "wss://relay.example", Tag.of("maintainers", OWNER.hex()));
        write(owners);
        write(strangers);

        write(announcement(OWNER, 1_100, "wss://elsewhere.example", Tag.of("maintainers", STRANGER.hex())));
        assertThat(store.find(owners.id())).as("the other still vouches").isEmpty();
        write(announcement(STRANGER, 1_100, "wss://elsewhere.example", Tag.of("maintainers", OWNER.hex())));

        assertThat(store.find(strangers.id())).isEmpty();
        assertThat(store.query(List.of(Filter.ALL.withKinds(30617)), 10, 0).next())
                .isNull();
    }

    @Test
    void whoIsHereByAnothersWordAloneVouchesForNobody() {
        PublicKey third = new PublicKey(9, 10, 11, 12);
        write(announcement(OWNER, 1_000, "wss://relay.example", Tag.of("maintainers", STRANGER.hex())));
        Event vouchedFor = announcement(STRANGER, 1_001, "wss://elsewhere.example", Tag.of("maintainers", third.hex()));
        assertThat(write(vouchedFor).accepted()).isTrue();

        assertThat(write(announcement(third, 1_002, "wss://elsewhere.example")).accepted())
                .isFalse();
    }

    /** Rule 1: what nothing speaks for any more goes, and comes back when it is acceptable again. */
    @Test
    void whoWasVouchedForGoesWithTheLastWhoVouchedAndMayComeBack() {
        Tag maintainers = Tag.of("maintainers", STRANGER.hex());
        Event vouchedFor = announcement(STRANGER, 1_001, "wss://elsewhere.example");
        Event first = announcement(OWNER, 1_000, "wss://relay.example", maintainers);
        write(first);
        write(vouchedFor);

        write(announcement(OWNER, 1_100, "wss://relay.example"));
        assertThat(store.find(vouchedFor.id())).as("not listed any more").isEmpty();
        assertThat(delistings).containsExactly(new Delisting(new RepoAddress(STRANGER, "repo"), 1_001));

        write(announcement(OWNER, 1_200, "wss://relay.example", maintainers));
        assertThat(write(vouchedFor).accepted()).isTrue();
        write(announcement(OWNER, 1_300, "wss://elsewhere.example", maintainers));
        assertThat(store.find(vouchedFor.id())).as("the owner delisted").isEmpty();

        Event again = announcement(OWNER, 1_400, "wss://relay.example", maintainers);
        write(again);
        assertThat(write(vouchedFor).accepted()).isTrue();
        write(event(5, OWNER, 1_500, Tag.of("e", again.id().hex())));
        assertThat(store.find(vouchedFor.id())).as("the owner deleted").isEmpty();
    }

    @Test
    void whatWaitsIsChargedForWhatItLacksToo() {
        Event event = event(1, STRANGER, 1_000);
        EncodedEvent encoded = new EncodedEvent(event, new byte[100]);
        assertThat(EventWriter.waitingSize(encoded, Set.of("a", "b"))).isEqualTo(300 + 800);
    }

    @Test
    void onlyADelistingThatCountsIsTold() {
        write(announcement(1_000, "wss://relay.example"));

        write(announcement(900, "wss://elsewhere.example"));
        assertThat(delistings).isEmpty();

        write(announcement(1_100, "wss://elsewhere.example"));
        assertThat(delistings).containsExactly(new Delisting(new RepoAddress(OWNER, "repo"), 1_100));
    }

    @Test
    void rule27AnIdThatIsRejectedTwiceIsStillRemembered() {
        Event issue = event(1621, STRANGER, 1_001, Tag.of("a", REPO));
        write(issue);
        write(issue);

        assertThat(writer.isRejected(issue.id())).isTrue();
    }

    @Test
    void anOldUnlistedVersionDoesNotTakeANewerOneOff() {
        Event listed = announcement(1_000, "wss://relay.example");
        write(listed);
        write(announcement(900, "wss://elsewhere.example"));
        assertThat(store.find(listed.id())).isPresent();
    }

    @Test
    void theSameEventAgainIsADuplicate() {
        Event announcement = announcement(1_000, "wss://relay.example");
        write(announcement);
        IngestResult again = write(announcement);
        assertThat(again.accepted()).isTrue();
        assertThat(again.message()).startsWith("duplicate: ");
    }

    private IngestResult write(Event event) {
        List<IngestResult> results = new ArrayList<>();
        byte[] json = ("{\"id\":\"" + event.id().hex() + "\"}").getBytes(UTF_8);
        writer.write(List.of(new Incoming.Verified(
                new Incoming.Arrived(new EncodedEvent(event, json), Provenance.DIRECT), results::add)));
        assertThat(results).hasSize(1);
        return results.getFirst();
    }

    private Event announcement(long createdAt, String relay, Tag... more) {
        return announcement(OWNER, createdAt, relay, more);
    }

    private Event announcement(PublicKey author, long createdAt, String relay, Tag... more) {
        String clone = relay.replace("wss://", "https://") + "/npub1owner/repo.git";
        List<Tag> tags = new ArrayList<>(List.of(more));
        tags.addAll(List.of(Tag.of("d", "repo"), Tag.of("relays", relay), Tag.of("clone", clone)));
        return event(30617, author, createdAt, tags.toArray(Tag[]::new));
    }

    private Event event(int kind, PublicKey author, long createdAt, Tag... tags) {
        EventId id = new EventId(nextId++ * 0x9E3779B97F4A7C15L, 1, 2, 3);
        return new Event(id, author, createdAt, kind, List.of(tags), "", Signature.ofBytes(new byte[64]));
    }
}
