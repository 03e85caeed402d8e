package dev.graspsync.wire;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.graspsync.TestKeys;
import dev.graspsync.nostr.ClientMessage;
import dev.graspsync.nostr.Event;
import dev.graspsync.nostr.EventText;
import dev.graspsync.nostr.Filter;
import dev.graspsync.nostr.NegentropyMessage;
import dev.graspsync.nostr.Tag;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class ClientMessageReaderTest {

    private static final Event EVENT = TestKeys.ALICE.sign(
            1, 1_700_000_000, List.of(Tag.of("t", "\u2028\u007f"), Tag.of()), "\u0001 \"hi\" \ud83e\udd19 \u00e9");
    private static final Filter FILTER = Filter.ALL
            .withIds(Set.of(EVENT.id()))
            .withAuthors(Set.of(EVENT.pubkey()))
            .withKinds(1, 30_617)
            .withTag("e", Set.of("x", "y\"z"))
            .withTag("A", Set.of())
            .withSince(0)
            .withUntil(1L << 40)
            .withLimit(0);

    static Stream<ClientMessage> messages() {
        return Stream.of(
                new ClientMessage.Event(EVENT),
                new ClientMessage.Auth(EVENT),
                new ClientMessage.Close("s\u00fcb"),
                new ClientMessage.Req("sub", List.of(FILTER, Filter.ALL)),
                new ClientMessage.Count("sub", List.of(Filter.ALL.withLimit(5))),
                new ClientMessage.NegOpen("neg", FILTER, new NegentropyMessage(new byte[] {0x61, 0, -1})),
                new ClientMessage.NegMsg("neg", new NegentropyMessage(new byte[0])),
                new ClientMessage.NegClose("neg"));
    }

    @ParameterizedTest
    @MethodSource("messages")
    void readsWhatTheWriterWrites(ClientMessage message) {
        byte[] text = ClientMessageWriter.write(message);

        assertThat(ClientMessageReader.read(text, 0, text.length)).isEqualTo(new ReadResult.Message<>(message));
    }

    @Test
    void readsASliceOfABuffer() {
        byte[] text = "xx[\"CLOSE\",\"a\"]]".getBytes(UTF_8);

        assertThat(ClientMessageReader.read(text, 2, text.length - 3))
                .isEqualTo(new ReadResult.Message<ClientMessage>(new ClientMessage.Close("a")));
    }

    @Test
    void negentropyMessagesAreReadInBothCasesAndWrittenInLowerCase() {
        byte[] upper = "[\"NEG-MSG\",\"a\",\"61FFaB\"]".getBytes(UTF_8);
        ClientMessage message =
                new ClientMessage.NegMsg("a", new NegentropyMessage(new byte[] {0x61, -1, (byte) 0xab}));

        assertThat(ClientMessageReader.read(upper, 0, upper.length)).isEqualTo(new ReadResult.Message<>(message));
        assertThat(new String(ClientMessageWriter.write(message), UTF_8)).isEqualTo("[\"NEG-MSG\",\"a\",\"61ffab\"]");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{} | not a JSON array",
                "[] | message type is not a string",
                "[1] | message type is not a string",
                "[\"HELLO\"] | unknown message type HELLO",
                "[\"CLOSE\"] | subscription id is not a string",
                "[\"CLOSE\",\"\"] | subscription id has not 1 to 64 characters",
                "[\"CLOSE\",\"a\",1] | too many elements",
                "[\"CLOSE\",\"a\"] x | not valid JSON",
                "[\"CLOSE\",\"a\"][] | text after the message",
                "[\"CLOSE\",\"a\" | not valid JSON",
                "[\"CLOSE\",\"\\ud83e\"] | subscription id contains a lone surrogate",
                "[\"REQ\",\"a\"] | no filter",
                "[\"REQ\",\"a\",1] | filter is not an object",
                "[\"REQ\",\"a\",{\"search\":\"x\"}] | unsupported filter field search",
                "[\"REQ\",\"a\",{\"#ab\":[]}] | unsupported filter field #ab",
                "[\"REQ\",\"a\",{\"#1\":[]}] | unsupported filter field #1",
                "[\"REQ\",\"a\",{\"#e\":\"x\"}] | #e is not an array",
                "[\"REQ\",\"a\",{\"#e\":[1]}] | #e is not a string",
                "[\"REQ\",\"a\",{\"ids\":[\"abc\"]}] | ids must be 64 lower-case hex digits each",
                "[\"REQ\",\"a\",{\"authors\":[null]}] | authors is not a string",
                "[\"REQ\",\"a\",{\"kinds\":[\"1\"]}] | kinds is not an integer",
                "[\"REQ\",\"a\",{\"kinds\":[65536]}] | kinds is not between 0 and 65535",
                "[\"REQ\",\"a\",{\"limit\":1.0}] | limit is not an integer",
                "[\"REQ\",\"a\",{\"limit\":1e3}] | limit is not an integer",
                "[\"REQ\",\"a\",{\"since\":-1}] | since is not between 0 and 9223372036854775807",
                "[\"REQ\",\"a\",{\"since\":-0}] | since is not between 0 and 9223372036854775807",
                "[\"REQ\",\"a\",{\"limit\":1,\"limit\":1}] | duplicate filter field limit",
                "[\"NEG-OPEN\",\"a\",\"61\"] | filter is not an object",
                "[\"NEG-OPEN\",\"a\",{}] | negentropy message is not a string",
                "[\"NEG-OPEN\",\"a\",{},\"61\",1] | too many elements",
                "[\"NEG-OPEN\",\"a\",[{}],\"61\"] | filter is not an object",
                "[\"NEG-MSG\",\"a\",\"6\"] | negentropy message is not hex",
                "[\"NEG-MSG\",\"a\",\"6g\"] | negentropy message is not hex",
                "[\"NEG-MSG\",\"a\",61] | negentropy message is not a string",
                "[\"NEG-MSG\",\"a\"] | negentropy message is not a string",
                "[\"NEG-CLOSE\"] | subscription id is not a string",
                "[\"EVENT\",[]] | event is not an object",
                "[\"EVENT\",{}] | `missing id, pubkey, created_at, kind, tags, content, sig`",
                "[\"EVENT\",{\"x\":[[[[[[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]]]]]]}] | not valid JSON",
            })
    void saysWhatIsWrong(String text, String reason) {
        assertThat(malformed(text).reason()).isEqualTo(reason);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "1700000000 | 1.7e9 | created_at is not an integer",
                "1700000000 | \"5\" | created_at is not an integer",
                "1700000000 | -5 | created_at is not between 0 and 9007199254740992",
                "1700000000 | 9007199254740993 | created_at is not between 0 and 9007199254740992",
                "1700000000 | 99999999999999999999 | created_at is not between 0 and 9007199254740992",
                "\"kind\":1, | \"kind\":1.0, | kind is not an integer",
                "\"kind\":1, | \"kind\":65536, | kind is not between 0 and 65535",
                "\"kind\":1, | \"kind\":1,\"kind\":1, | duplicate field kind",
                "\"kind\":1, | \"kinds\":1, | missing kind",
                "\"tags\":[ | \"tags\":[1, | a tag is not an array",
                "\"tags\":[ | \"tags\":[[null], | a tag's element is not a string",
                "\"content\":\" | \"content\":\"\\udd19 | content contains a lone surrogate",
                "\"sig\":\" | \"sig\":\"A | sig is not 128 lower-case hex digits",
                "\"pubkey\":\" | \"pubkey\":\"00 | pubkey is not 64 lower-case hex digits",
            })
    void refusalsOfEventsNameTheirId(String part, String instead, String reason) {
        String good = new String(ClientMessageWriter.write(new ClientMessage.Event(EVENT)), UTF_8);
        assertThat(good).contains(part);

        var refusal = malformed(good.replace(part, instead));

        assertThat(refusal.reason()).isEqualTo(reason);
        assertThat(refusal.eventId()).contains(EVENT.id());
    }

    @Test
    void refusalsOfQueriesNameTheirSubscription() {
        assertThat(malformed("[\"REQ\",\"mine\",{\"x\":1}]").subscriptionId()).contains("mine");
    }

    @Test
    void refusalsOfComparisonsNameTheirSessionAndNoSubscription() {
        var refusal = malformed("[\"NEG-OPEN\",\"mine\",{\"x\":1},\"61\"]");

        assertThat(refusal.negentropyId()).contains("mine");
        assertThat(refusal.subscriptionId()).isEmpty();
    }

    @Test
    void unknownEventFieldsAreIgnored() {
        String good = new String(ClientMessageWriter.write(new ClientMessage.Event(EVENT)), UTF_8);
        byte[] more = good.replace("\"kind\":1,", "\"kind\":1,\"seen\":{\"a\":[1.5,null]},")
                .getBytes(UTF_8);

        assertThat(ClientMessageReader.read(more, 0, more.length))
                .isEqualTo(new ReadResult.Message<ClientMessage>(new ClientMessage.Event(EVENT)));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\u00c0\u0080",
                "\u00c1\u00bf",
                "\u00e0\u0080\u00af",
                "\u00f0\u0080\u0080\u00af",
                "\u00ed\u00a0\u0080",
                "\u00ed\u00bf\u00bf",
                "\u00f4\u0090\u0080\u0080",
                "\u00f8\u0088\u0080\u0080\u0080",
                "\u00e2\u0082",
                "\u0080",
                "\u00ff",
            })
    void badUtf8IsRejected(String bytes) {
        byte[] text = ("[\"CLOSE\",\"" + bytes + "\"]").getBytes(ISO_8859_1);

        assertThat(ClientMessageReader.read(text, 0, text.length))
                .isInstanceOfSatisfying(
                        ReadResult.Malformed.class,
                        refusal -> assertThat(refusal.reason()).isEqualTo("not valid UTF-8"));
    }

    @Test
    void otherEncodingsAreRejected() {
        for (String charset : List.of("UTF-16", "UTF-16LE", "UTF-16BE", "UTF-32LE", "UTF-32BE")) {
            byte[] text = "[\"CLOSE\",\"a\"]".getBytes(java.nio.charset.Charset.forName(charset));
            assertThat(ClientMessageReader.read(text, 0, text.length)).isInstanceOf(ReadResult.Malformed.class);
        }
    }

    @Test
    void eventsAreReadTheSameByTheShortWayAndTheLong() {
        Random random = new Random(341);
        List<Event> events = List.of(
                EVENT,
                TestKeys.BOB.sign(1, 0, List.of(), ""),
                TestKeys.BOB.sign(
                        65_535,
                        1L << 49,
                        List.of(Tag.of(), Tag.of("e", "", "ü\t\"\\\n\u0001"), Tag.of("漢", "🚀")),
                        "/\b\f\r\u007f"));
        int compact = 0;
        int written = 0;
        for (int round = 0; round < 60_000; round++) {
            Event event = events.get(random.nextInt(events.size()));
            String text = new String(ClientMessageWriter.write(new ClientMessage.Event(event)), UTF_8);
            if (random.nextBoolean()) {
                text = text.replace("🚀", "\\ud83d\\ude80").replace("],[", "], [");
            }
            if (random.nextBoolean()) {
                text = text.replace("/", "\\/");
            }
            byte[] bytes = text.getBytes(UTF_8);
            for (int change = random.nextInt(4); change > 0; change--) {
                int at = random.nextInt(bytes.length);
                switch (random.nextInt(3)) {
                    case 0 -> bytes[at] = (byte) random.nextInt();
                    case 1 -> bytes[at] = (byte) "[]{}\",:\\ntu0-.e ".charAt(random.nextInt(16));
                    default -> bytes = Arrays.copyOf(bytes, Math.max(1, at));
                }
            }
            byte[] relay = new String(bytes, ISO_8859_1)
                    .replace("[\"EVENT\",", "[\"EVENT\",\"s\",")
                    .getBytes(ISO_8859_1);
            Event read = CompactEvent.read(bytes, Math.min(9, bytes.length), bytes.length);
            if (read != null) {
                compact++;
                written += read.text() == null ? 0 : 1;
                assertThatItsTextIsWhatWouldBeWritten(read);
            }
            assertThat(ClientMessageReader.read(bytes, 0, bytes.length))
                    .as(text)
                    .isEqualTo(ClientMessageReader.readAny(bytes, 0, bytes.length));
            assertThat(RelayMessageReader.read(relay, 0, relay.length))
                    .as(text)
                    .isEqualTo(RelayMessageReader.readAny(relay, 0, relay.length));
        }
        assertThat(compact).isGreaterThan(5_000);
        assertThat(written).isGreaterThan(5_000).isLessThan(compact);
    }

    private static void assertThatItsTextIsWhatWouldBeWritten(Event event) {
        EventText text = event.text();
        if (text == null) {
            return;
        }
        assertThat(EventJson.read(text.json())).isEqualTo(event);
        String canonical = new String(
                EventJson.canonical(event.pubkey(), event.createdAt(), event.kind(), event.tags(), event.content()),
                UTF_8);
        assertThat(canonical).endsWith("," + part(text, text.tags()) + "," + part(text, text.content()) + "]");
    }

    private static String part(EventText text, EventText.Range range) {
        return new String(text.message(), range.from(), range.length(), UTF_8);
    }

    @Test
    void noBytesMakeAReaderThrow() {
        Random random = new Random(340);
        List<byte[]> seeds = messages().map(ClientMessageWriter::write).toList();
        for (int round = 0; round < 50_000; round++) {
            byte[] text = seeds.get(random.nextInt(seeds.size())).clone();
            for (int change = random.nextInt(1, 6); change > 0; change--) {
                text[random.nextInt(text.length)] = random.nextBoolean()
                        ? (byte) random.nextInt()
                        : (byte) "[]{}\",:\\u0-.e ".charAt(random.nextInt(14));
            }
            int off = random.nextInt(3);
            int len = random.nextInt(8) == 0 ? random.nextInt(text.length - off) : text.length - off;
            assertThat(ClientMessageReader.read(text, off, len)).isNotNull();
            assertThat(ClientMessageReader.read(text, 0, text.length)).isNotNull();
            assertThat(RelayMessageReader.read(text, 0, text.length)).isNotNull();
        }
        for (int round = 0; round < 20_000; round++) {
            byte[] noise = new byte[random.nextInt(64)];
            random.nextBytes(noise);
            assertThat(ClientMessageReader.read(noise, 0, noise.length)).isInstanceOf(ReadResult.Malformed.class);
            assertThat(RelayMessageReader.read(noise, 0, noise.length)).isInstanceOf(ReadResult.Malformed.class);
        }
    }

    private static ReadResult.Malformed<ClientMessage> malformed(String text) {
        byte[] bytes = text.getBytes(UTF_8);
        return switch (ClientMessageReader.read(bytes, 0, bytes.length)) {
            case ReadResult.Malformed<ClientMessage> refusal -> refusal;
            case ReadResult.Message<ClientMessage> read -> throw new AssertionError("was read as " + read);
        };
    }
}
