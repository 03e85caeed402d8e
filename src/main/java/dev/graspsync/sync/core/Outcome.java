package dev.graspsync.sync.core;

import java.util.Optional;

/** How a subscription ended: in exactly one of these ways (rule 6). Only all drained confirms a batch. */
public sealed interface Outcome {

    /** In words, where there is more to say than how it ended. */
    default Optional<String> reason() {
        return switch (this) {
            case Drained drained -> Optional.empty();
            case Capped(String why) -> Optional.of(why);
            case Closed(Refusal refusal, String message) -> Optional.of(message);
            case AuthNeeded(String message) -> Optional.of(message);
            case Idle idle -> Optional.of("it did not answer");
            case Lost lost -> Optional.of("the connection was lost");
            case Unreconciled(String why) -> Optional.of(why);
            case Delayed(String why) -> Optional.of(why);
        };
    }

    /** The relay has no more of it. */
    record Drained() implements Outcome {}

    /** The relay has more than it hands out. */
    record Capped(String why) implements Outcome {}

    /** The relay refused. */
    record Closed(Refusal refusal, String message) implements Outcome {}

    /** The relay wants to know who asks, and does not accept who we are. */
    record AuthNeeded(String message) implements Outcome {}

    /** Nothing came for too long. */
    record Idle() implements Outcome {}

    /** The connection was lost. */
    record Lost() implements Outcome {}

    /** Comparing did not work out: asked again at once in another way. */
    record Unreconciled(String why) implements Outcome {}

    /** We had no room or time for it ourselves: asked again later, and the relay is not to blame. */
    record Delayed(String why) implements Outcome {}
}
