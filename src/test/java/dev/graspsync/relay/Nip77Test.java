package dev.graspsync.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.graspsync.TestKeys;
import dev.graspsync.negentropy.ClientStep;
import dev.graspsync.negentropy.NegentropyClient;
import dev.graspsync.negentropy.SealedSet;
import dev.graspsync.nostr.ClientMessage;
import dev.graspsync.nostr.Event;
import dev.graspsync.nostr.EventId;
import dev.graspsync.nostr.Filter;
import dev.graspsync.nostr.NegentropyMessage;
import dev.graspsync.nostr.RelayMessage;
import dev.graspsync.nostr.Tag;
import io.quarkus.test.junit.DisabledOnIntegrationTest;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.enterprise.inject.spi.CDI;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Set reconciliation over a real WebSocket. */
@QuarkusTest
class Nip77Test {

    private static final int ISSUES = 300;

    private TestClient client;
    private final List<Event> issues = new ArrayList<>();
    private Filter filter = Filter.ALL;

    private record Difference(Set<EventId> have, Set<EventId> need) {}

    @BeforeEach
    void connectToARelayWithIssues() {
        client = new TestClient();
        TestRepo repo = new TestRepo();
        client.publish(repo.announcement());
        for (int i = 0; i < ISSUES; i++) {
            Event issue = repo.issue(TestRepo.NOON + i / 3, Tag.of("t", String.valueOf(i)));
            issues.add(issue);
            assertThat(client.publish(issue).accepted()).isTrue();
        }
        filter = repo.filter();
    }

    @AfterEach
    void disconnect() {
        client.close();
    }

    private static SealedSet setOf(List<Event> events) {
        SealedSet.Builder set = SealedSet.builder(events.size());
        events.forEach(event -> {
            EventId id = event.id();
            set.add(event.createdAt(), id.a(), id.b(), id.c(), id.d());
        });
        return set.seal();
    }

    private Difference compare(List<Event> own) {
        NegentropyClient negentropy = new NegentropyClient(setOf(own), 0, 1_000_000);
        Set<EventId> have = new HashSet<>();
        Set<EventId> need = new HashSet<>();
        client.send(new ClientMessage.NegOpen("neg", filter, new NegentropyMessage(negentropy.initiate())));
        while (true) {
            RelayMessage.NegMsg answer = client.next(RelayMessage.NegMsg.class);
            assertThat(answer.sessionId()).isEqualTo("neg");
            switch (negentropy.reconcile(answer.message().bytes())) {
                case ClientStep.Continue(var more, var lacking, byte[] message) -> {
                    have.addAll(more.map(EventId::new));
                    need.addAll(lacking.map(EventId::new));
                    client.send(new ClientMessage.NegMsg("neg", new NegentropyMessage(message)));
                }
                case ClientStep.Done(var more, var lacking) -> {
                    have.addAll(more.map(EventId::new));
                    need.addAll(lacking.map(EventId::new));
                    client.send(new ClientMessage.NegClose("neg"));
                    return new Difference(have, need);
                }
                case ClientStep.Failed(var failure) -> throw new AssertionError(failure);
            }
        }
    }

    @Test
    void equalSetsHaveNoDifference() {
        assertThat(compare(issues)).isEqualTo(new Difference(Set.of(), Set.of()));
    }

    @Test
    void theDifferenceIsFoundInBothDirections() {
        List<Event> own = new ArrayList<>(issues.subList(0, ISSUES - 7));
        Event unknown = TestKeys.BOB.sign(1621, TestRepo.NOON + 50, List.of(), "not published");
        own.add(unknown);

        Difference difference = compare(own);

        assertThat(difference.have()).containsExactly(unknown.id());
        assertThat(difference.need())
                .containsExactlyInAnyOrderElementsOf(issues.subList(ISSUES - 7, ISSUES).stream()
                        .map(Event::id)
                        .toList());
    }

    @Test
    void whoHasNothingNeedsEverything() {
        assertThat(compare(List.of()).need()).hasSize(ISSUES);
    }

    @Test
    void aSecondOpeningOfTheSameNameReplacesTheFirst() {
        client.send(new ClientMessage.NegOpen(
                "neg",
                Filter.ALL.withKinds(4),
                new NegentropyMessage(new NegentropyClient(setOf(List.of()), 0, 10).initiate())));
        client.next(RelayMessage.NegMsg.class);

        assertThat(compare(List.of()).need()).hasSize(ISSUES);
    }

    @Test
    void sessionsAndSubscriptionsDoNotShareNames() {
        assertThat(client.stored("neg", filter)).hasSize(ISSUES);
        assertThat(compare(issues)).isEqualTo(new Difference(Set.of(), Set.of()));
        client.assertWorks();
    }

    @ParameterizedTest
    @ValueSource(strings = {"61ff", "6100000287ffffff7f", "61000003", "6100"})
    void aHostileMessageIsRefusedAndTheConnectionGoesOn(String hex) {
        client.send(new ClientMessage.NegOpen(
                "neg", filter, new NegentropyMessage(HexFormat.of().parseHex(hex))));

        RelayMessage.NegErr refusal = client.next(RelayMessage.NegErr.class);
        assertThat(refusal.sessionId()).isEqualTo("neg");
        assertThat(refusal.reason()).startsWith("invalid: ");
        client.assertWorks();
    }

    @Test
    void aMessageForNoSessionIsRefused() {
        client.send(new ClientMessage.NegMsg("neg", new NegentropyMessage(new byte[] {0x61})));

        assertThat(client.next(RelayMessage.NegErr.class).reason()).startsWith("closed: ");
    }

    @Test
    void aMalformedMessageIsRefusedWithItsSession() {
        client.sendText("[\"NEG-OPEN\",\"neg\",{},\"6\"]");

        RelayMessage.NegErr refusal = client.next(RelayMessage.NegErr.class);
        assertThat(refusal.sessionId()).isEqualTo("neg");
        assertThat(refusal.reason()).isEqualTo("invalid: negentropy message is not hex");
    }

    @Test
    void tooManySessionsAreRefused() {
        byte[] opening = new NegentropyClient(setOf(List.of()), 0, 10).initiate();
        for (int i = 0; i < 16; i++) {
            client.send(new ClientMessage.NegOpen("neg" + i, filter, new NegentropyMessage(opening)));
            client.next(RelayMessage.NegMsg.class);
        }
        client.send(new ClientMessage.NegOpen("one more", filter, new NegentropyMessage(opening)));

        assertThat(client.next(RelayMessage.NegErr.class).reason()).startsWith("rate-limited: ");
    }

    @Test
    @DisabledOnIntegrationTest("looks into the process")
    void aClosedConnectionFreesItsSessions() {
        Relay relay = CDI.current().select(Relay.class).get();
        byte[] opening = new NegentropyClient(setOf(List.of()), 0, 10).initiate();
        client.send(new ClientMessage.NegOpen("neg", filter, new NegentropyMessage(opening)));
        client.next(RelayMessage.NegMsg.class);
        assertThat(relay.negentropyRoom().taken()).isPositive();

        client.close();

        await().until(() -> relay.negentropyRoom().taken() == 0);
    }
}
