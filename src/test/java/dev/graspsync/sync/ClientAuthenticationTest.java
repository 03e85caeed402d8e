package dev.graspsync.sync;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.graspsync.nostr.Event;
import dev.graspsync.nostr.EventSigner;
import dev.graspsync.nostr.EventVerifier;
import dev.graspsync.nostr.RelayUrl;
import dev.graspsync.nostr.SecretKey;
import dev.graspsync.nostr.Tag;
import dev.graspsync.wire.EventJson;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ClientAuthenticationTest {

    @TempDir
    Path folder;

    @Test
    void theAnswerIsSignedForThisRelayAndThisChallenge() {
        EventSigner signer = EventSigner.best(SecretKey.generate(new SecureRandom()));
        RelayUrl relay = RelayUrl.parse("wss://relay.example/inbox").orElseThrow();

        Event answer =
                new ClientAuthentication(signer).answer(relay, "a \"challenge\"", Instant.ofEpochSecond(1_700_000_000));

        assertThat(answer.kind()).isEqualTo(22242);
        assertThat(answer.pubkey()).isEqualTo(signer.pubkey());
        assertThat(answer.createdAt()).isEqualTo(1_700_000_000);
        assertThat(answer.tags())
                .containsExactly(Tag.of("relay", "wss://relay.example/inbox"), Tag.of("challenge", "a \"challenge\""));
        assertThat(EventJson.idMatches(answer)).isTrue();
        assertThat(EventVerifier.best().verify(answer)).isTrue();
    }

    @Test
    void theKeyIsMadeOnceAndForItsOwnerOnly() throws IOException {
        Path data = folder.resolve("data");
        SecretKey first = KeyFile.readOrCreate(data);

        assertThat(KeyFile.readOrCreate(data)).isEqualTo(first);
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(data.resolve(KeyFile.NAME))))
                .isEqualTo("rw-------");
        try (Stream<Path> files = Files.list(data)) {
            assertThat(files).as("no draft is left behind").hasSize(1);
        }
        assertThat(KeyFile.readOrCreate(folder.resolve("other"))).isNotEqualTo(first);
    }

    @Test
    void aGarbledKeyIsNotReplacedSilently() throws IOException {
        Files.write(folder.resolve(KeyFile.NAME), "not a key".getBytes(US_ASCII));

        assertThatThrownBy(() -> KeyFile.readOrCreate(folder))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("64 hex digits")
                .hasMessageNotContaining("\n");
        assertThat(folder.resolve(KeyFile.NAME)).hasContent("not a key");
    }
}
