package dev.graspsync.wire;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.graspsync.TestKeys;
import dev.graspsync.nostr.Event;
import dev.graspsync.nostr.NegentropyMessage;
import dev.graspsync.nostr.RelayMessage;
import dev.graspsync.nostr.RelayMessage.Hint;
import java.util.List;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class RelayMessageReaderTest {

    private static final Event EVENT = TestKeys.BOB.sign(1621, 1_700_000_000, List.of(), "an issue");

    static Stream<RelayMessage> messages() {
        return Stream.of(
                new RelayMessage.Event("sub", EVENT),
                new RelayMessage.Eose("sub", Hint.NONE),
                new RelayMessage.Eose("sub", Hint.FINISH),
                new RelayMessage.Eose("sub", Hint.MORE),
                new RelayMessage.Ok(EVENT.id(), true, ""),
                new RelayMessage.Ok(EVENT.id(), false, "blocked: \"no\""),
                new RelayMessage.Closed("sub", "error: \ud83e\udd19"),
                new RelayMessage.Notice("hello"),
                new RelayMessage.Count("sub", 42, false),
                new RelayMessage.Count("sub", 1_000_000, true),
                new RelayMessage.Auth("challenge"),
                new RelayMessage.NegMsg("neg", new NegentropyMessage(new byte[] {0x61})),
                new RelayMessage.NegErr("neg", "closed: too slow", OptionalLong.empty()),
                new RelayMessage.NegErr("neg", "blocked: too many", OptionalLong.of(1_000_000)));
    }

    @ParameterizedTest
    @MethodSource("messages")
    void readsWhatTheWriterWrites(RelayMessage message) {
        assertThat(read(new String(RelayMessageWriter.write(message), UTF_8)))
                .isEqualTo(new ReadResult.Message<>(message));
    }

    @Test
    void hintsAreSpelledAsNip67Does() {
        assertThat(new String(RelayMessageWriter.write(new RelayMessage.Eose("a", Hint.FINISH)), UTF_8))
                .isEqualTo("[\"EOSE\",\"a\",[\"finish\"]]");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "[\"EOSE\",\"a\",[\"finish\",\"new\"],1] | FINISH",
                "[\"EOSE\",\"a\",[\"finish\",\"more\"]] | MORE",
                "[\"EOSE\",\"a\",[1,{}]] | NONE",
                "[\"EOSE\",\"a\",{\"x\":1},2] | NONE",
            })
    void unknownHintsAndElementsAreIgnored(String text, Hint hint) {
        assertThat(read(text)).isEqualTo(new ReadResult.Message<RelayMessage>(new RelayMessage.Eose("a", hint)));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "[\"NEG-ERR\",\"a\"] | ''| -1",
                "[\"NEG-ERR\",\"a\",\"blocked: x\",500,{}] | blocked: x | 500",
                "[\"NEG-ERR\",\"a\",\"blocked: x\",\"500\"] | blocked: x | -1",
                "[\"NEG-ERR\",\"a\",\"blocked: x\",[1],2] | blocked: x | -1",
            })
    void theCapOfANegErrIsOptional(String text, String reason, long cap) {
        OptionalLong expected = cap < 0 ? OptionalLong.empty() : OptionalLong.of(cap);

        assertThat(read(text))
                .isEqualTo(new ReadResult.Message<RelayMessage>(new RelayMessage.NegErr("a", reason, expected)));
    }

    @Test
    void aMissingTextIsEmpty() {
        assertThat(read("[\"OK\",\"" + EVENT.id() + "\",true]"))
                .isEqualTo(new ReadResult.Message<RelayMessage>(new RelayMessage.Ok(EVENT.id(), true, "")));
        assertThat(read("[\"CLOSED\",\"a\"]"))
                .isEqualTo(new ReadResult.Message<RelayMessage>(new RelayMessage.Closed("a", "")));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "[\"OK\",\"a\",true,\"\"] | event id is not 64 lower-case hex digits",
                "[\"COUNT\",\"a\",{}] | missing count",
                "[\"EVENT\",\"a\"] | event is not an object",
                "[\"NEG-MSG\",\"a\",\"6\"] | negentropy message is not hex",
                "[\"NEG-ERR\",\"a\",1] | reason is not a string",
                "[\"NEG-OPEN\",\"a\",{},\"61\"] | unknown message type NEG-OPEN",
            })
    void saysWhatIsWrong(String text, String reason) {
        assertThat(read(text))
                .isInstanceOfSatisfying(
                        ReadResult.Malformed.class,
                        refusal -> assertThat(refusal.reason()).isEqualTo(reason));
    }

    private static ReadResult<RelayMessage> read(String text) {
        byte[] bytes = text.getBytes(UTF_8);
        return RelayMessageReader.read(bytes, 0, bytes.length);
    }
}
