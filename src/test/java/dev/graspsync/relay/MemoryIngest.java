package dev.graspsync.relay;

import dev.graspsync.nostr.Address;
import dev.graspsync.nostr.EventFields;
import dev.graspsync.nostr.EventId;
import dev.graspsync.nostr.Filter;
import dev.graspsync.nostr.Kind;
import dev.graspsync.nostr.PublicKey;
import dev.graspsync.relay.Verdict.Reason;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * The ingest's last stage for events without signatures: {@link EventWriter}'s decisions with the real policy and the
 * real waiting room, over maps instead of a file. What a simulation of years needs is that each look-up is a hash.
 */
public final class MemoryIngest<E extends EventFields> implements Known {

    /** Hears of changes, in their order. */
    public interface Listener<E> {
        void stored(E event);

        /**
         * An event is no longer held. That a newer version took its place is not told.
         *
         * @param upToCreatedAt no version of its address up to this second comes back
         */
        void gone(E event, long upToCreatedAt);
    }

    private enum State {
        LIVE,
        GONE
    }

    private record Held<E>(E event, Reason reason, State state) {}

    private final AcceptancePolicy policy;
    private final Listener<E> listener;
    private final Map<EventId, Held<E>> byId = new LinkedHashMap<>();
    /** The newest version known of each address: live, deleted, expired, or the one that took the repository off. */
    private final Map<Address, Held<E>> heads = new HashMap<>();

    private final Map<String, Set<Address>> announced = new HashMap<>();
    /** By what is accepted as an announcement or a root event, and not because it is mentioned itself. */
    private final Map<String, Integer> mentions = new HashMap<>();

    private final Map<String, List<E>> deletions = new HashMap<>();
    private UnwantedEvents unwanted = new UnwantedEvents();
    private RejectedIds rejected = new RejectedIds(unwanted::remove);
    private WaitingRoom<E> waiting = new WaitingRoom<>(20_000, 32L << 20);

    public MemoryIngest(String domain, Listener<E> listener) {
        policy = new AcceptancePolicy(AcceptanceMode.HOSTED, domain);
        this.listener = listener;
    }

    /** What a new process does not have any more: hot copies of refused events, and after a crash the memory of them. */
    public void restart(boolean crashed) {
        waiting = new WaitingRoom<>(20_000, 32L << 20);
        if (!crashed) {
            return;
        }
        unwanted = new UnwantedEvents();
        rejected = new RejectedIds(unwanted::remove);
    }

    /** Whether a comparison counts an event as here: it is, or was, or was refused. */
    public boolean needsNoFetch(EventId id) {
        return byId.containsKey(id) || unwanted.contains(id);
    }

    public int countMatching(Filter filter) {
        return (int) byId.values().stream()
                .filter(held -> held.state == State.LIVE && filter.matches(held.event))
                .count();
    }

    public void ingest(E arrived, Instant now) {
        Deque<E> next = new ArrayDeque<>(List.of(arrived));
        while (!next.isEmpty()) {
            E event = next.poll();
            if (!byId.containsKey(event.id())) {
                next.addAll(decide(event, now));
            }
        }
    }

    /** What waited for the event. */
    private List<E> decide(E event, Instant now) {
        switch (policy.decide(event, this)) {
            case Verdict.Accept(Reason reason) -> {
                if (!isObstructed(event, now)) {
                    List<Address> vouchedFor = vouchedFor(event);
                    save(event, reason);
                    takeOff(vouchedFor);
                    Set<String> brought = WaitingKeys.broughtBy(event, reason);
                    rejected.forgetThoseLacking(brought, now);
                    return waiting.takeFor(brought, now);
                }
                unwanted.add(event, now);
            }
            case Verdict.Wait(String message, Set<String> lacks) -> {
                waiting.add(event.id(), lacks, 1, event, now);
                rejected.add(event.id(), lacks, now);
                if (rejected.contains(event.id())) {
                    unwanted.add(event, now);
                }
            }
            case Verdict.Delisted(String message, Address address) -> {
                List<Address> vouchedFor = vouchedFor(event);
                delist(event, address);
                takeOff(vouchedFor);
                unwanted.add(event, now);
            }
            case Verdict.Refuse refuse -> unwanted.add(event, now);
        }
        return List.of();
    }

