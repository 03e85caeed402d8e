package dev.graspsync.sync;

import dev.graspsync.sync.core.SyncInput.Removed;
import java.util.Optional;

/** Reads the own relay, or its store, and tells the engine what is wanted. */
interface SelfReader {

    void start();

    void stop();

    boolean isConnected();

    /** Why it is not, where that is known. */
    Optional<String> problem();

    /** A repository was taken off without an event that says so. */
    void removed(Removed removed);

    void drainAgainIfDue();
}
