package dev.graspsync.wire;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.graspsync.TestKeys;
import dev.graspsync.nostr.Event;
import dev.graspsync.nostr.Tag;
import java.security.MessageDigest;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EventJsonTest {

    private static final TestKeys ALICE = TestKeys.ALICE;

    @Test
    void escapesOnlyWhatNip01Names() {
        assertThat(canonicalContent("\n\"\\\r\t\b\f")).isEqualTo("\"\\n\\\"\\\\\\r\\t\\b\\f\"");
        assertThat(canonicalContent("\u0000\u001b\u001f")).isEqualTo("\"\\u0000\\u001b\\u001f\"");
        assertThat(canonicalContent("\u007f/\u2028\u2029\u00e9<>&'")).isEqualTo("\"\u007f/\u2028\u2029\u00e9<>&'\"");
        assertThat(canonicalContent("\ud83e\udd19 ok")).isEqualTo("\"\ud83e\udd19 ok\"");
    }

    private static String canonicalContent(String content) {
        String all = new String(EventJson.canonical(ALICE.pubkey(), 5, 1, List.of(), content), UTF_8);
        String before = "[0,\"" + ALICE.pubkey().hex() + "\",5,1,[],";
        assertThat(all).startsWith(before).endsWith("]");
        return all.substring(before.length(), all.length() - 1);
    }

    @Test
    void canonicalTagsKeepTheirShape() {
        List<Tag> tags = List.of(Tag.of("e", "a\"b"), Tag.of(), Tag.of("x", "", "\u2028"));

        assertThat(new String(EventJson.canonical(ALICE.pubkey(), 0, 65_535, tags, ""), UTF_8))
                .isEqualTo("[0,\"" + ALICE.pubkey().hex()
                        + "\",0,65535,[[\"e\",\"a\\\"b\"],[],[\"x\",\"\",\"\u2028\"]],\"\"]");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "plain",
                "\u0001\u0002\u0003\u0004\u0005",
                "\ud83e\udd19\ud83e\udd19",
                "\u2028\u007f\u00e9\u4e2d"
            })
    void onePassGivesTheSameIdAsTheCanonicalBytes(String content) throws Exception {
        List<Tag> tags = List.of(Tag.of("t", content), Tag.of("d"));
        Event event = ALICE.sign(1, 1_700_000_000, tags, content);
        byte[] canonical = EventJson.canonical(ALICE.pubkey(), 1_700_000_000, 1, tags, content);

        assertThat(event.id().bytes())
                .isEqualTo(MessageDigest.getInstance("SHA-256").digest(canonical));
        assertThat(EventJson.idMatches(event)).isTrue();
        assertThat(EventJson.encodeIfIdMatches(event)).contains(EventJson.encode(event));
    }

    @Test
    void aChangedFieldNoLongerMatchesTheId() {
        Event event = ALICE.sign(1, 1_700_000_000, List.of(), "hello");
        Event changed = new Event(
                event.id(), event.pubkey(), event.createdAt(), event.kind(), event.tags(), "hallo", event.sig());

        assertThat(EventJson.idMatches(changed)).isFalse();
        assertThat(EventJson.encodeIfIdMatches(changed)).isEmpty();
    }

    @Test
    void writesTheFieldsInTheirOrder() {
        Event event = ALICE.sign(1, 7, List.of(Tag.of("t", "x")), "hi");

        assertThat(new String(EventJson.write(event), UTF_8))
                .isEqualTo("{\"id\":\"" + event.id() + "\",\"pubkey\":\"" + event.pubkey()
                        + "\",\"created_at\":7,\"kind\":1,\"tags\":[[\"t\",\"x\"]],\"content\":\"hi\",\"sig\":\""
                        + event.sig() + "\"}");
    }

    @Test
    void loneSurrogatesAreRejected() {
        for (String content : List.of("\ud83e", "\udd19", "a\ud83eb", "\udd19\ud83e")) {
            assertThatThrownBy(() -> EventJson.canonical(ALICE.pubkey(), 0, 1, List.of(), content))
                    .isInstanceOf(IllegalArgumentException.class);
        }
    }
}
