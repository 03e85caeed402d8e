package dev.graspsync.cli;

import dev.graspsync.relay.Relay;
import dev.graspsync.relay.RelayConfig;
import dev.graspsync.relay.Strictness;
import dev.graspsync.store.Provenance.Way;
import io.vertx.core.Vertx;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/**
 * Events from a file into the store, by the same way as those of clients. The file may be in any order: what was refused
 * for want of something that comes later is offered again, until a pass stores nothing more.
 */
@Command(
        name = "import",
        mixinStandardHelpOptions = true,
        description = "Reads events, one JSON object a line, verifies them, and stores those the acceptance policy"
                + " takes. The service must not be running.")
final class Import implements Callable<Integer> {

    private static final int LONGEST_LINE = 16 << 20;

    @Mixin
    private final Properties properties = new Properties();

    @Option(
            names = "--all",
            description = "Store every event that verifies, whatever grasp.acceptance says: to restore an export.")
    private boolean all;

    @Parameters(index = "0", paramLabel = "FILE", description = "Where from; - is standard input.")
    private String file = "-";

    @Spec
    private @Nullable CommandSpec spec;

    @Override
    public Integer call() throws Exception {
        CommandLog.begin();
        if (all) {
            System.setProperty("grasp.acceptance", "archive");
        }
        RelayConfig config = Configuration.checked().getConfigMapping(RelayConfig.class);
        Relay.check(config);
        ImportTally tally =
                new ImportTally(Objects.requireNonNull(spec).commandLine().getErr());
        Vertx vertx = QuietVertx.create();
        try (Interruption interruption = new Interruption();
                InputStream in = file.equals("-") ? System.in : Files.newInputStream(Path.of(file))) {
            Work work = new Work(vertx, config, tally, interruption);
            work.firstPass(in, file.equals("-") ? 0 : Files.size(Path.of(file)));
            tally.print(spec.commandLine().getOut(), work.stored);
            return !interruption.isAsked() && tally.isWhole() ? ExitCode.OK : ExitCode.INCOMPLETE;
        } finally {
            vertx.close();
        }
    }

    /** The passes over the file and over what is left of it. */
    private final class Work {

        private final Vertx vertx;
        private final RelayConfig config;
        private final ImportTally tally;
        private final Interruption interruption;
        private final Progress progress = new Progress("imported");
        private long stored;

        Work(Vertx vertx, RelayConfig config, ImportTally tally, Interruption interruption) {
            this.vertx = vertx;
            this.config = config;
            this.tally = tally;
            this.interruption = interruption;
        }

        void firstPass(InputStream in, long size) throws Exception {
            Relay relay = Relay.withoutEndpoint(config, vertx, all ? Strictness.HOWEVER_OLD : Strictness.AS_CONFIGURED);
            Spool left = Spool.in(config.dataDir());
            try {
                ImportPass pass = new ImportPass(relay.ingest(), tally, left);
                JsonLines lines = new JsonLines(in, LONGEST_LINE);
                while (!interruption.isAsked() && lines.next()) {
                    byte[] json = lines.text();
                    if (lines.isTooLong()) {
                        tally.bad(lines.number(), "longer than " + LONGEST_LINE + " bytes");
                    } else if (json.length > 0) {
                        pass.offer(lines.number(), json);
                    }
                    progress.at(size > 0 ? (double) lines.bytes() / size : -1, lines.number(), "");
                }
                pass.await();
                left = whileItHelps(relay, left);
            } finally {
                stored += relay.ingest().counters().storedCount(Way.DIRECT);
                relay.close();
            }
            lastPass(left);
            progress.end(
                    interruption.isAsked() ? -1 : 1, tally.accepted(), interruption.isAsked() ? "interrupted" : "done");
        }

        private Spool whileItHelps(Relay relay, Spool first) throws Exception {
            Spool left = first;
            long before = -1;
            while (!left.isEmpty() && before != tally.accepted() && !interruption.isAsked()) {
                before = tally.accepted();
                Spool next = Spool.in(config.dataDir());
                offerAgain(left, new ImportPass(relay.ingest(), tally, next));
                left = next;
            }
            return left;
        }

        /** What is left is refused for good, or taken for no reason but that it is wanted. */
        private void lastPass(Spool left) throws Exception {
            Relay relay = Relay.withoutEndpoint(config, vertx, all ? Strictness.RESTORING : Strictness.AS_CONFIGURED);
            try {
                offerAgain(left, new ImportPass(relay.ingest(), tally, null));
            } finally {
                stored += relay.ingest().counters().storedCount(Way.DIRECT);
                relay.close();
            }
        }

        private void offerAgain(Spool spool, ImportPass pass) throws Exception {
            try (spool;
                    InputStream in = spool.read()) {
                JsonLines lines = new JsonLines(in, LONGEST_LINE + 32);
                while (!interruption.isAsked() && lines.next()) {
                    Spool.Line line = Spool.line(lines.text());
                    pass.offer(line.number(), line.json());
                }
                pass.await();
            }
        }
    }
}
