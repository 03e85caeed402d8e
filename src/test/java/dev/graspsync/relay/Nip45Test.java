package dev.graspsync.relay;

import static dev.graspsync.TestKeys.CAROL;
import static org.assertj.core.api.Assertions.assertThat;

import dev.graspsync.nostr.ClientMessage;
import dev.graspsync.nostr.Filter;
import dev.graspsync.nostr.RelayMessage;
import io.quarkus.test.junit.QuarkusTest;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Counting. */
@QuarkusTest
class Nip45Test {

    private final TestRepo repo = new TestRepo();
    private TestClient client;

    @BeforeEach
    void publish() {
        client = new TestClient();
        client.publish(repo.announcement());
        for (int i = 0; i < 3; i++) {
            client.publish(repo.issue(TestRepo.NOON + i));
        }
        client.publish(repo.by(CAROL, 1617, TestRepo.NOON));
    }

    @AfterEach
    void disconnect() {
        client.close();
    }

    private long count(Filter... filters) {
        client.send(new ClientMessage.Count("c", List.of(filters)));
        RelayMessage.Count answer = client.next(RelayMessage.Count.class);
        assertThat(answer.subscriptionId()).isEqualTo("c");
        return answer.count();
    }

    @Test
    void eachEventIsCountedOnceHoweverManyFiltersMatchIt() {
        assertThat(count(repo.filter())).isEqualTo(4);
        assertThat(count(repo.filter().withKinds(1617))).isEqualTo(1);
        assertThat(count(repo.filter(), repo.filter().withKinds(1621))).isEqualTo(4);
        assertThat(count(
                        repo.filter().withAuthors(Set.of(CAROL.pubkey())),
                        repo.filter().withKinds(1621)))
                .isEqualTo(4);
    }

    @Test
    void nothingIsCountedAsZero() {
        assertThat(count(repo.filter().withKinds(1))).isZero();
    }

    @Test
    void aCountOpensNoSubscription() {
        count(repo.filter());
        client.publish(repo.issue(TestRepo.NOON + 10));
        client.assertWorks();
    }
}
