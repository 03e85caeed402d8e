package dev.graspsync.store.h2;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.graspsync.store.StoreFailure;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.function.Consumer;
import org.h2.mvstore.MVMap;
import org.h2.mvstore.MVStore;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StoreFormatTest {

    private static final long FORMAT = 1;

    @TempDir
    Path folder;

    @BeforeEach
    void createAStore() {
        H2EventStore.open(folder, 4).close();
    }

    private void changeMeta(Consumer<MVMap<Long, byte[]>> change) {
        try (MVStore file = MVStore.open(folder.resolve(StoreFile.STORE).toString())) {
            change.accept(file.openMap("meta", Maps.longToBytes()));
            file.commit();
        }
    }

    private void assertRefuses(String reason) {
        assertThatThrownBy(() -> H2EventStore.open(folder, 4))
                .isInstanceOf(StoreFailure.class)
                .hasMessageContaining(reason)
                .message()
                .doesNotContain("\n");
    }

    @Test
    void aStoreOfThisFormatOpensAgain() {
        try (H2EventStore store = H2EventStore.open(folder, 4)) {
            assertThat(store.lastSeq()).isZero();
        }
    }

    @Test
    void aStoreOfALaterFormatIsRefusedAndLeftAsItIs() {
        changeMeta(meta ->
                meta.put(FORMAT, ByteBuffer.allocate(Long.BYTES).putLong(7).array()));
        assertRefuses("has format 7 and this version reads format 3");
        assertRefuses("has format 7 and this version reads format 3");
    }

    @Test
    void aStoreWithoutAFormatIsRefused() {
        changeMeta(meta -> meta.remove(FORMAT));
        assertRefuses("has format 0 and this version reads format 3");
    }
}
