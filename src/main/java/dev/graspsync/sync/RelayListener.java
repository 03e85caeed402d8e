package dev.graspsync.sync;

import dev.graspsync.nostr.RelayMessage;
import dev.graspsync.sync.core.RelayHints;
import java.time.Instant;

/**
 * What happens on a connection, all of it told on the connection's event loop, so nothing here may block. First comes
 * exactly one of opened and openFailed; after opened, messages and at the end exactly one lost; after
 * {@link RelayConnection#close} nothing any more.
 */
interface RelayListener {

    void opened(RelayHints hints);

    void openFailed(String why);

    /** A message came, whatever it is; told before what it is. */
    default void heard(int bytes) {}

    /** A message was sent. */
    default void said(int bytes) {}

    void received(RelayMessage message);

    /** A message that is none; the connection goes on unless there are too many of them. */
    void malformed(String why);

    /** Such a message was for this comparison (NIP-77); told after {@link #malformed}. */
    default void malformedFor(String session, String why) {}

    /** @param lastHeard when the relay last gave a sign of life */
    void lost(Instant lastHeard, String why);
}
