package dev.graspsync.sync;

import dev.graspsync.nostr.ClientMessage;
import dev.graspsync.nostr.Event;
import dev.graspsync.nostr.EventId;
import dev.graspsync.nostr.RelayUrl;
import dev.graspsync.sync.Unanswered.Sent;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.BooleanSupplier;
import org.jboss.logging.Logger;

/**
 * What is published to the own relay, in the order of the log, each event until it is answered; and what the relay does
 * not take again and again, which is {@link SetAside}, so that the rest goes on. Lives on the connection's event loop.
 */
final class PublishQueue {

    private static final Logger LOG = Logger.getLogger(PublishQueue.class);

    private final RelayUrl relay;
    private final KeptConnection connection;
    private final BooleanSupplier maySend;
    private final UnpublishedEvents log;
    private final HealthTracker health;
    private final InstantSource clock;
    private final Unanswered unanswered = new Unanswered();
    private final SetAside aside = new SetAside();
    private final OwnRefusals refusals = new OwnRefusals();

    private boolean reading;
    private long readUpTo;
    private Published saved = Published.NOTHING;
    private Instant fullToldAt = Instant.MIN;
    private volatile Publishing seen = Publishing.NOTHING;

    PublishQueue(
            RelayUrl relay,
            KeptConnection connection,
            BooleanSupplier maySend,
            UnpublishedEvents log,
            HealthTracker health,
            InstantSource clock) {
        this.relay = relay;
        this.connection = connection;
        this.maySend = maySend;
        this.log = log;
        this.health = health;
        this.clock = clock;
    }

    /** Goes on where the last run ended. */
    void restore() {
        saved = health.published(relay);
        readUpTo = saved.upTo();
        aside.restore(saved.aside());
    }

    /** How it goes; asked from any thread. */
    Publishing seen() {
        return seen;
    }

    /** Of an event that the relay did not take; asked from any thread. */
    Optional<OwnRefusal> refusal(EventId id) {
        return refusals.find(id);
    }

    /** To be called about once a second. */
    void turn() {
        if (maySend.getAsBoolean()) {
            unanswered.expire(clock.instant());
            if (aside.isOverdue(clock.instant())) {
                failedAgain();
            }
        }
        setAside();
        save();
        sendMore();
    }

    /** Whatever may be sent now. */
    void sendMore() {
        if (maySend.getAsBoolean()) {
            unanswered.due(clock.instant()).forEach(this::send);
        }
        offerAside();
        readMore();
    }

    private void readMore() {
        int most = unanswered.room();
        if (reading || most <= 0 || !maySend.getAsBoolean()) {
            return;
        }
        reading = true;
        long from = readUpTo + 1;
        connection.onWorker(() -> log.read(from, most)).onComplete(read -> {
            reading = false;
            if (read.failed()) {
                LOG.errorf("Cannot read what to publish to %s: %s", relay, read.cause());
                return;
            }
            UnpublishedEvents.Batch batch = read.result();
            readUpTo = batch.upTo();
            batch.events().forEach(this::send);
            if (batch.more()) {
                readMore();
            } else {
                offerAside();
            }
        });
    }

    private void send(Sent sent) {
        unanswered.sent(sent, clock.instant());
        connection.send(new ClientMessage.Event(sent.event));
    }

    private void save() {
        Published now = new Published(unanswered.answeredUpTo(readUpTo), aside.seqs());
        seen = new Publishing(Math.max(0, log.lastSeq() - now.upTo()), aside.size(), refusals.count());
        if (!now.equals(saved)) {
            saved = now;
            health.published(relay, now);
        }
    }

    // What became of an event -------------------------------------------------------------------------------------

    /** Whether an answer to it is waited for. */
    boolean isWaitingFor(EventId id) {
        return unanswered.get(id) != null || aside.isOffered(id);
    }

    /** The relay has it now. */
    void taken(EventId id) {
        aside.tookOne();
        if (aside.isOffered(id)) {
            LOG.infof("The own relay %s took event %s, which was set aside", relay, id);
        }
        done(id);
    }

    /** The relay will never have it. */
    void refused(EventId id, String why) {
        refusals.add(id, new OwnRefusal(relay, why, clock.instant()));
        LOG.warnf("The own relay %s does not take event %s: %s", relay, id, why);
        done(id);
    }

    private void done(EventId id) {
        Sent sent = unanswered.get(id);
        if (sent != null) {
            unanswered.done(sent);
        } else if (aside.isOffered(id)) {
            aside.done();
        }
    }

    /** To be sent again as soon as anything is. */
    void again(EventId id) {
        Sent sent = unanswered.get(id);
        if (sent != null) {
            unanswered.again(sent);
        } else if (aside.isOffered(id)) {
            aside.again();
        }
    }

    /** The relay cannot take it now, and perhaps never. */
    void failed(EventId id, String why) {
        Sent sent = unanswered.get(id);
        if (sent != null) {
            unanswered.failed(sent, clock.instant(), why);
        } else if (aside.isOffered(id)) {
            failedAgain();
        }
    }

    private void failedAgain() {
        aside.failed(clock.instant()).ifPresent(id -> refused(id, "tried once an hour, for a day"));
    }

    /** The relay hung up. */
    void lost() {
        if (aside.isOffering()) {
            // Nobody else is suspected: this one was not taken before.
            unanswered.sendAllAgain();
            failedAgain();
        } else {
            unanswered.dropped();
        }
    }

    // What is not taken -------------------------------------------------------------------------------------------

    private void setAside() {
        Instant now = clock.instant();
        for (Sent sent : unanswered.hopeless()) {
            if (aside.add(sent.seq, now)) {
                unanswered.done(sent);
                LOG.warnf(
                        "The own relay %s does not take event %s (%s): it is set aside and tried again every hour",
                        relay, sent.event.id(), sent.why());
            } else if (fullToldAt.isBefore(now.minus(SetAside.EVERY))) {
                fullToldAt = now;
                LOG.warnf(
                        "Publishing to the own relay %s waits: %d events are set aside, and it does not take %s (%s)",
                        relay, aside.size(), sent.event.id(), sent.why());
            }
        }
    }

    private void offerAside() {
        OptionalLong due = aside.due(clock.instant());
        if (due.isEmpty() || reading || unanswered.isCautious() || !maySend.getAsBoolean()) {
            return;
        }
        reading = true;
        long seq = due.getAsLong();
        connection.onWorker(() -> log.at(seq)).onComplete(read -> {
            reading = false;
            if (read.failed()) {
                LOG.errorf("Cannot read what to publish to %s: %s", relay, read.cause());
            } else if (read.result().isEmpty()) {
                aside.gone(seq);
            } else if (maySend.getAsBoolean()) {
                Event event = read.result().get();
                aside.offered(seq, event.id(), clock.instant());
                connection.send(new ClientMessage.Event(event));
            }
            readMore();
        });
    }
}
