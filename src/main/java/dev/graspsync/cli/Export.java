package dev.graspsync.cli;

import dev.graspsync.relay.RelayConfig;
import dev.graspsync.store.EventStore;
import dev.graspsync.store.StoredEvent;
import dev.graspsync.store.h2.H2EventStore;
import java.io.BufferedOutputStream;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** The store's events, in the order in which they came. */
@Command(
        name = "export",
        mixinStandardHelpOptions = true,
        description = "Writes all events of the store as JSON, one a line. The service must not be running.")
final class Export implements Callable<Integer> {

    private static final int AT_ONCE = 1_000;
    private static final long BYTES_AT_ONCE = 8L << 20;
    private static final int BUFFER = 1 << 16;

    @Mixin
    private final Properties properties = new Properties();

    @Parameters(
            index = "0",
            arity = "0..1",
            paramLabel = "FILE",
            defaultValue = "-",
            description = "Where to; - (the default) is standard output.")
    private String file = "-";

    @Override
    public Integer call() throws IOException {
        CommandLog.begin();
        Path folder =
                Configuration.checked().getConfigMapping(RelayConfig.class).dataDir();
        StoreFolder.requireStore(folder);
        try (Interruption interruption = new Interruption();
                EventStore store = H2EventStore.open(folder, StoreFolder.CACHE_MEGABYTES);
                OutputStream out = open()) {
            Progress progress = new Progress("exported");
            long last = store.lastSeq();
            long count = 0;
            long next = 1;
            while (next <= last && !interruption.isAsked()) {
                List<StoredEvent> events =
                        store.tail(next, AT_ONCE, BYTES_AT_ONCE).events();
                if (events.isEmpty()) {
                    break;
                }
                for (StoredEvent event : events) {
                    out.write(event.json());
                    out.write('\n');
                }
                count += events.size();
                next = events.getLast().seq() + 1;
                progress.at((double) next / Math.max(1, last), count, "");
            }
            out.flush();
            boolean whole = !interruption.isAsked();
            progress.end(whole ? 1 : (double) next / Math.max(1, last), count, whole ? "done" : "interrupted");
            return whole ? ExitCode.OK : ExitCode.INCOMPLETE;
        }
    }

    private OutputStream open() throws IOException {
        // Not System.out: that one swallows a full disk and a closed pipe.
        OutputStream raw =
                file.equals("-") ? new FileOutputStream(FileDescriptor.out) : Files.newOutputStream(Path.of(file));
        return new BufferedOutputStream(raw, BUFFER);
    }
}