    /** Whether storing this event now would change anything: the oracle's question. */
    public boolean wants(E event, Instant now) {
        if (byId.containsKey(event.id())) {
            return false;
        }
        return switch (policy.decide(event, this)) {
            case Verdict.Accept accept -> !isObstructed(event, now);
            case Verdict.Delisted(String message, Address address) -> !isOutranked(event, address);
            case Verdict.Wait wait -> false;
            case Verdict.Refuse refuse -> false;
        };
    }

    public List<E> removeExpired(Instant now) {
        List<E> expired = live().stream()
                .filter(event -> event.isExpired(now.getEpochSecond()))
                .toList();
        expired.forEach(event -> remove(event, event.createdAt()));
        return expired;
    }

    public List<E> live() {
        return byId.values().stream()
                .filter(held -> held.state == State.LIVE)
                .map(Held::event)
                .toList();
    }

    public boolean isLive(EventId id) {
        return reasonOf(id).isPresent();
    }

    /** The ids an event names by e, E, q, a or A and that are not here. */
    public List<EventId> lackedIds(E event) {
        return lacked(References.of(event).ids(), this::wasHere);
    }

    public List<Address> lackedAddresses(E event) {
        return lacked(References.of(event).addresses(), this::wasHere);
    }

    private static <T> List<T> lacked(Collection<T> named, Predicate<T> here) {
        return named.stream().filter(one -> !here.test(one)).toList();
    }

    private boolean isObstructed(E event, Instant now) {
        return Kind.isEphemeral(event.kind())
                || event.isExpired(now.getEpochSecond())
                || isDeleted(event)
                || Address.of(event)
                        .filter(address -> isOutranked(event, address))
                        .isPresent();
    }

    private boolean isOutranked(E event, Address address) {
        Held<E> head = heads.get(address);
        return head != null && outranks(head.event, event);
    }

    private static boolean outranks(EventFields one, EventFields other) {
        return one.createdAt() != other.createdAt()
                ? one.createdAt() > other.createdAt()
                : one.id().compareTo(other.id()) < 0;
    }

    private boolean isDeleted(E event) {
        if (event.kind() == Kind.DELETION) {
            return false;
        }
        return deletionsOf(event, event.id().hex()).findAny().isPresent()
                || Address.of(event)
                        .filter(address -> deletionsOf(event, address.toString())
                                .anyMatch(deletion -> deletion.createdAt() >= event.createdAt()))
                        .isPresent();
    }

    private Stream<E> deletionsOf(E event, String target) {
        return deletions.getOrDefault(target, List.of()).stream()
                .filter(deletion -> deletion.pubkey().equals(event.pubkey()));
    }

    private void save(E event, Reason reason) {
        Held<E> held = new Held<>(event, reason, State.LIVE);
        Address.of(event).ifPresent(address -> {
            Held<E> old = heads.get(address);
            if (old != null && old.state == State.LIVE) {
                markGone(old);
            }
            heads.put(address, held);
            if (address.isRepo()) {
                announced
                        .computeIfAbsent(address.identifier(), none -> new LinkedHashSet<>())
                        .add(address);
            }
        });
        byId.put(event.id(), held);
        mention(held, 1);
        listener.stored(event);
        if (event.kind() == Kind.DELETION) {
            delete(event);
        }
    }

    private void delete(E deletion) {
        List<E> targets = new ArrayList<>();
        deletion.tags("e").forEach(tag -> {
            deletions.computeIfAbsent(tag.value(), none -> new ArrayList<>()).add(deletion);
            EventId.parse(tag.value())
                    .map(byId::get)
                    .filter(held -> held.state == State.LIVE)
                    .map(Held::event)
                    .ifPresent(targets::add);
        });
        deletion.tags("a").forEach(tag -> {
            deletions.computeIfAbsent(tag.value(), none -> new ArrayList<>()).add(deletion);
            Address.parse(tag.value())
                    .map(heads::get)
                    .filter(held -> held.state == State.LIVE && held.event.createdAt() <= deletion.createdAt())
                    .map(Held::event)
                    .ifPresent(targets::add);
        });
        targets.stream()
                .filter(target -> target.pubkey().equals(deletion.pubkey()) && target.kind() != Kind.DELETION)
                .forEach(target -> remove(target, Math.max(target.createdAt(), deletion.createdAt())));
    }

