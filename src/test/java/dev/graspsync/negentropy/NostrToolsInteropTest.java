package dev.graspsync.negentropy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Sessions with nostr-tools on the other side, which is once the client and once the server. */
@Timeout(value = 10, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class NostrToolsInteropTest {

    private static final Pattern ID = Pattern.compile("\"([0-9a-f]{64})\"");

    /** @param ours what only we have */
    record Sets(String name, List<Item> shared, List<Item> ours, List<Item> theirs, int frameLimit) {

        @Override
        public String toString() {
            return name + ", frames of " + frameLimit;
        }
    }

    static Stream<Sets> sets() {
        Random random = new Random(77);
        return Stream.of(0, 4_096, 60_000)
                .flatMap(limit -> Stream.of(
                        new Sets("identical", items(random, 10_000), List.of(), List.of(), limit),
                        new Sets("disjoint", List.of(), items(random, 3_000), items(random, 4_000), limit),
                        new Sets("ours empty", List.of(), List.of(), items(random, 4_000), limit),
                        new Sets("theirs empty", List.of(), items(random, 4_000), List.of(), limit),
                        new Sets(
                                "1 % of 100,000 each way",
                                items(random, 99_000), items(random, 1_000), items(random, 1_000), limit)));
    }

    @BeforeAll
    static void installNostrTools() throws Exception {
        assumeTrue(
                NodePeer.isInstalled("node") && NodePeer.isInstalled("npm"),
                "node and npm are not installed: interop with nostr-tools was not tested");
        assertThat(NodePeer.install()).as("exit value of npm ci").isZero();
    }

    @ParameterizedTest
    @MethodSource("sets")
    void weLearnBothDifferencesFromTheirServer(Sets sets) throws Exception {
        NegentropyClient client = new NegentropyClient(ours(sets), sets.frameLimit(), 1_000_000);
        try (NodePeer server = new NodePeer("server", sets.frameLimit(), theirs(sets))) {
            Exchange exchange = Exchange.run(client, server::answer);

            assertThat(exchange.have()).containsExactlyInAnyOrderElementsOf(hex(sets.ours()));
            assertThat(exchange.need()).containsExactlyInAnyOrderElementsOf(hex(sets.theirs()));
            assertThat(exchange.largestUp()).isLessThanOrEqualTo(most(sets));
        }
    }

    @ParameterizedTest
    @MethodSource("sets")
    void theirClientLearnsBothDifferencesFromUs(Sets sets) throws Exception {
        NegentropyServer server = new NegentropyServer(ours(sets), sets.frameLimit());
        try (NodePeer client = new NodePeer("client", sets.frameLimit(), theirs(sets))) {
            String line = client.readLine();
            while (!line.startsWith("{")) {
                byte[] reply = Exchange.reply(server, HexFormat.of().parseHex(line));
                assertThat(reply.length).isLessThanOrEqualTo(most(sets));
                client.write(reply);
                line = client.readLine();
            }
            // Theirs may tell an id twice where a message was full.
            int middle = line.indexOf("\"need\"");
            assertThat(ids(line.substring(0, middle))).isEqualTo(hex(sets.theirs()));
            assertThat(ids(line.substring(middle))).isEqualTo(hex(sets.ours()));
        }
    }

    private static int most(Sets sets) {
        return sets.frameLimit() == 0 ? Integer.MAX_VALUE : sets.frameLimit();
    }

    private static SealedSet ours(Sets sets) {
        List<Item> all = new ArrayList<>(sets.shared());
        all.addAll(sets.ours());
        return Item.seal(all);
    }

    private static List<Item> theirs(Sets sets) {
        List<Item> all = new ArrayList<>(sets.shared());
        all.addAll(sets.theirs());
        return all;
    }

    private static Set<String> hex(List<Item> items) {
        Set<String> hex = new HashSet<>();
        items.forEach(item -> hex.add(item.hex()));
        return hex;
    }

    private static Set<String> ids(String json) {
        Set<String> ids = new HashSet<>();
        Matcher matcher = ID.matcher(json);
        while (matcher.find()) {
            ids.add(matcher.group(1));
        }
        return ids;
    }

    /** Times as of real events: nostr-tools' numbers end at 31 bits. */
    private static List<Item> items(Random random, int count) {
        List<Item> items = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            items.add(Item.random(random, 1_700_000_000, 2_000_000));
        }
        return items;
    }
}
