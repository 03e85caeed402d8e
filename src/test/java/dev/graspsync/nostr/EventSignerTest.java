package dev.graspsync.nostr;

import static org.assertj.core.api.Assertions.assertThat;

import dev.graspsync.TestKeys;
import java.security.SecureRandom;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class EventSignerTest {

    static Stream<Function<SecretKey, EventSigner>> both() {
        return Stream.of(key -> Secp256k1Signer.load(key).orElseThrow(), BouncyCastleSigner::new);
    }

    @ParameterizedTest(name = "vector {0}")
    @CsvFileSource(resources = "/bip340-vectors.csv", numLinesToSkip = 1)
    void bothDeriveThePublicKeysOfBip340(int index, String secret, String pubkey) {
        if (secret == null) {
            // A vector for verifying only.
            assertThat(index).isGreaterThan(3);
            return;
        }
        SecretKey key = SecretKey.parse(secret).orElseThrow();
        assertThat(both())
                .allSatisfy(signer ->
                        assertThat(signer.apply(key).pubkey().hex()).isEqualTo(pubkey.toLowerCase(Locale.ROOT)));
    }

    @ParameterizedTest
    @MethodSource("both")
    void bothVerifiersAcceptWhatItSigns(Function<SecretKey, EventSigner> kind) {
        SecureRandom random = new SecureRandom();
        for (int i = 0; i < 20; i++) {
            EventSigner signer = kind.apply(SecretKey.generate(random));
            EventId id = TestKeys.ALICE.sign(1, i, List.of(), "").id();
            Signature signature = signer.sign(id);

            assertThat(EventVerifierTest.both())
                    .allSatisfy(verifier -> assertThat(verifier.verify(id, signer.pubkey(), signature))
                            .isTrue());
            assertThat(signer.sign(id)).as("fresh randomness").isNotEqualTo(signature);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "00",
                "0000000000000000000000000000000000000000000000000000000000000000",
                "fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141",
                "ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
                "nsec1qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqq",
            })
    void refusesWhatIsNoSecretKey(String hex) {
        assertThat(SecretKey.parse(hex)).isEmpty();
    }

    @Test
    void aSecretKeyDoesNotShowItself() {
        SecretKey key = SecretKey.generate(new SecureRandom());

        assertThat(key.toString()).doesNotContain(key.hex());
        assertThat(SecretKey.parse(key.hex())).contains(key);
    }
}
