package dev.graspsync.store.h2;

import java.time.Duration;

/**
 * How a store's file is used.
 *
 * @param cacheMegabytes memory for pages of the file
 * @param scheme of MVStore's file system, such as {@code "nio:"}; empty for the usual one
 * @param retention how long the room of what is dead is not written over, so that a disk which writes late and out of
 *     order still has it when the power fails
 */
public record StoreOptions(int cacheMegabytes, String scheme, Duration retention) {

    private static final Duration RETENTION = Duration.ofSeconds(45);
    /** An entry takes up to 30 bytes there: a quarter of what the cache takes. */
    private static final long KEPT_PER_MEGABYTE = 8_000;
    /** What is to be made anew after a crash takes a fifth of a second then. */
    private static final long MOST_KEPT = 300_000;

    public static StoreOptions usual(int cacheMegabytes) {
        return new StoreOptions(cacheMegabytes, "", RETENTION);
    }

    public StoreOptions withScheme(String other) {
        return new StoreOptions(cacheMegabytes, other, retention);
    }

    public StoreOptions withRetention(Duration other) {
        return new StoreOptions(cacheMegabytes, scheme, other);
    }

    /** How many entries of the index may be in memory only. */
    long mostKeptEntries() {
        return Math.min(MOST_KEPT, KEPT_PER_MEGABYTE * cacheMegabytes);
    }
}
