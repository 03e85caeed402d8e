package dev.graspsync.sync.core;

import java.time.Instant;
import java.util.BitSet;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * How far one repository is synced from one relay: a bit an item and state. An item is confirmed, or pending, or
 * wanted; never two of these. A wanted item is stale where only what came since the last contact is missing.
 */
final class RepoAtRelay {

    private final RepoSyncNeeds repo;
    private final BitSet confirmed = new BitSet();
    private final BitSet pending = new BitSet();
    private final BitSet stale = new BitSet();
    /** Confirmed at least once before: what is found now, the live side had missed. */
    private final BitSet again = new BitSet();
    /** Pending while the live side was broken: their history may have been past what came then. */
    private final BitSet missed = new BitSet();
    /** In the filters of a live subscription. */
    private final BitSet live = new BitSet();

    /** Wanted, but not before a time: what a batch brought back keeps no other item of the repository waiting. */
    private final BitSet held = new BitSet();

    private final NavigableMap<Instant, BitSet> heldUntil = new TreeMap<>();
    private int returns;
    private boolean removed;

    /** What its relay counts again when it is next looked at. */
    private final Set<RepoAtRelay> changed;

    private Tally counted = Tally.NONE;
    private @Nullable LastOutcome last;
    private @Nullable LastOutcome failure;

    RepoAtRelay(RepoSyncNeeds repo, Set<RepoAtRelay> changed) {
        this.repo = repo;
        this.changed = changed;
    }

    RepoSyncNeeds repo() {
        return repo;
    }

    BitSet wanted() {
        BitSet wanted = new BitSet();
        wanted.set(0, repo.size());
        wanted.andNot(repo.gone());
        wanted.andNot(confirmed);
        wanted.andNot(pending);
        wanted.andNot(held);
        return wanted;
    }

    boolean hasWanted() {
        return !wanted().isEmpty();
    }

    boolean isConfirmed(int number) {
        return confirmed.get(number);
    }

    boolean isStale(int number) {
        return stale.get(number);
    }

    boolean isAgain(int number) {
        return again.get(number);
    }

    int againCount() {
        return again.cardinality();
    }

    /** What no live subscription asks for yet. */
    BitSet unlive() {
        BitSet missing = new BitSet();
        missing.set(0, repo.size());
        missing.andNot(repo.gone());
        missing.andNot(live);
        return missing;
    }

    void setLive(BitSet numbers) {
        live.or(numbers);
    }

    void clearLive() {
        live.clear();
    }

    void begin(BitSet numbers) {
        changed();
        pending.or(numbers);
    }

    void confirm(BitSet numbers) {
        changed();
        BitSet whole = (BitSet) numbers.clone();
        whole.andNot(missed);
        BitSet broken = (BitSet) numbers.clone();
        broken.and(missed);
        missed.andNot(numbers);
        pending.andNot(numbers);
        stale.andNot(whole);
        stale.or(broken);
        confirmed.or(whole);
        again.or(numbers);
        returns = 0;
    }

    /** Pending items are wanted again, now or later; those that were stale are so still. */
    void giveBack(BitSet numbers, Instant at, Instant now) {
        changed();
        pending.andNot(numbers);
        missed.andNot(numbers);
        if (at.isAfter(now)) {
            held.or(numbers);
            heldUntil.computeIfAbsent(at, none -> new BitSet()).or(numbers);
        }
        returns++;
    }

    /** Lets go of what was held until now; an item may be held by a later batch still. */
    void release(Instant now) {
        if (heldUntil.isEmpty() || heldUntil.firstKey().isAfter(now)) {
            return;
        }
        heldUntil.headMap(now, true).clear();
        held.clear();
        heldUntil.values().forEach(held::or);
    }

    /** When the next held items are wanted; null where none are. */
    @Nullable
    Instant nextRelease() {
        return heldUntil.isEmpty() ? null : heldUntil.firstKey();
    }

    /** What was confirmed is so no longer: only what came since the last contact is missing. */
    void becomeStale() {
        changed();
        stale.or(confirmed);
        confirmed.clear();
        missed.or(pending);
    }

    /** Nothing is confirmed any more: everything is asked for again. */
    void startOver() {
        changed();
        stale.clear();
        confirmed.clear();
        held.clear();
        heldUntil.clear();
        missed.clear();
        returns = 0;
    }

    boolean hasStale() {
        return !stale.isEmpty();
    }

    /** Whether everything was confirmed once, and at most what came since is missing; what may be gone after a restart aside. */
    boolean isSyncedOnce() {
        BitSet lacking = repo.lasting();
        lacking.andNot(confirmed);
        lacking.andNot(stale);
        return lacking.isEmpty();
    }

    /** It was confirmed before a restart. */
    void restore() {
        changed();
        BitSet synced = repo.lasting();
        stale.or(synced);
        again.or(synced);
    }

    /** How often in a row its items came back unconfirmed. */
    int returns() {
        return returns;
    }

    boolean isRemoved() {
        return removed;
    }

    void remove() {
        removed = true;
    }

    /** Its counts are to be looked at again. */
    void changed() {
        if (!removed) {
            changed.add(this);
        }
    }

    /** Counts again; returns what has become more or less. */
    Tally recount() {
        Tally before = counted;
        counted = count();
        return counted.minus(before);
    }

    /** How it stands now. */
    Tally count() {
        return repo.tally(confirmed, pending);
    }

    Tally counted() {
        return counted;
    }

    void ended(LastOutcome outcome) {
        last = outcome;
        failure = outcome.outcome() instanceof Outcome.Drained ? failure : outcome;
    }

    /** How the last question ended; while some of it is held back, why that is, whatever else was answered meanwhile. */
    Optional<LastOutcome> last() {
        return Optional.ofNullable(held.isEmpty() ? last : failure);
    }

    int confirmedCount() {
        return confirmed.cardinality();
    }

    void check() {
        if (confirmed.intersects(pending) || confirmed.intersects(stale)) {
            throw new IllegalStateException("an item sits in two places");
        }
    }
}
