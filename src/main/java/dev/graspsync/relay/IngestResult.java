package dev.graspsync.relay;

/** What the relay answers to an event: the two last elements of OK (NIP-01). */
public record IngestResult(boolean accepted, String message) {

    static final IngestResult STORED = new IngestResult(true, "");
    /** An ephemeral event: for whoever listens now, and stored nowhere. */
    static final IngestResult DELIVERED = new IngestResult(true, "");

    static final IngestResult KNOWN = new IngestResult(true, "duplicate: already have this event");

    /** Nobody asked for it: not looked at any further. */
    static final IngestResult UNWANTED = new IngestResult(false, "blocked: it concerns nothing here");

    static final String WRONG_ID = "invalid: the id is not the hash of the event";
    static final String WRONG_SIGNATURE = "invalid: the signature does not verify";

    static IngestResult refused(String message) {
        return new IngestResult(false, message);
    }

    /** It was not looked at, and may be offered again. */
    public static IngestResult failed() {
        return refused("error: there is no room for the event now, try again later");
    }

    /** Whether it is stored now and was not before. */
    public boolean isStored() {
        return this == STORED;
    }

    /** Whether it was here before, and perhaps is so no more. */
    public boolean isKnown() {
        return this == KNOWN;
    }

    public boolean isUnwanted() {
        return this == UNWANTED;
    }

    /** Whether nobody ever signed it: no honest relay hands it out. */
    public boolean isForged() {
        return !accepted && (message.equals(WRONG_ID) || message.equals(WRONG_SIGNATURE));
    }

    /** Whether it is the relay's own fault that the event was not taken. */
    public boolean isFailure() {
        return !accepted && message.startsWith("error:");
    }
}
