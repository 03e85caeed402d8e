package dev.graspsync.sync;

/** Counts that only grow, of one relay or of several. */
public record RelayTotals(long opened, long openFailed, long gaps, long bytesReceived, long bytesSent, InVain inVain) {

    /** What relays sent and nobody has any use for. */
    public record InVain(long unasked, long malformed, long forged, long refused) {

        static final InVain NOTHING = new InVain(0, 0, 0, 0);

        InVain plus(InVain more) {
            return new InVain(
                    unasked + more.unasked, malformed + more.malformed, forged + more.forged, refused + more.refused);
        }
    }

    public static final RelayTotals NONE = new RelayTotals(0, 0, 0, 0, 0, InVain.NOTHING);

    public static RelayTotals of(RelayCounters relay) {
        return new RelayTotals(
                relay.openedCount(),
                relay.openFailedCount(),
                relay.gapCount(),
                relay.bytesCount(),
                relay.sentBytes(),
                new InVain(
                        relay.unaskedCount(),
                        relay.malformedCount(),
                        relay.forgedCount(),
                        relay.refusedCount() - relay.forgedCount()));
    }

    public RelayTotals plus(RelayTotals more) {
        return new RelayTotals(
                opened + more.opened,
                openFailed + more.openFailed,
                gaps + more.gaps,
                bytesReceived + more.bytesReceived,
                bytesSent + more.bytesSent,
                inVain.plus(more.inVain));
    }
}
