package dev.graspsync.cli;

/** The arguments can be read and make no sense. */
final class UsageFailure extends RuntimeException {

    private static final long serialVersionUID = 1L;

    UsageFailure(String message) {
        super(message);
    }
}
