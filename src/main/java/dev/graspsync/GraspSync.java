package dev.graspsync;

import dev.graspsync.cli.Commands;
import dev.graspsync.cli.StartFailure;
import io.quarkus.runtime.LaunchMode;
import io.quarkus.runtime.Quarkus;
import io.quarkus.runtime.annotations.QuarkusMain;

/** Where the process begins: the service, or one of the commands of {@link Commands}. */
@QuarkusMain
public final class GraspSync {

    private GraspSync() {}

    public static void main(String... args) {
        if (LaunchMode.current().isDevOrTest()) {
            // Live reload stays up after a failed start, and shows where it came from.
            Quarkus.run(args);
        } else if (args.length == 0) {
            // Nothing of the command line is loaded then: the service is there a few milliseconds sooner.
            serve();
        } else {
            System.exit(Commands.run(args, GraspSync::serve));
        }
    }

    /** A start that fails says why in one line, and the process ends with 1. */
    private static void serve() {
        Quarkus.run(null, (code, failure) -> {
            if (failure != null) {
                System.err.println("grasp-sync cannot start: " + StartFailure.explain(failure));
            }
            System.exit(code);
        });
    }
}
