package dev.graspsync.cli;

import dev.graspsync.nostr.Prefix;
import dev.graspsync.nostr.RelayUrl;
import dev.graspsync.relay.IngestCounters;
import dev.graspsync.relay.Relay;
import dev.graspsync.relay.RelayConfig;
import dev.graspsync.relay.Strictness;
import dev.graspsync.sync.CatchUp;
import dev.graspsync.sync.SyncConfig;
import io.smallrye.config.SmallRyeConfig;
import io.vertx.core.Vertx;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** One relay, synced from once, with the engine of the service. */
@Command(
        name = "sync",
        mixinStandardHelpOptions = true,
        description = "Brings home what one relay has, and ends: into the store of the data folder, or with --to into"
                + " another relay. The service must not be running on that data folder.")
final class Sync implements Callable<Integer> {

    private static final Duration LOOK = Duration.ofMillis(250);
    private static final int MOST_FAILURES = 3;
    /** These follow faster, and take a quarter of a minute together. */
    private static final int MOST_FAILURES_OF_TARGET = 5;

    @Mixin
    private final Properties properties = new Properties();

    @Option(names = "--once", description = "Ends when all is here; the only way there is, and the default.")
    private boolean once = true;

    @Option(names = "--from", required = true, paramLabel = "URL", description = "The relay to sync from.")
    private String from = "";

    @Option(
            names = "--to",
            paramLabel = "URL",
            description = "The relay to publish to. The announcements must name it, unless grasp.domain is set.")
    private @Nullable String to;

    @Option(
            names = "--all",
            description = "Take all repositories, whether or not their announcements name this service.")
    private boolean all;

    @Option(
            names = "--patience",
            paramLabel = "SECONDS",
            defaultValue = "120",
            description = "Give up after so long without any progress (default: ${DEFAULT-VALUE}).")
    private int patience = 120;

    @Spec
    private @Nullable CommandSpec spec;

    @Override
    public Integer call() throws Exception {
        CommandLog.begin();
        RelayUrl source = relay("--from", from);
        Optional<RelayUrl> target = Optional.ofNullable(to).map(url -> relay("--to", url));
        // One relay is asked, whichever the service would ask, and also where the service asks none.
        System.setProperty("grasp.sync.bootstrap-relays", "");
        System.setProperty("grasp.sync.enabled", "true");
        if (all) {
            System.setProperty("grasp.acceptance", "archive");
        }
        try (Interruption interruption = new Interruption();
                Workspace workspace = Workspace.of(target)) {
            SmallRyeConfig config = Configuration.checked();
            RelayConfig relayConfig = config.getConfigMapping(RelayConfig.class);
            Relay.check(relayConfig);
            Vertx vertx = QuietVertx.create();
            Relay relay = Relay.withoutEndpoint(relayConfig, vertx, Strictness.AS_CONFIGURED);
            try (CatchUp catchUp =
                    CatchUp.begin(config.getConfigMapping(SyncConfig.class), relay, vertx, source, target)) {
                CatchUp.State end = run(catchUp, interruption);
                return report(end, relay, source, interruption);
            } finally {
                relay.close();
                vertx.close();
            }
        }
    }

    private static RelayUrl relay(String option, String url) {
        return RelayUrl.parse(url)
                .orElseThrow(() -> new UsageFailure(
                        option + ": \"" + Setting.withoutUserInfo(url) + "\" is not a ws:// or wss:// URL"));
    }

    /** Until it is complete, or nothing has moved for too long. */
    private CatchUp.State run(CatchUp catchUp, Interruption interruption) throws InterruptedException {
        Progress progress = new Progress("synced");
        CatchUp.State state = catchUp.turn();
        long moved = System.nanoTime();
        while (!state.complete() && !interruption.isAsked() && !isGone(state)) {
            Thread.sleep(LOOK);
            CatchUp.State before = state;
            state = catchUp.turn();
            if (hasMoved(before, state)) {
                moved = System.nanoTime();
            } else if (System.nanoTime() - moved > Duration.ofSeconds(patience).toNanos()) {
                break;
            }
            progress.at(share(state), state.received(), details(state));
        }
        progress.end(state.complete() ? 1 : share(state), state.received(), details(state));
        return state;
    }

    private static boolean isGone(CatchUp.State state) {
        return state.failures() >= MOST_FAILURES
                || state.target().filter(Sync::isGone).isPresent();
    }

