package dev.graspsync.wire;

/** Leaves the readers' depths for their one catch; never leaves the package, and needs no stack trace. */
final class MalformedException extends Exception {

    private static final long serialVersionUID = 1;
    private static final int MAX_QUOTED = 32;

    MalformedException(String reason) {
        super(reason, null, false, false);
    }

    /** Input repeated in a reason: short, and printable ASCII only. */
    static String quote(String input) {
        String head = input.substring(0, Math.min(input.length(), MAX_QUOTED));
        return head.replaceAll("[^ -~]", "?");
    }
}
