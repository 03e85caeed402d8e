package dev.graspsync.sync;

import static dev.graspsync.TestKeys.ALICE;
import static dev.graspsync.TestKeys.BOB;
import static dev.graspsync.TestKeys.CAROL;
import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasItem;
import static org.hamcrest.Matchers.not;

import dev.graspsync.TestKeys;
import dev.graspsync.nostr.Event;
import dev.graspsync.nostr.EventId;
import dev.graspsync.nostr.Pasted;
import dev.graspsync.nostr.Signature;
import dev.graspsync.nostr.Tag;
import dev.graspsync.process.Corpus;
import dev.graspsync.process.Load;
import dev.graspsync.process.ServiceProcess;
import io.restassured.RestAssured;
import io.restassured.response.ValidatableResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** "Why is my issue not here?", for every answer there is, with events and relays that make it so. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(value = 4, unit = TimeUnit.MINUTES)
class ExplainIT {

    private static final long NOW = Instant.now().getEpochSecond();
    private static final int CAP = 100;

    @TempDir
    static Path folder;

    private final int port = ServiceProcess.freePort();
    private final String dead = "ws://127.0.0.1:" + ServiceProcess.freePort();
    private final String repo = "explained";
    private final List<Event> served = new ArrayList<>();
    private RawRelay good;
    private RawRelay refusing;
    private RawRelay capping;
    private ServiceProcess service;

    @BeforeAll
    void start() throws Exception {
        good = new RawRelay((client, request) -> ScriptedRelays.good(served).run(client, request));
        refusing = new RawRelay(ScriptedRelays.closesEverything());
        List<Event> dense = new ArrayList<>();
        for (int i = 0; i < 3 * CAP; i++) {
            dense.add(BOB.sign(1621, NOW - 1_000, List.of(Tag.of("a", address(repo)), Tag.of("n", "" + i)), ""));
        }
        capping = new RawRelay(ScriptedRelays.capping(dense, CAP));
        served.add(BOB.sign(1621, NOW - 100_000, List.of(Tag.of("a", address(repo))), "from the good relay"));
        // The live subscription asks for one that is stored: this one, not the older.
        served.add(BOB.sign(1621, NOW - 50_000, List.of(Tag.of("a", address(repo))), "newer, from the good relay"));
        service = ServiceProcess.startAt(
                port,
                folder.resolve("service"),
                "-Dgrasp.sync.allow-private-targets=true",
                "-Dgrasp.sync.batch-window=200ms",
                "-Dgrasp.sync.backoff.base=500ms",
                "-Dgrasp.sync.backoff.max=2s");
        publish(announcement(repo, true));
        // Each relay has come to what it is here for.
        awaitRelay(good.url().toString(), "phase", "synced");
        awaitRelay(dead, "health", "degraded");
        awaitRelay(refusing.url().toString(), "phase", "waiting");
        awaitRelay(capping.url().toString(), "phase", "waiting");
    }

    @AfterAll
    void stop() throws Exception {
        service.close();
        good.close();
        refusing.close();
        capping.close();
    }

    // What is here -------------------------------------------------------------------------------------------------

    @Test
    void whatWasPublishedHereIsHere() throws Exception {
        Event issue = publish(issue(repo, "direct"));

        explain(issue)
                .body("here", equalTo(true))
                .body("verdict", equalTo("here"))
                .body("type", equalTo("event"))
                .body("summary", containsString("issue is here"))
                .body("summary", containsString("was published here directly"))
                .body("provenance.way", equalTo("direct"))
                .body("repository", equalTo(address(repo)))
                .body("event.kindName", equalTo("issue"));
        get("/api/events/" + issue.id())
                .statusCode(200)
                .body("event.content", equalTo("direct"))
                .body("event.id", equalTo(issue.id().hex()))
                .body("provenance.way", equalTo("direct"));
    }

    @Test
    void whatCameFromARelaySaysFromWhichAndHow() {
        explain(served.getFirst())
                .body("verdict", equalTo("here"))
                .body("provenance.way", equalTo("first_sync"))
                .body("provenance.relay", equalTo(good.url().toString()))
                .body("summary", containsString("was found at " + good.url()));
    }

    @Test
    void aRepositoryAndAnAuthorThatAreHere() {
        explain(address(repo)).body("verdict", equalTo("here")).body("type", equalTo("address"));
        explain(npub(ALICE))
                .body("verdict", equalTo("here"))
                .body("type", equalTo("author"))
                .body("details", hasItem(containsString(address(repo))));
    }

    // What was here ------------------------------------------------------------------------------------------------

