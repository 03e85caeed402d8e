package dev.graspsync.cli;

import java.nio.file.Files;
import java.nio.file.Path;

/** The data folder, for commands that use it while the service does not. */
final class StoreFolder {

    static final int CACHE_MEGABYTES = 16;

    private StoreFolder() {}

    /** A misspelt folder must not look like an empty store. */
    static void requireStore(Path folder) {
        if (!Files.exists(folder.resolve("events.mv"))) {
            throw new IllegalStateException(
                    "there is no store in " + folder.toAbsolutePath() + ": set grasp.data-dir to the service's folder");
        }
    }
}
