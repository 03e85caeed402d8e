package dev.graspsync.wire;

import java.util.OptionalInt;

/** What a relay's NIP-11 document says of its limits; absent where it says nothing, or nothing that makes sense. */
public record RelayLimitation(
        OptionalInt maxLimit, OptionalInt maxSubscriptions, OptionalInt maxMessageLength, OptionalInt maxFilters) {

    public static final RelayLimitation NONE =
            new RelayLimitation(OptionalInt.empty(), OptionalInt.empty(), OptionalInt.empty(), OptionalInt.empty());
}
