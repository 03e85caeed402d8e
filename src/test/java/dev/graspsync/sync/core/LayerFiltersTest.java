package dev.graspsync.sync.core;

import static dev.graspsync.sync.core.EngineScenario.id;
import static org.assertj.core.api.Assertions.assertThat;

import dev.graspsync.nostr.ClientMessage;
import dev.graspsync.nostr.Filter;
import dev.graspsync.nostr.PublicKey;
import dev.graspsync.nostr.RepoAddress;
import dev.graspsync.wire.ClientMessageWriter;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Rule 14: what is asked for is packed into filters and REQs that a relay takes. */
class LayerFiltersTest {

    private static final RelayBudget USUAL = RelayBudget.initial(100);
    private static final RelayBudget SMALL = new RelayBudget(3, 3, 7, RelayBudget.LEAST_BYTES, false, 20, 0);

    private static List<Item> items(int identifierLength) {
        Stream<Item> repos = IntStream.range(0, 40)
                .mapToObj(i -> new Item.Repo(
                        new RepoAddress(new PublicKey(i, 1, 2, 3), i + "-" + "x".repeat(identifierLength))));
        Stream<Item> roots = IntStream.range(0, 250).mapToObj(i -> new Item.Root(id(i)));
        Stream<Item> named = IntStream.range(0, 130).mapToObj(i -> new Item.Named(new Reference.ById(id(1_000 + i))));
        return Stream.of(repos, roots, named).flatMap(all -> all).toList();
    }

    private static int bytes(List<Filter> req) {
        return ClientMessageWriter.write(new ClientMessage.Req("gs-h1000000", req)).length;
    }

    private static List<String> values(List<Filter> filters, String tag) {
        List<String> values = new ArrayList<>();
        filters.forEach(filter -> values.addAll(filter.tags().getOrDefault(tag, Set.of())));
        return values;
    }

    @Test
    void rule14NoFilterHasMoreValuesThanTheRelayTakes() {
        List<Filter> filters = new LayerFilters(SMALL, Filter.ALL).of(items(10));

        assertThat(filters).allSatisfy(filter -> {
            assertThat(filter.tags().values())
                    .allSatisfy(values -> assertThat(values).hasSizeLessThanOrEqualTo(7));
            assertThat(filter.ids().map(Set::size).orElse(0)).isLessThanOrEqualTo(7);
        });
        assertThat(values(filters, "e")).hasSize(250).doesNotHaveDuplicates();
        assertThat(values(filters, "a")).hasSize(40).doesNotHaveDuplicates();
    }

    @Test
    void rule14NoReqHasMoreFiltersThanTheRelayTakesAndNoneIsLeftOut() {
        LayerFilters layers = new LayerFilters(SMALL, Filter.ALL);
        List<Filter> filters = layers.of(items(10));

        List<List<Filter>> reqs = layers.pack(filters);

        assertThat(reqs).allSatisfy(req -> assertThat(req).hasSizeBetween(1, 3));
        assertThat(reqs.stream().flatMap(List::stream)).containsExactlyElementsOf(filters);
    }

    @Test
    void rule14NoReqIsLongerThanTheRelayTakesHoweverLongTheNames() {
        for (RelayBudget budget : List.of(SMALL, SMALL.withValues(100), USUAL)) {
            for (int length : new int[] {0, 100, 450}) {
                LayerFilters layers = new LayerFilters(budget, Filter.ALL.withLimit(500));
                List<List<Filter>> reqs = layers.pack(layers.of(items(length)));

                assertThat(reqs).allSatisfy(req -> assertThat(bytes(req)).isLessThanOrEqualTo(budget.bytes()));
            }
        }
    }

    @Test
    void rule14AsFewReqsAsThatTakes() {
        LayerFilters layers = new LayerFilters(USUAL, Filter.ALL);
        List<Filter> filters = layers.of(items(10));

        assertThat(filters).hasSize(3 + 3 * 3 + 2);
        assertThat(layers.pack(filters)).hasSize(2);
        assertThat(new LinkedHashSet<>(filters)).hasSize(filters.size());
    }
}
