package dev.graspsync.relay;

import dev.graspsync.nostr.Address;
import dev.graspsync.nostr.EventFields;
import dev.graspsync.nostr.EventId;
import dev.graspsync.nostr.Tag;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * The events and addresses an event names by {@code a}, {@code A}, {@code e}, {@code E} or {@code q}, each once and in
 * the event's order. Unreadable values are left out. A {@code q} may hold either (NIP-10), so every value is read as
 * both.
 */
record References(Set<EventId> ids, Set<Address> addresses) {

    static References of(EventFields event) {
        Set<EventId> ids = new LinkedHashSet<>();
        Set<Address> addresses = new LinkedHashSet<>();
        for (Tag tag : event.tags()) {
            if (isReference(tag.name())) {
                EventId.parse(tag.value()).ifPresent(ids::add);
                Address.parse(tag.value()).ifPresent(addresses::add);
            }
        }
        return new References(ids, addresses);
    }

    private static boolean isReference(String name) {
        return name.length() == 1 && "aAeEq".indexOf(name.charAt(0)) >= 0;
    }

    boolean isEmpty() {
        return ids.isEmpty() && addresses.isEmpty();
    }
}
