package dev.graspsync.sync.core;

import dev.graspsync.nostr.RelayUrl;
import dev.graspsync.sync.core.RelayRecord.Reliability;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * A relay as it was when the engine last looked: what observers see.
 *
 * @param since when it came into its connection's state
 * @param catchingUp whether only what came since the last contact is missing
 * @param nextAttempt to connect; absent while there is a connection
 * @param why the last failure or refusal; absent once everything wanted was confirmed after it
 * @param layers one for each {@link Layer}, in their order
 * @param quietUntil it limits the rate, and is left alone until then
 * @param countedAt up to when {@code reliability} counts
 */
public record RelayView(
        RelayUrl relay,
        boolean bootstrap,
        Connection connection,
        RelayHealth.Status health,
        Phase phase,
        boolean catchingUp,
        Instant since,
        int failures,
        Optional<Instant> failingSince,
        Optional<Instant> nextAttempt,
        Optional<Reason> why,
        int repositories,
        List<LayerView> layers,
        Asked asked,
        RelayBudget budget,
        boolean coarse,
        Optional<Instant> quietUntil,
        Optional<Instant> freshSyncDue,
        Optional<Instant> lastConnected,
        Reliability reliability,
        Instant countedAt) {

    public enum Connection {
        CONNECTED,
        CONNECTING,
        DISCONNECTED
    }

    /** What the sync with it is about. */
    public enum Phase {
        SYNCING,
        SYNCED,
        FRESH_SYNC,
        /** Connected, and what is wanted is held back: after a refusal, or because the relay limits the rate. */
        WAITING,
        UNREACHABLE
    }

    /**
     * What is asked of it at the moment.
     *
     * @param subscriptions open, live ones and those that read history, comparisons included
     * @param filters of them
     * @param batches items that are asked for together and not answered
     */
    public record Asked(int subscriptions, int filters, int batches) {}

    /** What went wrong, and when. */
    public record Reason(String text, Instant at) {}

    public RelayView {
        layers = List.copyOf(layers);
    }

    public long items() {
        return layers.stream().mapToLong(LayerView::items).sum();
    }

    public long confirmed() {
        return layers.stream().mapToLong(LayerView::confirmed).sum();
    }

    /** With the time that passed since. */
    public Reliability reliability(Instant now) {
        Duration more = now.isAfter(countedAt) ? Duration.between(countedAt, now) : Duration.ZERO;
        boolean up = connection == Connection.CONNECTED;
        return new Reliability(
                reliability.attempts(),
                reliability.failures(),
                up ? reliability.up().plus(more) : reliability.up(),
                up ? reliability.down() : reliability.down().plus(more));
    }
}
