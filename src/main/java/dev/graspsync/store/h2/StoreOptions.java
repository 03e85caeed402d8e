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

    public static StoreOptions usual(int cacheMegabytes) {
        return new StoreOptions(cacheMegabytes, "", RETENTION);
    }

    public StoreOptions withScheme(String other) {
        return new StoreOptions(cacheMegabytes, other, retention);
    }

    public StoreOptions withRetention(Duration other) {
        return new StoreOptions(cacheMegabytes, scheme, other);
    }
}
