package dev.graspsync.sync.core;

/** How a subscription ended: in exactly one of these ways (rule 6). Only all drained confirms a batch. */
public sealed interface Outcome {

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
}
