package dev.graspsync.negentropy;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

class IdSetTest {

    @Test
    void anIdIsNewOnce() {
        Random random = new Random(9);
        IdSet set = new IdSet();
        Set<String> expected = new HashSet<>();
        for (int i = 0; i < 50_000; i++) {
            // Few different words, so that many ids share most of theirs.
            long[] id = {random.nextInt(8), random.nextInt(8), random.nextInt(8), random.nextInt(8)};
            assertThat(set.add(id, 0)).isEqualTo(expected.add(Item.hex(id[0], id[1], id[2], id[3])));
        }
        assertThat(set.size()).isEqualTo(expected.size());
    }
}
