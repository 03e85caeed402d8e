package dev.graspsync;

import io.quarkus.runtime.LaunchMode;
import io.quarkus.runtime.Quarkus;
import io.quarkus.runtime.annotations.QuarkusMain;

/** The service's start: a start that fails says why in one line, and the process ends with 1. */
@QuarkusMain
public final class GraspSync {

    private GraspSync() {}

    public static void main(String... args) {
        if (LaunchMode.current().isDevOrTest()) {
            // Live reload stays up after a failed start, and shows where it came from.
            Quarkus.run(args);
            return;
        }
        Quarkus.run(
                null,
                (code, failure) -> {
                    if (failure != null) {
                        System.err.println("grasp-sync cannot start: " + StartFailure.explain(failure));
                    }
                    System.exit(code);
                },
                args);
    }
}
