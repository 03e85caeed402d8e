package dev.graspsync.store.h2;

import dev.graspsync.nostr.RelayUrl;
import dev.graspsync.store.RelayLedger;
import dev.graspsync.store.StoreFailure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import org.h2.mvstore.DataUtils;
import org.h2.mvstore.MVMap;
import org.h2.mvstore.MVStore;
import org.h2.mvstore.MVStoreException;
import org.h2.mvstore.type.StringDataType;
import org.jboss.logging.Logger;

/**
 * {@link RelayLedger} on a small MVStore file of its own. A value lies under the relay's URL, a line feed, which no URL
 * contains, and the value's name.
 */
public final class H2RelayLedger implements RelayLedger {

    static final String NAME = "relays.mv";

    private static final Logger LOG = Logger.getLogger(H2RelayLedger.class);
    private static final char SEPARATOR = '\n';
    private static final int COMPACT_EVERY = 64;
    private static final int COMPACT_FILL_RATE = 50;
    private static final int COMPACT_BYTES = 1 << 20;

    private final Path path;
    private final MVStore store;
    private final MVMap<String, String> values;
    private int commits;

    private H2RelayLedger(Path path, MVStore store) {
        this.path = path;
        this.store = store;
        this.values = store.openMap(
                "relays",
                new MVMap.Builder<String, String>()
                        .keyType(StringDataType.INSTANCE)
                        .valueType(StringDataType.INSTANCE));
    }

    /**
     * Opens or creates the ledger. A file that cannot be read is moved aside and an empty one begun, because nothing in
     * it was promised to anybody; a folder that cannot be written is a {@link StoreFailure}.
     */
    public static H2RelayLedger open(Path folder) {
        Path path = folder.resolve(NAME);
        try {
            Files.createDirectories(folder);
            try {
                return readable(path);
            } catch (RuntimeException corrupt) {
                // Damaged pages make MVStore throw whatever its decoding stumbles over.
                if (corrupt instanceof MVStoreException locked
                        && locked.getErrorCode() == DataUtils.ERROR_FILE_LOCKED) {
                    throw new StoreFailure(path.toAbsolutePath() + " is in use by another process", corrupt);
                }
                moveAside(path, corrupt);
                return readable(path);
            }
        } catch (IOException | MVStoreException failure) {
            throw new StoreFailure("cannot open " + path.toAbsolutePath() + ": " + failure, failure);
        }
    }

    /** Reads all of it once: what is corrupt shows now rather than in the middle of the work. */
    private static H2RelayLedger readable(Path path) {
        MVStore store = new MVStore.Builder()
                .fileName(path.toString())
                .autoCommitDisabled()
                .cacheSize(1)
                .open();
        try {
            store.setVersionsToKeep(0);
            H2RelayLedger ledger = new H2RelayLedger(path, store);
            ledger.load();
            return ledger;
        } catch (RuntimeException corrupt) {
            store.closeImmediately();
            throw corrupt;
        }
    }

    private static void moveAside(Path path, Exception why) throws IOException {
        if (!Files.isWritable(path)) {
            throw new IOException("it cannot be written by this user", why);
        }
        Path aside = path.resolveSibling(NAME + ".unreadable-" + Instant.now().getEpochSecond());
        for (int i = 2; Files.exists(aside); i++) {
            aside = path.resolveSibling(aside.getFileName() + "-" + i);
        }
        Files.move(path, aside);
        LOG.warnf(
                "What was remembered of other relays cannot be read and is learned again; the old file is %s (%s)",
                aside.toAbsolutePath(), why.getMessage());
    }

    @Override
    public synchronized Map<RelayUrl, Map<String, String>> load() {
        Map<RelayUrl, Map<String, String>> relays = new HashMap<>();
        values.forEach((key, value) -> {
            int end = key.indexOf(SEPARATOR);
            RelayUrl.parse(key.substring(0, Math.max(0, end)))
                    .ifPresent(relay -> relays.computeIfAbsent(relay, first -> new HashMap<>())
                            .put(key.substring(end + 1), value));
        });
        return relays;
    }

    @Override
    public synchronized void save(Map<RelayUrl, Map<String, String>> changed) {
        writing(() -> changed.forEach((relay, named) -> {
            clear(relay);
            named.forEach((name, value) -> values.put(prefix(relay) + name, value));
        }));
    }

    @Override
    public synchronized void remove(RelayUrl relay) {
        writing(() -> clear(relay));
    }

    private void clear(RelayUrl relay) {
        String prefix = prefix(relay);
        List<String> old = new ArrayList<>();
        Iterator<String> keys = values.keyIterator(prefix);
        while (keys.hasNext()) {
            String key = keys.next();
            if (!key.startsWith(prefix)) {
                break;
            }
            old.add(key);
        }
        old.forEach(values::remove);
    }

    private static String prefix(RelayUrl relay) {
        return relay.toString() + SEPARATOR;
    }

    private void writing(Runnable change) {
        try {
            change.run();
            store.commit();
            store.sync();
            if (++commits % COMPACT_EVERY == 0) {
                store.compact(COMPACT_FILL_RATE, COMPACT_BYTES);
            }
        } catch (RuntimeException failure) {
            throw new StoreFailure("cannot write " + path.toAbsolutePath() + ": " + failure.getMessage(), failure);
        }
    }

    @Override
    public synchronized void close() {
        if (!store.isClosed()) {
            store.close();
        }
    }
}
