package dev.graspsync.relay;

import dev.graspsync.nostr.EncodedEvent;
import dev.graspsync.nostr.Event;
import dev.graspsync.nostr.Tag;
import dev.graspsync.store.Provenance;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * An event on its way in, and who wants to hear what became of it.
 *
 * @param wanted whether it is worth checking its signature; may block
 */
record Incoming(Event event, Provenance from, Predicate<Event> wanted, Consumer<IngestResult> done) {

    private static final int FIXED = 1_000;
    private static final int PER_VALUE = 64;

    /** About how many bytes of memory an event takes on its way: its text is there twice, as strings and as it came. */
    static long sizeOf(Event event) {
        long size = FIXED + 2L * event.content().length();
        for (Tag tag : event.tags()) {
            for (String value : tag.values()) {
                size += PER_VALUE + 2L * value.length();
            }
        }
        return size;
    }

    /** Its id and signature are right. */
    record Verified(Arrived arrived, Consumer<IngestResult> done) {}

    /** An event whose id and signature are right, and from whom it came. */
    record Arrived(EncodedEvent encoded, Provenance from) {}
}
