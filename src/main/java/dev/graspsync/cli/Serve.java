package dev.graspsync.cli;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.ParentCommand;

/** The service. */
@Command(
        name = "serve",
        mixinStandardHelpOptions = true,
        description = "Serves the relay and keeps it complete, until SIGTERM (the default command).")
final class Serve implements Runnable {

    @Mixin
    private final Properties properties = new Properties();

    @ParentCommand
    private @Nullable Commands parent;

    @Override
    public void run() {
        if (parent != null) {
            parent.serve();
        }
    }
}