    @Test
    void whatItsAuthorDeleted() throws Exception {
        Event issue = publish(issue(repo, "to be deleted"));
        Event deletion = publish(BOB.sign(5, NOW, List.of(Tag.of("e", issue.id().hex())), ""));

        explain(issue)
                .body("here", equalTo(false))
                .body("verdict", equalTo("deleted"))
                .body("summary", containsString("its author deleted it"))
                .body("details", hasItem(containsString(deletion.id().hex())))
                .body("event.kindName", equalTo("issue"));
    }

    @Test
    void whatWasDeletedBeforeItCouldCome() throws Exception {
        Event issue = issue(repo, "deleted elsewhere");
        Event deletion =
                publish(BOB.sign(5, NOW, List.of(Tag.of("e", issue.id().hex()), Tag.of("a", address(repo))), ""));

        explain(nevent(issue, List.of()))
                .body("verdict", equalTo("deleted"))
                .body("details", hasItem(containsString(deletion.id().hex())))
                .body("repository", equalTo(address(repo)));
        explain(issue)
                .body("verdict", equalTo("never-offered"))
                .body("details", hasItem(containsString("if that is its author")))
                .body(relay(dead) + ".verdict", equalTo("unreachable"));
        refused(issue);
        explain(issue).body("verdict", equalTo("deleted")).body("event.kindName", equalTo("issue"));
    }

    @Test
    void aRepositoryThatItsOwnerDeleted() throws Exception {
        String name = name();
        publish(announcement(name, true));
        Event deletion = publish(ALICE.sign(5, NOW + 1, List.of(Tag.of("a", address(name))), ""));

        explain(address(name))
                .body("verdict", equalTo("deleted"))
                .body("details", hasItem(containsString(deletion.id().hex())));
    }

    @Test
    void whatANewerVersionReplaced() throws Exception {
        String name = name();
        Event old = publish(announcement(name, true, NOW - 10));
        Event newer = publish(announcement(name, true, NOW));
        Event older = announcement(name, true, NOW - 20);
        publish(older);

        explain(old)
                .body("verdict", equalTo("superseded"))
                .body("details", hasItem(containsString(newer.id().hex())));
        explain(older)
                .body("verdict", equalTo("superseded"))
                .body("summary", containsString("a newer version was here already"));
        explain(address(name))
                .body("verdict", equalTo("here"))
                .body("id", equalTo(newer.id().hex()));
    }

    @Test
    void whatHasExpired() throws Exception {
        long soon = Instant.now().getEpochSecond() + 2;
        Event issue = publish(issue(repo, "short-lived", Tag.of("expiration", "" + soon)));
        Event late = issue(repo, "too late", Tag.of("expiration", "" + (NOW - 5)));
        refused(late);

        Awaitility.await()
                .atMost(Duration.ofSeconds(30))
                .untilAsserted(() -> explain(issue).body("verdict", equalTo("expired")));
        explain(late).body("verdict", equalTo("expired")).body("summary", containsString("expiry time had passed"));
    }

    @Test
    void whoseAuthorVanished() throws Exception {
        TestKeys leaver = TestKeys.named("leaver " + UUID.randomUUID());
        Event issue = publish(leaver.sign(1621, NOW - 5, List.of(Tag.of("a", address(repo))), "gone"));
        Event request = publish(leaver.sign(62, NOW, List.of(Tag.of("relay", "ALL_RELAYS")), ""));
        Event another = leaver.sign(1621, NOW - 4, List.of(Tag.of("a", address(repo))), "gone, too");
        refused(another);

        explain(nevent(issue, List.of()))
                .body("verdict", equalTo("vanished"))
                .body("details", hasItem(containsString(request.id().hex())));
        explain(another).body("verdict", equalTo("vanished"));
        explain(npub(leaver)).body("verdict", equalTo("vanished"));
    }

    // What was never taken -----------------------------------------------------------------------------------------

    @Test
    void anAnnouncementThatDoesNotNameThisService() throws Exception {
        String name = name();
        Event announcement = announcement(name, false);
        refused(announcement);

        explain(announcement)
                .body("verdict", equalTo("refused"))
                .body("summary", containsString("published here directly"))
                .body("summary", containsString("the announcement must list 127.0.0.1:" + port));
        explain(address(name))
                .body("verdict", equalTo("not-hosted"))
                .body("summary", containsString("is known, but does not name 127.0.0.1:" + port));
    }

    @Test
    void aRepositoryThatItsOwnerTookOff() throws Exception {
        String name = name();
        Event old = publish(announcement(name, true, NOW - 10));
        Event off = announcement(name, false, NOW);
        refused(off);

        explain(address(name))
                .body("verdict", equalTo("not-hosted"))
                .body("summary", containsString("no longer names"))
                .body("details", hasItem(containsString(off.id().hex())));
        explain(off).body("verdict", equalTo("refused")).body("summary", containsString("took the repository off"));
        explain(old).body("verdict", equalTo("superseded"));
    }