    private void delist(E event, Address address) {
        if (isOutranked(event, address)) {
            return; // relays replay old versions too
        }
        Held<E> old = heads.get(address);
        Held<E> marker = new Held<>(event, Reason.ANNOUNCEMENT, State.GONE);
        if (old != null && old.state == State.LIVE) {
            remove(old.event, event.createdAt());
        }
        heads.put(address, marker);
        byId.put(event.id(), marker);
    }

    private void remove(E event, long upToCreatedAt) {
        Held<E> held = byId.get(event.id());
        if (held == null || held.state == State.GONE) {
            return;
        }
        markGone(held);
        Address.of(event).ifPresent(address -> {
            heads.put(address, new Held<>(event, held.reason, State.GONE));
            announced.getOrDefault(address.identifier(), new LinkedHashSet<>()).remove(address);
        });
        listener.gone(event, upToCreatedAt);
    }

    private void markGone(Held<E> held) {
        byId.put(held.event.id(), new Held<>(held.event, held.reason, State.GONE));
        mention(held, -1);
    }

    /** {@link VouchedFor}, over maps. */
    private List<Address> vouchedFor(E event) {
        List<E> changed = new ArrayList<>();
        Address.of(event).map(heads::get).map(Held::event).ifPresent(changed::add);
        if (event.kind() == Kind.DELETION) {
            event.tags("e")
                    .flatMap(tag -> EventId.parse(tag.value()).map(byId::get).stream())
                    .forEach(held -> changed.add(held.event));
            event.tags("a")
                    .flatMap(tag -> Address.parse(tag.value()).map(heads::get).stream())
                    .forEach(held -> changed.add(held.event));
        }
        return changed.stream()
                .filter(one -> one.kind() == Kind.REPO_ANNOUNCEMENT)
                .flatMap(one -> AcceptancePolicy.values(one, "maintainers")
                        .flatMap(hex -> PublicKey.parse(hex).stream())
                        .map(key -> new Address(
                                Kind.REPO_ANNOUNCEMENT, key, one.firstValue("d").orElse(""))))
                .toList();
    }

    private void takeOff(List<Address> vouchedFor) {
        for (Address address : vouchedFor) {
            Held<E> head = heads.get(address);
            if (head != null
                    && head.state == State.LIVE
                    && policy.decide(head.event, this) instanceof Verdict.Delisted) {
                remove(head.event, head.event.createdAt());
                byId.remove(head.event.id());
                heads.remove(address);
            }
        }
    }

    private void mention(Held<E> held, int times) {
        if (held.reason == Reason.ANNOUNCEMENT || held.reason == Reason.ROOT) {
            References references = References.of(held.event);
            references.ids().forEach(id -> mentions.merge(id.hex(), times, Integer::sum));
            references.addresses().forEach(address -> mentions.merge(address.toString(), times, Integer::sum));
        }
    }

    @Override
    public Optional<Reason> reasonOf(EventId id) {
        return Optional.ofNullable(byId.get(id))
                .filter(held -> held.state == State.LIVE)
                .map(Held::reason);
    }

    @Override
    public boolean hasAnnouncement(Address repo) {
        Held<E> head = heads.get(repo);
        return repo.isRepo() && head != null && head.state == State.LIVE;
    }

    @Override
    public boolean isMaintainer(String identifier, PublicKey author, Predicate<EventFields> vouching) {
        return announced.getOrDefault(identifier, Set.of()).stream()
                .filter(address -> !address.pubkey().equals(author))
                .map(heads::get)
                .filter(held -> held != null && held.state == State.LIVE && vouching.test(held.event))
                .flatMap(held -> held.event.tags("maintainers"))
                .anyMatch(tag -> tag.values().contains(author.hex()));
    }

    @Override
    public boolean isMentioned(EventId id, Optional<Address> address) {
        return isMentioned(id.hex())
                || address.filter(named -> isMentioned(named.toString())).isPresent();
    }

    private boolean isMentioned(String idOrAddress) {
        return mentions.getOrDefault(idOrAddress, 0) > 0;
    }

    @Override
    public boolean wasHere(EventId id) {
        return byId.containsKey(id);
    }

    @Override
    public boolean wasHere(Address address) {
        return heads.containsKey(address);
    }
}
