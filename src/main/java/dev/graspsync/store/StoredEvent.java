package dev.graspsync.store;

import dev.graspsync.nostr.EventFields;

/** An event as the store gives it back: its fields for matching, and its JSON for sending, but no parsed content. */
public interface StoredEvent extends EventFields {

    /** The place in the order of commits; later commits have higher numbers. */
    long seq();

    /** Why it was accepted: the number the writer gave with it. */
    int reason();

    /** From whom it came first, and how. */
    Provenance provenance();

    /** When it came, in seconds. */
    long firstSeen();

    /** Compact UTF-8 JSON; not to be changed. */
    byte[] json();
}
