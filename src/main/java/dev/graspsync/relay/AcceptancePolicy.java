package dev.graspsync.relay;

import dev.graspsync.nostr.Address;
import dev.graspsync.nostr.EventFields;
import dev.graspsync.nostr.EventId;
import dev.graspsync.nostr.Kind;
import dev.graspsync.nostr.Tag;
import dev.graspsync.relay.Verdict.Accept;
import dev.graspsync.relay.Verdict.Reason;
import dev.graspsync.relay.Verdict.Refuse;
import dev.graspsync.relay.Verdict.Wait;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * GRASP-01's acceptance: announcements by the mode, states of their maintainers, and events that tag, or are tagged by,
 * accepted announcements or root events. Pure; that ids and signatures are right was checked before.
 */
public final class AcceptancePolicy {

    private static final int NAMED_IN_MESSAGE = 3;
    private static final int LONGEST_NAME = 200;

    private final ServiceDomain service;
    private final AnnouncementPolicy announcements;
    private final boolean restoring;

    /** @param domain host[:port] by which announcements name this service */
    public AcceptancePolicy(AcceptanceMode mode, String domain) {
        this(mode, domain, false);
    }

    /**
     * @param restoring whether to take, as merely mentioned, also what lacks what would make it acceptable, and requests
     *     to vanish from whichever relay: what is restored was right where it comes from
     */
    AcceptancePolicy(AcceptanceMode mode, String domain, boolean restoring) {
        service = ServiceDomain.parse(domain);
        announcements = new AnnouncementPolicy(mode, service);
        this.restoring = restoring;
    }

    public Verdict decide(EventFields event, Known known) {
        Verdict verdict = byKind(event, known);
        return restoring && verdict instanceof Wait
                ? new Accept(event.kind() == Kind.DELETION ? Reason.DELETION : Reason.MENTIONED)
                : verdict;
    }

    private Verdict byKind(EventFields event, Known known) {
        return switch (event.kind()) {
            case Kind.REPO_ANNOUNCEMENT -> announcements.decide(event, known);
            case Kind.REPO_STATE -> state(event, known);
            case Kind.DELETION -> deletion(event, known);
            case Kind.VANISH -> vanish(event);
            // NIP-42: it authenticates a connection and is never published.
            case Kind.CLIENT_AUTH -> new Refuse("invalid: authentication is sent as AUTH, not as EVENT");
            default -> other(event, known);
        };
    }

    private Verdict state(EventFields event, Known known) {
        Address address = Address.of(event).orElseThrow();
        if (address.identifier().isEmpty()) {
            return new Refuse("invalid: a repository state needs a d tag");
        }
        if (isKnownRepo(address, known)) {
            return new Accept(Reason.STATE);
        }
        return new Wait(
                "blocked: this relay has neither the announcement %s nor one that lists its author as a maintainer"
                        .formatted(shortened(WaitingKeys.announcementOf(address))),
                WaitingKeys.lackedByState(address));
    }

    /** NIP-09: kept if it concerns anything that is or was here, so that what it deletes does not come back. */
    private Verdict deletion(EventFields event, Known known) {
        References references = References.of(event);
        boolean ofOurs = references.ids().stream().anyMatch(known::wasHere)
                || references.addresses().stream().anyMatch(known::wasHere)
                || isAbout(references, known);
        return ofOurs ? new Accept(Reason.DELETION) : unrelated(event, references);
    }

    private Verdict vanish(EventFields event) {
        // NIP-62: ALL_RELAYS is written in capitals.
        return restoring
                        || values(event, "relay")
                                .anyMatch(value -> value.equals("ALL_RELAYS") || service.isRelay(value))
                ? new Accept(Reason.VANISH)
                : new Refuse("blocked: this request to vanish names neither this relay nor ALL_RELAYS");
    }

    private Verdict other(EventFields event, Known known) {
        if (Kind.isRoot(event.kind()) && namesRepo(event, known)) {
            return new Accept(Reason.ROOT);
        }
        References references = References.of(event);
        if (isAbout(references, known)) {
            return new Accept(Reason.ABOUT);
        }
        return known.isMentioned(event.id(), Address.of(event))
                ? new Accept(Reason.MENTIONED)
                : unrelated(event, references);
    }

    /** NIP-34: a root event may carry several {@code a} tags, and any of them may be ours. */
    private static boolean namesRepo(EventFields event, Known known) {
        for (Tag tag : event.tags()) {
            if (tag.name().equals("a")) {
                Optional<Address> address = Address.parse(tag.value());
                if (address.isPresent() && address.get().isRepo() && known.hasAnnouncement(address.get())) {
                    return true;
                }
            }
        }
        return false;
    }

    private boolean isAbout(References references, Known known) {
        for (Address address : references.addresses()) {
            if (isKnownRepo(address, known)) {
                return true;
            }
        }
        for (EventId id : references.ids()) {
            if (carriesReplies(id, known)) {
                return true;
            }
        }
        return false;
    }

    private boolean isKnownRepo(Address address, Known known) {
        return switch (address.kind()) {
            case Kind.REPO_ANNOUNCEMENT -> known.hasAnnouncement(address);
            case Kind.REPO_STATE ->
                known.hasAnnouncement(WaitingKeys.announcementOf(address))
                        || announcements.isVouchedFor(address, known);
            default -> false;
        };
    }

    private static boolean carriesReplies(EventId id, Known known) {
        return known.reasonOf(id)
                .filter(reason -> switch (reason) {
                    case ANNOUNCEMENT, STATE, ROOT, ABOUT -> true;
                    case MENTIONED, DELETION, VANISH -> false;
                })
                .isPresent();
    }

    private static Verdict unrelated(EventFields event, References references) {
        String message = references.isEmpty()
                ? "blocked: this event names no repository, issue, patch or pull request, and none here names it"
                : "blocked: this relay has none of what this event refers to: " + named(references);
        return new Wait(message, WaitingKeys.lackedBy(event, references));
    }

    private static String named(References references) {
        Set<Object> all = new LinkedHashSet<>(references.addresses());
        all.addAll(references.ids());
        String first = all.stream()
                .limit(NAMED_IN_MESSAGE)
                .map(AcceptancePolicy::shortened)
                .collect(Collectors.joining(", "));
        return all.size() > NAMED_IN_MESSAGE ? first + " and " + (all.size() - NAMED_IN_MESSAGE) + " more" : first;
    }

    /** Answers wait for their client to read them: who names something endless hears its beginning. */
    private static String shortened(Object named) {
        String text = named.toString();
        if (text.length() <= LONGEST_NAME) {
            return text;
        }
        boolean betweenHalves = Character.isHighSurrogate(text.charAt(LONGEST_NAME - 1));
        return text.substring(0, betweenHalves ? LONGEST_NAME - 1 : LONGEST_NAME) + "…";
    }

    /** All values of all tags with this name; {@code relays}, {@code clone} and {@code maintainers} have many. */
    static Stream<String> values(EventFields event, String name) {
        return event.tags(name).flatMap(tag -> tag.values().stream().skip(1));
    }
}