    @Test
    void anIssueOfARepositoryThatIsNotHostedHere() throws Exception {
        Event issue = issue("elsewhere", "not ours");
        refused(issue);

        explain(issue)
                .body("verdict", equalTo("not-hosted"))
                .body("summary", containsString("the repository elsewhere, which is not hosted here"))
                .body("repository", equalTo(address("elsewhere")));
        explain(address("elsewhere"))
                .body("verdict", equalTo("not-hosted"))
                .body("summary", containsString("no announcement of it"));
    }

    @Test
    void aCommentThatWaitsForItsRoot() throws Exception {
        Event root = issue(repo, "comes later");
        Event comment = BOB.sign(1111, NOW, List.of(Tag.of("E", root.id().hex())), "first!");
        refused(comment);

        explain(comment)
                .body("verdict", equalTo("waiting"))
                .body("summary", containsString("waits for what it refers to"))
                .body("details", hasItem(containsString(root.id() + ": nobody has offered it")));
        publish(root);
        explain(comment).body("verdict", equalTo("here"));
    }

    /** Anybody may ask for the deletion of anything. */
    @Test
    void whatAStrangerWantsDeletedIsNotSaidToBeDeleted() throws Exception {
        Event issue = issue(repo, "deleted by a stranger");
        Event request = publish(TestKeys.named("stranger")
                .sign(5, NOW, List.of(Tag.of("e", issue.id().hex()), Tag.of("a", address(repo))), ""));

        explain(nevent(issue, List.of()))
                .body("verdict", equalTo("never-offered"))
                .body("details", not(hasItem(containsString(request.id().hex()))));
        explain(issue)
                .body("verdict", equalTo("never-offered"))
                .body("details", hasItem(containsString(request.id().hex())));
    }

    @Test
    void whatIsForgedOrProtected() throws Exception {
        Event genuine = issue(repo, "genuine");
        refused(new Event(
                genuine.id(),
                genuine.pubkey(),
                genuine.createdAt(),
                genuine.kind(),
                genuine.tags(),
                genuine.content(),
                Signature.ofBytes(new byte[64])));
        Event ofItsAuthor = issue(repo, "protected", Tag.of("-"));
        refused(ofItsAuthor);

        explain(genuine).body("verdict", equalTo("refused")).body("summary", containsString("not genuine"));
        explain(ofItsAuthor).body("verdict", equalTo("refused"));
        publish(genuine);
        explain(genuine).body("verdict", equalTo("here"));
    }

    @Test
    void whatNobodyOfferedSaysOfEachRelayHowItWasSearched() {
        explain(new EventId(1, 2, 3, 4).hex())
                .body("verdict", equalTo("never-offered"))
                .body("summary", containsString("of the 4 relays it may be at 3 could not be searched completely"))
                .body(relay(dead) + ".verdict", equalTo("unreachable"))
                .body(relay(dead) + ".text", containsString("connection refused"))
                .body(relay(dead) + ".text", containsString("It was never reached"))
                .body(relay(refusing) + ".verdict", equalTo("refused"))
                .body(relay(refusing) + ".text", containsString("you are not wanted here"))
                .body(relay(capping) + ".verdict", equalTo("capped"))
                .body(relay(capping) + ".text", containsString("more than it hands out"))
                .body(relay(good) + ".verdict", equalTo("searched"))
                .body(relay(good) + ".state", equalTo("connected"));
    }

    @Test
    void hintsSayAtWhichRelaysItMayBe() {
        Event unseen = issue("of another", "never offered");
        explain(nevent(unseen, List.of(dead, "wss://stranger.example")))
                .body("verdict", equalTo("never-offered"))
                .body("relays.size()", equalTo(2))
                .body("relays[0].url", equalTo(dead))
                .body("relays[1].verdict", equalTo("not-asked"))
                .body("relays[1].text", containsString("does not read it"));
        Event owners = ALICE.sign(1, NOW, List.of(), "by an owner of a repository here");
        explain(nevent(owners, List.of()))
                .body("relays.size()", equalTo(4))
                .body("pubkey", equalTo(ALICE.pubkey().hex()));
        explain(npub(CAROL)).body("verdict", equalTo("never-offered")).body("type", equalTo("author"));
    }

