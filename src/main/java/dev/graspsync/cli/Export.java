package dev.graspsync.cli;

import dev.graspsync.nostr.Event;
import dev.graspsync.relay.RelayConfig;
import dev.graspsync.store.EventStore;
import dev.graspsync.store.StoredEvent;
import dev.graspsync.store.h2.H2EventStore;
import dev.graspsync.wire.EventJson;
import java.io.BufferedOutputStream;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
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
                FileOutputStream raw = open();
                OutputStream out = new BufferedOutputStream(raw, BUFFER)) {
            Progress progress = new Progress("exported");
            long last = store.lastSeq();
            long count = 0;
            long damaged = 0;
            long next = 1;
            while (next <= last && !interruption.isAsked()) {
                List<StoredEvent> events =
                        store.tail(next, AT_ONCE, BYTES_AT_ONCE).events();
                if (events.isEmpty()) {
                    break;
                }
                for (StoredEvent event : events) {
                    if (isItself(event)) {
                        out.write(event.json());
                        out.write('\n');
                        count++;
                    } else {
                        damaged++;
                        System.err.println("event " + event.id() + " is damaged in the store, and left out");
                    }
                }
                next = events.getLast().seq() + 1;
                progress.at((double) next / Math.max(1, last), count, "");
            }
            out.flush();
            if (!isStandardOutput()) {
                raw.getFD().sync();
            }
            boolean whole = !interruption.isAsked();
            progress.end(whole ? 1 : (double) next / Math.max(1, last), count, whole ? "done" : "interrupted");
            return whole && damaged == 0 ? ExitCode.OK : ExitCode.INCOMPLETE;
        }
    }

    /** A backup that has a wrong event in it would be found out when it is needed. */
    private static boolean isItself(StoredEvent stored) {
        try {
            Event event = EventJson.read(stored.json());
            return event.id().equals(stored.id()) && EventJson.id(event).equals(stored.id());
        } catch (IllegalArgumentException | IllegalStateException unreadable) {
            return false;
        }
    }

    private boolean isStandardOutput() {
        return file.equals("-");
    }

    private FileOutputStream open() throws IOException {
        // Not System.out: that one swallows a full disk and a closed pipe.
        return isStandardOutput() ? new FileOutputStream(FileDescriptor.out) : new FileOutputStream(file);
    }
}
