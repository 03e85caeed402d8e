package dev.graspsync.nostr;

import static org.assertj.core.api.Assertions.assertThat;

import dev.graspsync.TestKeys;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;
import org.junit.jupiter.params.provider.MethodSource;

class EventVerifierTest {

    static Stream<EventVerifier> both() {
        return Stream.of(Secp256k1Verifier.load().orElseThrow(), new BouncyCastleVerifier());
    }

    @ParameterizedTest(name = "vector {0}: {7}")
    @CsvFileSource(resources = "/bip340-vectors.csv", numLinesToSkip = 1)
    void bothAgreeWithTheVectorsOfBip340(
            int index, String secret, String key, String aux, String message, String sig, boolean valid, String why) {
        EventId id = EventId.ofHex(message.toLowerCase(Locale.ROOT));
        PublicKey pubkey = PublicKey.ofHex(key.toLowerCase(Locale.ROOT));
        Signature signature = Signature.parse(sig.toLowerCase(Locale.ROOT)).orElseThrow();

        assertThat(both())
                .allSatisfy(verifier ->
                        assertThat(verifier.verify(id, pubkey, signature)).isEqualTo(valid));
    }

    @ParameterizedTest
    @MethodSource("both")
    void acceptsASignedEventAndNoOther(EventVerifier verifier) {
        Event event = TestKeys.ALICE.sign(1, 1_700_000_000, List.of(), "hello");

        assertThat(verifier.verify(event)).isTrue();
        assertThat(verifier.verify(event.id(), TestKeys.BOB.pubkey(), event.sig()))
                .isFalse();
    }

    @Test
    void theNativeLibraryIsPreferred() {
        assertThat(EventVerifier.best().implementation()).contains("libsecp256k1");
    }
}
