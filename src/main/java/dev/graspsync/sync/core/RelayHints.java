package dev.graspsync.sync.core;

import java.util.OptionalInt;

/** What a relay's NIP-11 document says of its limits: a first guess, which refusals correct. */
public record RelayHints(
        OptionalInt maxLimit, OptionalInt maxSubscriptions, OptionalInt maxMessageLength, OptionalInt maxFilters) {

    public static final RelayHints NONE =
            new RelayHints(OptionalInt.empty(), OptionalInt.empty(), OptionalInt.empty(), OptionalInt.empty());
}
