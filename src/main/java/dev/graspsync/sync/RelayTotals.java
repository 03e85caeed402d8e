package dev.graspsync.sync;

/** Counts that only grow, of one relay or of several. */
public record RelayTotals(long opened, long openFailed, long gaps, long bytesReceived, long bytesSent) {

    public static final RelayTotals NONE = new RelayTotals(0, 0, 0, 0, 0);

    public static RelayTotals of(RelayCounters relay) {
        return new RelayTotals(
                relay.openedCount(), relay.openFailedCount(), relay.gapCount(), relay.bytesCount(), relay.sentBytes());
    }

    public RelayTotals plus(RelayTotals more) {
        return new RelayTotals(
                opened + more.opened,
                openFailed + more.openFailed,
                gaps + more.gaps,
                bytesReceived + more.bytesReceived,
                bytesSent + more.bytesSent);
    }
}
