package dev.graspsync.relay;

import dev.graspsync.nostr.EncodedEvent;
import dev.graspsync.nostr.Event;
import java.util.function.Consumer;

/** An event on its way in, and who wants to hear what became of it. */
record Incoming(Event event, Consumer<IngestResult> done) {

    /** Its id and signature are right. */
    record Verified(EncodedEvent event, Consumer<IngestResult> done) {}
}
