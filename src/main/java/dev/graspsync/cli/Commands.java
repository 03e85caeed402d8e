package dev.graspsync.cli;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code grasp-sync} itself: without a command it serves. */
@Command(
        name = "grasp-sync",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        sortOptions = false,
        description = "A Nostr relay for git collaboration (NIP-34) that keeps itself complete.",
        synopsisSubcommandLabel = "[COMMAND]",
        subcommands = {
            Serve.class,
            CheckConfig.class,
            Sync.class,
            Export.class,
            Import.class,
            Health.class,
        },
        footer = {
            "",
            "Every configuration key can be given as -Dkey=value or in the environment (grasp.data-dir as",
            "GRASP_DATA_DIR); check-config shows what is in force.",
            "Exit codes: 0 done, 1 could not be done, 2 wrong usage, 3 out of memory, 4 something was left",
            "out; 130 and 143 ended by Ctrl-C or SIGTERM."
        })
public final class Commands implements Runnable {

    private static final int WIDTH = 100;

    /** What {@code serve} does; it returns when the service has ended. */
    private final Runnable service;

    @CommandLine.Mixin
    private final Properties properties = new Properties();

    @Spec
    private @Nullable CommandSpec spec;

    private Commands(Runnable service) {
        this.service = service;
    }

    /** Does what the arguments say and returns the exit code. */
    public static int run(String[] args, Runnable service) {
        return new CommandLine(new Commands(service))
                .setExecutionExceptionHandler(Commands::failed)
                .setUsageHelpWidth(WIDTH)
                .execute(args);
    }

    /** One line for an operator; a stack trace only where somebody asks for it. */
    private static int failed(Exception failure, CommandLine command, CommandLine.ParseResult parsed) {
        if (Boolean.getBoolean("grasp.stacktrace")) {
            failure.printStackTrace(command.getErr());
        }
        command.getErr().println("grasp-sync " + command.getCommandName() + ": " + StartFailure.explain(failure));
        return failure instanceof UsageFailure ? ExitCode.USAGE : ExitCode.FAILED;
    }

    @Override
    public void run() {
        serve();
    }

    void serve() {
        service.run();
    }
}
