package dev.graspsync.relay;

/** What the relay answers to an event: the two last elements of OK (NIP-01). */
public record IngestResult(boolean accepted, String message) {

    static final IngestResult STORED = new IngestResult(true, "");
    /** An ephemeral event: for whoever listens now, and stored nowhere. */
    static final IngestResult DELIVERED = new IngestResult(true, "");

    static final IngestResult KNOWN = new IngestResult(true, "duplicate: already have this event");

    static IngestResult refused(String message) {
        return new IngestResult(false, message);
    }
}
