package dev.graspsync.nostr;

/** The kinds this relay knows by name, and the ranges NIP-01 gives a meaning to. */
public final class Kind {

    public static final int DELETION = 5;
    public static final int VANISH = 62;
    public static final int PATCH = 1617;
    public static final int PULL_REQUEST = 1618;
    public static final int PULL_REQUEST_UPDATE = 1619;
    public static final int ISSUE = 1621;
    public static final int CLIENT_AUTH = 22242;
    public static final int REPO_ANNOUNCEMENT = 30617;
    public static final int REPO_STATE = 30618;
    public static final int MAX = 65_535;

    private Kind() {}

    /** Patches, pull requests, their updates and issues: what discussions hang on (NIP-34). */
    public static boolean isRoot(int kind) {
        return kind == PATCH || kind == PULL_REQUEST || kind == PULL_REQUEST_UPDATE || kind == ISSUE;
    }

    /** What is obeyed for as long as it is here, whatever expiration it carries. */
    public static boolean isForGood(int kind) {
        return kind == DELETION || kind == VANISH;
    }

    public static boolean isReplaceable(int kind) {
        return kind == 0 || kind == 3 || kind >= 10_000 && kind < 20_000;
    }

    public static boolean isEphemeral(int kind) {
        return kind >= 20_000 && kind < 30_000;
    }

    public static boolean isAddressable(int kind) {
        return kind >= 30_000 && kind < 40_000;
    }
}
