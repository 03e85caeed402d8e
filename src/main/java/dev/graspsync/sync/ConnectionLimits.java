package dev.graspsync.sync;

import java.time.Duration;

/**
 * What a connection to a relay is allowed to cost.
 *
 * @param connectTimeout for the name, the socket, TLS and the upgrade together
 * @param hintsTimeout for the NIP-11 document
 * @param pingInterval between pings; without a sign of life for two of them, the connection is lost
 * @param maxMessageBytes of one message from the relay
 * @param maxOutboundBytes that wait for the relay to read them
 * @param compression whether to offer permessage-deflate
 */
record ConnectionLimits(
        Duration connectTimeout,
        Duration hintsTimeout,
        Duration pingInterval,
        int maxMessageBytes,
        int maxOutboundBytes,
        boolean compression) {

    /** What a message has beside an event. */
    private static final int FRAME = 64 << 10;

    /** Large enough for every event that came in by another way, in another message. */
    ConnectionLimits withMessagesOf(int otherBytes) {
        return new ConnectionLimits(
                connectTimeout,
                hintsTimeout,
                pingInterval,
                Math.max(maxMessageBytes, otherBytes) + FRAME,
                maxOutboundBytes,
                compression);
    }

    static final ConnectionLimits DEFAULTS = new ConnectionLimits(
            Duration.ofSeconds(10), Duration.ofSeconds(5), Duration.ofSeconds(30), 2 << 20, 4 << 20, false);
}
