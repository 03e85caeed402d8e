package dev.graspsync.cli;

/** What the commands end with; docs/cli.md describes them. */
final class ExitCode {

    /** Done, and whole. */
    static final int OK = 0;
    /** It could not be done. */
    static final int FAILED = 1;
    /** The command line cannot be understood. */
    static final int USAGE = 2;
    /** Done, but something was left out. Not 3: with that a process ends that has run out of memory. */
    static final int INCOMPLETE = 4;

    private ExitCode() {}
}