    @Test
    void whatMayBeAtARelayThatIsStillRead() throws Exception {
        RawRelay slow = new RawRelay(ScriptedRelays.neverEnds());
        try (ServiceProcess reading = ServiceProcess.start(
                folder.resolve("reading"),
                "reading.example",
                "-Dgrasp.sync.allow-private-targets=true",
                "-Dgrasp.sync.bootstrap-relays=" + slow.url())) {
            Awaitility.await("the relay is connected")
                    .atMost(Duration.ofSeconds(30))
                    .untilAsserted(() -> explainAt(reading.port(), new EventId(1, 2, 3, 4).hex())
                            .body("verdict", equalTo("never-offered"))
                            .body(relay(slow) + ".verdict", equalTo("searching"))
                            .body(relay(slow) + ".text", containsString("So far 0 of ")));
        } finally {
            slow.close();
        }
    }

    @Test
    void nothingCanBeSaidBeforeTheOwnRelayIsRead() throws Exception {
        try (ServiceProcess beginning = ServiceProcess.start(
                folder.resolve("beginning"), "beginning.example", "-Dgrasp.own-relay.url=" + dead)) {
            explainAt(beginning.port(), new EventId(1, 2, 3, 4).hex()).body("verdict", equalTo("unknown"));
        }
    }

    @Test
    void refusalsAreRememberedAcrossARestart() throws Exception {
        Event issue = issue("of another service", "refused before the restart");
        refused(issue);
        int other = ServiceProcess.freePort();
        String[] quiet = {"-Dgrasp.sync.enabled=false"};
        try (ServiceProcess restarted = ServiceProcess.startAt(other, folder.resolve("restarted"), quiet)) {
            assertThat(Load.publish(other, List.of(Corpus.Item.of(issue, false)), 1))
                    .isZero();
            restarted.stop();
            restarted.startAgain();
            explainAt(other, issue.id().hex()).body("verdict", equalTo("not-hosted"));
            explainAt(other, new EventId(4, 3, 2, 1).hex())
                    .body("verdict", equalTo("never-offered"))
                    .body("details", hasItem(containsString("reads no other relays")));
        }
    }

    // ---------------------------------------------------------------------------------------------------------------

    private static String name() {
        return "repo-" + UUID.randomUUID();
    }

    private static String address(String name) {
        return "30617:" + ALICE.pubkey().hex() + ":" + name;
    }

    private Event announcement(String name, boolean listed) {
        return announcement(name, listed, NOW);
    }

    private Event announcement(String name, boolean listed, long at) {
        String domain = listed ? "127.0.0.1:" + port : "elsewhere.example";
        List<String> relays = new ArrayList<>(List.of("relays", "ws://" + domain));
        if (name.equals(repo)) {
            relays.addAll(List.of(
                    dead,
                    good.url().toString(),
                    refusing.url().toString(),
                    capping.url().toString()));
        }
        return ALICE.sign(
                30617,
                at,
                List.of(
                        Tag.of("d", name),
                        Tag.of(relays.toArray(String[]::new)),
                        Tag.of("clone", "http://" + domain + "/npub1alice/" + name + ".git")),
                "");
    }

    private static Event issue(String name, String content, Tag... more) {
        List<Tag> tags = new ArrayList<>(List.of(more));
        tags.addFirst(Tag.of("a", address(name)));
        return BOB.sign(1621, NOW, tags, content);
    }

    private Event publish(Event event) throws Exception {
        assertThat(Load.publish(port, List.of(Corpus.Item.of(event, true)), 1))
                .as("accepted: %s", event)
                .isEqualTo(1);
        return event;
    }

    private void refused(Event event) throws Exception {
        assertThat(Load.publish(port, List.of(Corpus.Item.of(event, false)), 1))
                .as("accepted: %s", event)
                .isZero();
    }

    private void awaitRelay(String url, String field, String value) {
        Awaitility.await(field + " of " + url)
                .atMost(Duration.ofMinutes(1))
                .pollInterval(Duration.ofMillis(200))
                .untilAsserted(() ->
                        get("/api/relays").body("relays.find { it.url == '" + url + "' }." + field, equalTo(value)));
    }

    private ValidatableResponse explain(Event event) {
        return explain(event.id().hex());
    }

    private ValidatableResponse explain(String id) {
        return explainAt(port, id);
    }

    private static ValidatableResponse explainAt(int port, String id) {
        return RestAssured.given()
                .queryParam("id", id)
                .get("http://127.0.0.1:" + port + "/api/explain")
                .then()
                .statusCode(200);
    }

    private ValidatableResponse get(String path) {
        return RestAssured.get("http://127.0.0.1:" + port + path).then();
    }

    private static String relay(RawRelay relay) {
        return relay(relay.url().toString());
    }

    private static String relay(String url) {
        return "relays.find { it.url == '" + url + "' }";
    }

    private static String npub(TestKeys author) {
        return Pasted.npub(author.pubkey());
    }

    private static String nevent(Event event, List<String> relays) {
        return Pasted.nevent(event.id(), event.pubkey(), relays);
    }
}
