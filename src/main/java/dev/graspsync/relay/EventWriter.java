package dev.graspsync.relay;

import dev.graspsync.nostr.Address;
import dev.graspsync.nostr.EncodedEvent;
import dev.graspsync.nostr.Event;
import dev.graspsync.nostr.EventId;
import dev.graspsync.nostr.Kind;
import dev.graspsync.nostr.RepoAddress;
import dev.graspsync.relay.Incoming.Arrived;
import dev.graspsync.relay.Refusal.Because;
import dev.graspsync.store.EventStore;
import dev.graspsync.store.Provenance.Way;
import dev.graspsync.store.SaveResult;
import dev.graspsync.store.StoreFailure;
import dev.graspsync.store.WriteBatch;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

/**
 * The last stage of the ingest: policy and store, one batch at a time. Used by one thread. Nobody hears that an event is
 * stored before the batch it came with is durable.
 */
final class EventWriter {

    private static final int WAITING_EVENTS = 20_000;
    private static final long MOST_WAITING_BYTES = 32L << 20;

    private final EventStore store;
    private final AcceptancePolicy policy;
    private final InstantSource clock;
    private final Consumer<Delisting> delisted;
    private final UnwantedEvents unwanted = new UnwantedEvents();
    private final RejectedIds rejected = new RejectedIds(unwanted::remove);
    /** What relays have and the open batch does not keep. */
    private final List<Event> notKept = new ArrayList<>();
    /** The same, until something comes that they lack. */
    private final List<Event> notKeptForNow = new ArrayList<>();

    private final Refusals refusals = new Refusals();
    /** Repositories that the open batch takes off. */
    private final List<Delisting> takenOff = new ArrayList<>();
    /** What the open batch stores, by the way it came. */
    private final List<Way> stored = new ArrayList<>();

    private final IngestCounters counters = new IngestCounters();
    /** Rule 27 of the sync: what came before its root or its announcement is looked at again when that arrives. */
    private final WaitingRoom<Arrived> waiting =
            new WaitingRoom<>(WAITING_EVENTS, HeapShare.of(12, MOST_WAITING_BYTES));

    EventWriter(EventStore store, AcceptancePolicy policy, InstantSource clock, Consumer<Delisting> delisted) {
        this.store = store;
        this.policy = policy;
        this.clock = clock;
        this.delisted = delisted;
    }

    IngestCounters counters() {
        return counters;
    }

    /** Why events are not here, for whoever asks. */
    Refusals refusals() {
        return refusals;
    }

    /** Whether the policy refused this event, and nothing has come since that would change its mind. Any thread. */
    boolean isRejected(EventId id) {
        return rejected.contains(id);
    }

    UnwantedEvents unwanted() {
        return unwanted;
    }

    RejectedIds rejected() {
        return rejected;
    }

    /** A relay has what was refused before, from whomever it came then. Any thread. */
    void refusedAgain(Event event) {
        if (!unwanted.contains(event.id())) {
            unwanted.addForNow(event, clock.instant());
            if (!rejected.contains(event.id())) {
                unwanted.remove(event.id()); // forgotten meanwhile
            }
        }
    }

    /** Writes a batch and, once it is durable, says what became of each event. */
    void write(List<Incoming.Verified> batch) {
        Instant now = clock.instant();
        List<IngestResult> results = new ArrayList<>(batch.size());
        List<Arrived> taken = new ArrayList<>();
        takenOff.clear();
        stored.clear();
        notKept.clear();
        notKeptForNow.clear();
        try (WriteBatch open = store.begin()) {
            for (Incoming.Verified incoming : batch) {
                results.add(decide(open, incoming.arrived(), now, taken));
            }
            open.commit();
        } catch (RuntimeException | Error failure) {
            // Nothing of the batch is acknowledged. What had waited waits on.
            taken.forEach(event -> waitAgain(event, now));
            IngestResult refused = IngestResult.refused("error: could not store the event, try again later");
            batch.forEach(incoming -> incoming.done().accept(refused));
            throw failure instanceof StoreFailure known
                    ? known
                    : new StoreFailure("the store failed in the middle of a batch: " + failure, failure);
        }
        stored.forEach(counters::stored);
        notKept.forEach(event -> unwanted.add(event, now));
        notKeptForNow.stream()
                .filter(event -> rejected.contains(event.id())) // and not already forgotten
                .forEach(event -> unwanted.addForNow(event, now));
        for (int i = 0; i < results.size(); i++) {
            batch.get(i).done().accept(results.get(i));
        }
        takenOff.forEach(delisted);
        waiting.evictExpired(now);
    }

