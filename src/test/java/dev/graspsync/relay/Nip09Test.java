package dev.graspsync.relay;

import static dev.graspsync.TestKeys.ALICE;
import static dev.graspsync.TestKeys.BOB;
import static dev.graspsync.TestKeys.CAROL;
import static org.assertj.core.api.Assertions.assertThat;

import dev.graspsync.TestKeys;
import dev.graspsync.nostr.ClientMessage;
import dev.graspsync.nostr.Event;
import dev.graspsync.nostr.Filter;
import dev.graspsync.nostr.Tag;
import io.quarkus.test.junit.QuarkusTest;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Deletion requests: obeyed, kept and served. */
@QuarkusTest
class Nip09Test {

    private final TestRepo repo = new TestRepo();
    private final Event issue = repo.issue(TestRepo.NOON);
    private TestClient client;

    @BeforeEach
    void publish() {
        client = new TestClient();
        client.publish(repo.announcement());
        client.publish(issue);
    }

    @AfterEach
    void disconnect() {
        client.close();
    }

    private static Event deletion(TestKeys author, long at, Tag what) {
        return author.sign(5, at, List.of(what), "");
    }

    @Test
    void whatItsAuthorDeletesIsGoneAndDoesNotComeBack() {
        Event deletion = deletion(BOB, TestRepo.NOON + 1, Tag.of("e", issue.id().hex()));
        assertThat(client.publish(deletion).accepted()).isTrue();
        assertThat(client.stored("s", repo.filter())).isEmpty();
        assertThat(client.publish(issue).message()).startsWith("blocked: ");
        assertThat(client.stored("s", repo.filter())).isEmpty();
    }

    @Test
    void theDeletionIsServed() {
        Event deletion = deletion(BOB, TestRepo.NOON + 1, Tag.of("e", issue.id().hex()));
        client.publish(deletion);
        assertThat(client.stored("s", Filter.ALL.withIds(Set.of(deletion.id()))))
                .containsExactly(deletion.id());
    }

    @Test
    void nobodyDeletesWhatIsNotTheirs() {
        client.publish(deletion(CAROL, TestRepo.NOON + 1, Tag.of("e", issue.id().hex())));
        assertThat(client.stored("s", repo.filter())).containsExactly(issue.id());
    }

    @Test
    void anAddressIsDeletedUpToTheTimeOfTheDeletion() {
        Event before = repo.by(BOB, 30_818, TestRepo.NOON, Tag.of("d", repo.identifier()));
        Event after = repo.by(BOB, 30_818, TestRepo.NOON + 20, Tag.of("d", repo.identifier()));
        client.publish(before);
        client.publish(deletion(
                BOB, TestRepo.NOON + 10, Tag.of("a", "30818:" + BOB.pubkey().hex() + ":" + repo.identifier())));
        Filter wiki = repo.filter().withKinds(30_818);
        assertThat(client.stored("s", wiki)).isEmpty();
        client.send(new ClientMessage.Close("s"));
        assertThat(client.publish(after).accepted()).isTrue();
        assertThat(client.stored("s", wiki)).containsExactly(after.id());
    }

    @Test
    void aDeletedAnnouncementIsGone() {
        client.publish(deletion(ALICE, TestRepo.NOON + 1, Tag.of("a", repo.address())));
        assertThat(client.stored("s", Filter.ALL.withTag("d", Set.of(repo.identifier()))))
                .isEmpty();
    }
}
