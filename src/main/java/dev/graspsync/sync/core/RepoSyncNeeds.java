package dev.graspsync.sync.core;

import dev.graspsync.nostr.EventId;
import dev.graspsync.nostr.PublicKey;
import dev.graspsync.nostr.RelayUrl;
import dev.graspsync.nostr.RepoAddress;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What is wanted about one repository: the relays its announcement names, and items numbered in the order they were
 * found. Numbers never change, so that each relay keeps its progress as a few bits an item.
 */
final class RepoSyncNeeds {

    private final List<Item> items = new ArrayList<>(1);
    private final Map<Item, Integer> numbers = new HashMap<>();
    /** Items that were deleted: nobody asks about them any more. */
    private final BitSet gone = new BitSet();

    /** Items of layer 4. */
    private final BitSet references = new BitSet();
    /** Items that may not be wanted any more after a restart. */
    private final BitSet passing = new BitSet();

    /** Root events that the own relay showed since it was last begun to be read. */
    private final BitSet seen = new BitSet();

    private final List<RepoSyncNeeds> alone = List.of(this);
    private EventId announcement;
    private long createdAt;
    private Set<RelayUrl> relays = Collections.emptySet();
    private long seenInDrain;
    private int live;
    private int named;
    private long digest;
    /** Of all its relays together. */
    private long itemsAtRelays;

    private long confirmedAtRelays;

    RepoSyncNeeds(Item first, EventId announcement, long createdAt) {
        this.announcement = announcement;
        this.createdAt = createdAt;
        add(first);
    }

    static RepoSyncNeeds of(RepoAddress repo, EventId announcement, long createdAt) {
        return new RepoSyncNeeds(new Item.Repo(repo), announcement, createdAt);
    }

    RepoAddress address() {
        return ((Item.Repo) items.getFirst()).address();
    }

    PublicKey author() {
        return address().pubkey();
    }

    /** Whether the item is new, or back. */
    boolean add(Item item) {
        Integer known = numbers.putIfAbsent(item, items.size());
        seen.set(known == null ? items.size() : known);
        if (known == null) {
            if (item.layer() == Layer.REFERENCES) {
                references.set(items.size());
                named++;
            }
            passing.set(items.size(), !item.isLasting());
            items.add(item);
            count(item, 1);
            return true;
        }
        boolean back = gone.get(known);
        if (back) {
            gone.clear(known);
            count(item, 1);
        }
        return back;
    }

    /** Items of layer 4, as long as there are not too many; whether one of them is new. */
    boolean addNamed(List<Item> more, int most) {
        boolean grown = false;
        for (Item item : more) {
            grown |= (named < most || numbers.containsKey(item)) && add(item);
        }
        return grown;
    }

    /** A list of this one, for those who keep many. */
    List<RepoSyncNeeds> alone() {
        return alone;
    }

    void forgetSeen() {
        seen.clear();
    }

    List<EventId> unseenRoots() {
        return roots(seen);
    }

    /** The root events, for the time when the repository comes back. */
    List<EventId> rootIds() {
        return roots(new BitSet());
    }

    private List<EventId> roots(BitSet without) {
        BitSet there = new BitSet();
        there.set(0, items.size());
        there.andNot(gone);
        there.andNot(references);
        there.andNot(without);
        List<EventId> roots = new ArrayList<>();
        for (int i = there.nextSetBit(0); i >= 0; i = there.nextSetBit(i + 1)) {
            if (items.get(i) instanceof Item.Root(EventId id)) {
                roots.add(id);
            }
        }
        return roots;
    }

    boolean remove(Item item) {
        Integer known = numbers.get(item);
        if (known == null || gone.get(known)) {
            return false;
        }
        gone.set(known);
        count(item, -1);
        return true;
    }

    private void count(Item item, int more) {
        live += item.isLive() ? more : 0;
        digest += item.isLasting() ? more * item.digest() : 0;
    }

    /** Stands for the repository with exactly its present items, in whatever order they were found. */
    long digest() {
        return digest;
    }

    /** All items but those that may be gone after a restart. */
    BitSet lasting() {
        BitSet lasting = new BitSet();
        lasting.set(0, items.size());
        lasting.andNot(gone);
        lasting.andNot(passing);
        return lasting;
    }

    /** How many items want a live subscription. */
    int liveSize() {
        return live;
    }

    int size() {
        return items.size();
    }

    Item item(int number) {
        return items.get(number);
    }

    BitSet gone() {
        return gone;
    }

    /** How many of its items there are, and among the given numbers. */
    Tally tally(BitSet confirmed, BitSet pending) {
        int all = items.size() - gone.cardinality();
        int named = references(references);
        Count first = Count.of(1, confirmed.get(0) ? 1 : 0, pending.get(0) ? 1 : 0);
        Count ofReferences = Count.of(named, references(confirmed), references(pending));
        Count sum = Count.of(all, there(confirmed), there(pending));
        return new Tally(first, sum.minus(first).minus(ofReferences), ofReferences);
    }

    private int there(BitSet numbers) {
        if (gone.isEmpty()) {
            return numbers.cardinality();
        }
        BitSet there = (BitSet) numbers.clone();
        there.andNot(gone);
        return there.cardinality();
    }

    private int references(BitSet numbers) {
        if (references.isEmpty()) {
            return 0;
        }
        BitSet there = (BitSet) numbers.clone();
        there.and(references);
        return there(there);
    }

    int roots() {
        return items.size() - gone.cardinality() - references(references) - 1;
    }

    /** What one of its relays has more or less. */
    void counted(Count more) {
        itemsAtRelays += more.items();
        confirmedAtRelays += more.confirmed();
    }

    long itemsAtRelays() {
        return itemsAtRelays;
    }

    long confirmedAtRelays() {
        return confirmedAtRelays;
    }

    Set<RelayUrl> relays() {
        return relays;
    }

    /** NIP-01: the newest counts; in the same second the lowest id. The same one counts again, it changes nothing. */
    boolean isOutrankedBy(SyncInput.Announced other) {
        return other.createdAt() != createdAt
                ? other.createdAt() > createdAt
                : other.id().compareTo(announcement) <= 0;
    }

    void announce(EventId id, long at, Set<RelayUrl> named) {
        announcement = id;
        createdAt = at;
        relays = Collections.unmodifiableSet(named);
    }

    EventId announcement() {
        return announcement;
    }

    long createdAt() {
        return createdAt;
    }

    long seenInDrain() {
        return seenInDrain;
    }

    void seenInDrain(long drain) {
        seenInDrain = drain;
    }
}