    /** Decides about an event, and about those that waited for it or for one another; the answer is the event's own. */
    private IngestResult decide(WriteBatch open, Arrived arrived, Instant now, List<Arrived> taken) {
        int next = taken.size();
        IngestResult answer = decideOne(open, arrived, now, taken);
        while (next < taken.size()) {
            decideOne(open, taken.get(next++), now, taken);
        }
        return answer;
    }

    private IngestResult decideOne(WriteBatch open, Arrived arrived, Instant now, List<Arrived> taken) {
        EncodedEvent encoded = arrived.encoded();
        Event event = encoded.event();
        return switch (policy.decide(event, new StoredKnown(open))) {
            case Verdict.Accept(Verdict.Reason reason) -> {
                VouchedFor vouched = VouchedFor.before(open, policy, event);
                IngestResult saved = save(open, arrived, reason, now);
                if (saved == IngestResult.STORED) {
                    takenOff.addAll(vouched.takeOff());
                    stored.add(arrived.from().way());
                }
                if (saved == IngestResult.STORED && (waiting.size() > 0 || rejected.size() > 0)) {
                    Set<String> brought = WaitingKeys.broughtBy(event, reason);
                    taken.addAll(waiting.takeFor(brought, now));
                    rejected.forgetThoseLacking(brought, now);
                }
                if (saved != IngestResult.STORED && saved != IngestResult.KNOWN) {
                    notKeep(arrived, notKept);
                }
                yield saved;
            }
            case Verdict.Refuse(String message) -> {
                notKeep(arrived, notKept);
                yield refuse(arrived, Because.RULE, message, now);
            }
            case Verdict.Wait(String message, Set<String> lacks) -> {
                // What is delivered only at the moment has no use for being accepted later.
                if (!Kind.isEphemeral(event.kind())) {
                    waiting.add(event.id(), lacks, waitingSize(encoded, lacks), arrived, now);
                    rejected.add(event.id(), lacks, now);
                    refusals.add(Refusal.lacking(event, message, lacks, arrived.from(), now));
                    notKeep(arrived, notKeptForNow);
                }
                yield IngestResult.refused(message);
            }
            case Verdict.Delisted(String message, Address address) -> {
                VouchedFor vouched = VouchedFor.before(open, policy, event);
                if (open.delist(encoded, arrived.from(), now.getEpochSecond())) {
                    takenOff.add(
                            new Delisting(new RepoAddress(address.pubkey(), address.identifier()), event.createdAt()));
                    takenOff.addAll(vouched.takeOff());
                }
                notKeep(arrived, notKept);
                yield IngestResult.refused(message);
            }
        };
    }

    /** Only relays are compared with: what a client sent here, they may never have. */
    private static void notKeep(Arrived arrived, List<Event> to) {
        if (arrived.from().relay().isPresent()) {
            to.add(arrived.encoded().event());
        }
    }

    private void waitAgain(Arrived arrived, Instant now) {
        EncodedEvent encoded = arrived.encoded();
        Set<String> lacks = WaitingKeys.lackedBy(encoded.event());
        waiting.add(encoded.event().id(), lacks, waitingSize(encoded, lacks), arrived, now);
    }

    /** In memory an event is its JSON, about twice as much in objects, and an entry for each thing it lacks. */
    static long waitingSize(EncodedEvent encoded, Set<String> lacks) {
        return 3L * encoded.json().length + 400L * lacks.size();
    }

    private IngestResult save(WriteBatch open, Arrived arrived, Verdict.Reason reason, Instant now) {
        EncodedEvent encoded = arrived.encoded();
        Event event = encoded.event();
        if (Kind.isEphemeral(event.kind())) {
            return IngestResult.DELIVERED;
        }
        return switch (open.save(encoded, reason.ordinal(), arrived.from(), now.getEpochSecond())) {
            case SaveResult.Saved saved -> IngestResult.STORED;
            case SaveResult.Duplicate duplicate -> IngestResult.KNOWN;
            case SaveResult.Superseded(EventId by) -> {
                String message = "duplicate: a newer version is here: " + by;
                refusals.add(Refusal.by(by, event, Because.SUPERSEDED, message, arrived.from(), now));
                yield new IngestResult(true, message);
            }
            case SaveResult.Deleted(EventId by) -> {
                String message = "blocked: its author deleted this event: " + by;
                refusals.add(Refusal.by(by, event, Because.DELETED, message, arrived.from(), now));
                yield IngestResult.refused(message);
            }
            case SaveResult.Vanished vanished ->
                refuse(arrived, Because.VANISHED, "blocked: its author asked to vanish", now);
            case SaveResult.Expired expired -> refuse(arrived, Because.EXPIRED, "invalid: this event has expired", now);
        };
    }

    private IngestResult refuse(Arrived arrived, Because because, String message, Instant now) {
        refusals.add(Refusal.of(arrived.encoded().event(), because, message, arrived.from(), now));
        return IngestResult.refused(message);
    }
}
