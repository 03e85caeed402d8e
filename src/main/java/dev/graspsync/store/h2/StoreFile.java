package dev.graspsync.store.h2;

import dev.graspsync.store.StoreFailure;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.h2.mvstore.DataUtils;
import org.h2.mvstore.MVStore;
import org.h2.mvstore.MVStoreException;
import org.jspecify.annotations.Nullable;

/**
 * The files in the data folder: the MVStore, and beside it the number of the last event known to be committed. A store
 * that ends before that number has lost acknowledged events, by truncation or an old copy, and is not opened.
 */
final class StoreFile {

    static final String STORE = "events.mv";
    static final String REACHED = "events.reached";

    private final Path path;
    private final MVStore store;
    private final FileChannel reached;

    private StoreFile(Path path, MVStore store, FileChannel reached) {
        this.path = path;
        this.store = store;
        this.reached = reached;
    }

    static StoreFile open(Path folder, StoreOptions options) {
        Path path = folder.resolve(STORE);
        try {
            Files.createDirectories(folder);
        } catch (IOException failure) {
            throw new StoreFailure(
                    "cannot create the data folder " + folder.toAbsolutePath() + ": " + failure, failure);
        }
        if (!Files.isWritable(folder) || Files.exists(path) && !Files.isWritable(path)) {
            throw new StoreFailure("the data folder " + folder.toAbsolutePath()
                    + " is not writable by this user: change its owner or set grasp.data-dir");
        }
        try {
            MVStore store = new MVStore.Builder()
                    .fileName(options.scheme() + path)
                    .autoCommitDisabled()
                    .autoCommitBufferSize(0)
                    .cacheSize(options.cacheMegabytes())
                    .open();
            store.setVersionsToKeep(0);
            store.setRetentionTime(Math.toIntExact(options.retention().toMillis()));
            FileChannel reached = FileChannel.open(
                    folder.resolve(REACHED),
                    StandardOpenOption.CREATE,
                    StandardOpenOption.READ,
                    StandardOpenOption.WRITE);
            return new StoreFile(path, store, reached);
        } catch (MVStoreException failure) {
            if (failure.getErrorCode() == DataUtils.ERROR_FILE_LOCKED) {
                throw new StoreFailure(
                        "the store " + path.toAbsolutePath() + " is in use by another process: stop it, or set"
                                + " grasp.data-dir to a folder of its own",
                        failure);
            }
            throw unreadable(path, failure);
        } catch (IOException failure) {
            throw unreadable(path, failure);
        }
    }

    MVStore store() {
        return store;
    }

    /** Written after the commit, so that it is never ahead of it; not synced, so that it costs next to nothing. */
    void reached(long seq) {
        try {
            reached.write(ByteBuffer.allocate(Long.BYTES).putLong(seq).flip(), 0);
        } catch (IOException failure) {
            throw new StoreFailure("cannot write beside " + path.toAbsolutePath() + ": " + failure, failure);
        }
    }

    void checkReached(long lastSeq) {
        try {
            ByteBuffer in = ByteBuffer.allocate(Long.BYTES);
            long expected = reached.read(in, 0) == Long.BYTES ? in.flip().getLong() : 0;
            if (lastSeq < expected) {
                throw new StoreFailure("the store " + path.toAbsolutePath() + " ends at event " + lastSeq
                        + " but event " + expected + " had been committed: it was truncated or is an old copy. Restore"
                        + " it, or delete " + REACHED + " to go on without what is missing");
            }
        } catch (IOException failure) {
            throw unreadable(path, failure);
        }
    }

    void checkFormat(long found, long understood) {
        if (found != understood) {
            throw new StoreFailure("the store " + path.toAbsolutePath() + " has format " + found
                    + " and this version reads format " + understood + ": run the version that wrote it, or move the"
                    + " store away to start empty and sync again");
        }
    }

    StoreFailure unreadable(Exception failure) {
        return unreadable(path, failure);
    }

    private static StoreFailure unreadable(Path path, Exception failure) {
        if (isDiskFull(failure)) {
            return new StoreFailure(full(path) + ", then start again", failure);
        }
        return new StoreFailure(
                "the store " + path.toAbsolutePath() + " cannot be read: " + failure.getMessage()
                        + ". Restore it from a copy, or move it away to start empty and sync again",
                failure);
    }

    StoreFailure unwritable(Exception failure) {
        if (failure instanceof StoreFailure known) {
            return known;
        }
        return isDiskFull(failure)
                ? new StoreFailure(
                        full(path) + ". Until then events are refused, and those that are here are served", failure)
                : new StoreFailure("cannot write " + path.toAbsolutePath() + ": " + failure.getMessage(), failure);
    }

    private static String full(Path path) {
        return "the disk of the data folder " + path.toAbsolutePath().getParent()
                + " is full: make room on it, or move the folder to a larger one and set grasp.data-dir";
    }

    /** Systems name it in words only; "quota" is the full disk of a single user. */
    private static boolean isDiskFull(@Nullable Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            String message = String.valueOf(cause.getMessage());
            if (cause instanceof IOException && (message.contains("No space left") || message.contains("quota"))) {
                return true;
            }
        }
        return false;
    }

    void closeImmediately() {
        store.closeImmediately();
        closeReached();
    }

    void close() {
        if (!store.isClosed()) {
            store.close();
        }
        closeReached();
    }

    private void closeReached() {
        try {
            reached.close();
        } catch (IOException failure) {
            throw unwritable(failure);
        }
    }
}