    private static boolean isGone(CatchUp.Target target) {
        return target.failures() >= MOST_FAILURES_OF_TARGET;
    }

    private static boolean hasMoved(CatchUp.State before, CatchUp.State now) {
        return now.received() != before.received()
                || now.confirmed() != before.confirmed()
                || now.stored() != before.stored()
                || now.unpublished() < before.unpublished();
    }

    /** What is wanted grows while repositories are found, so that this may go back. */
    private static double share(CatchUp.State state) {
        return state.items() == 0 ? -1 : (double) state.confirmed() / state.items();
    }

    private static String details(CatchUp.State state) {
        return String.format(Locale.ROOT, "%,d stored", state.stored())
                + (state.unpublished() > 0
                        ? String.format(Locale.ROOT, ", %,d to be published", state.unpublished())
                        : "");
    }

    private int report(CatchUp.State end, Relay relay, RelayUrl source, Interruption interruption) {
        PrintWriter out = Objects.requireNonNull(spec).commandLine().getOut();
        PrintWriter err = spec.commandLine().getErr();
        IngestCounters counters = relay.ingest().counters();
        long refused =
                Arrays.stream(Prefix.values()).mapToLong(counters::refusedCount).sum();
        out.printf(
                Locale.ROOT,
                "%,d events received, %,d stored, %,d known already, %,d refused by the acceptance policy%n",
                end.received(),
                end.stored(),
                counters.knownCount(),
                refused);
        out.flush();
        int unwelcome = end.target().map(CatchUp.Target::unwelcome).orElse(0);
        if (unwelcome > 0) {
            err.println(unwelcome + " events are not taken by " + to);
        }
        if (interruption.isAsked() || !end.complete()) {
            err.println(
                    "not complete: " + why(end, source, interruption) + (to == null ? "; what is stored is kept" : ""));
            return isNothing(end) && !interruption.isAsked() ? ExitCode.FAILED : ExitCode.INCOMPLETE;
        }
        if (unwelcome > 0) {
            return ExitCode.INCOMPLETE;
        }
        if (refused > 0 && relay.store().lastSeq() == 0) {
            err.println("nothing was accepted: no announcement at " + source + " names "
                    + relay.config().domain() + " as grasp.acceptance="
                    + relay.config().acceptance().name().toLowerCase(Locale.ROOT)
                    + " asks for. Set grasp.domain to the name by which announcements know this service, or use --all");
            return ExitCode.INCOMPLETE;
        }
        return ExitCode.OK;
    }

    /** Whether one of the two never said anything. */
    private static boolean isNothing(CatchUp.State end) {
        return end.received() == 0
                || end.target()
                        .filter(target -> isGone(target) && target.answered() == 0)
                        .isPresent();
    }

    private String why(CatchUp.State end, RelayUrl source, Interruption interruption) {
        if (interruption.isAsked()) {
            return "interrupted";
        }
        Optional<CatchUp.Target> target = end.target().filter(Sync::isGone);
        if (target.isPresent()) {
            return String.format(
                    Locale.ROOT,
                    "%s cannot be reached: %s; %,d events are to be published there",
                    target.get().relay(),
                    target.get().why(),
                    target.get().unpublished());
        }
        return end.why().map(reason -> source + " " + reason).orElse("nothing has moved for " + patience + " s");
    }

    /** Where the events lie meanwhile: in the data folder, or in a passing one where another relay is what they are for. */
    private record Workspace(Optional<Path> passing) implements AutoCloseable {

        static Workspace of(Optional<RelayUrl> target) throws Exception {
            if (target.isEmpty()) {
                return new Workspace(Optional.empty());
            }
            Path folder = PassingFolder.create();
            if (!Configuration.isSet("grasp.domain")) {
                System.setProperty("grasp.domain", domainOf(target.get()));
            }
            System.setProperty("grasp.data-dir", folder.toString());
            return new Workspace(Optional.of(folder));
        }

        private static String domainOf(RelayUrl relay) {
            int standard = relay.isSecure() ? 443 : 80;
            return relay.port() == standard ? relay.host() : relay.host() + ":" + relay.port();
        }

        @Override
        public void close() throws Exception {
            if (passing.isPresent()) {
                PassingFolder.delete(passing.get());
            }
        }
    }
}
