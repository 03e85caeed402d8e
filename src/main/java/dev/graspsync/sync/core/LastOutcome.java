package dev.graspsync.sync.core;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** How the last batch ended that asked for something, and when (rule 6). */
public record LastOutcome(Outcome outcome, Instant at) {

    /** All that {@link #word} may say. */
    public static final List<String> WORDS =
            List.of("drained", "capped", "closed", "auth-needed", "idle", "lost", "unreconciled", "delayed");

    /** For people and programs. */
    public String word() {
        return switch (outcome) {
            case Outcome.Drained drained -> "drained";
            case Outcome.Capped capped -> "capped";
            case Outcome.Closed closed -> "closed";
            case Outcome.AuthNeeded auth -> "auth-needed";
            case Outcome.Idle idle -> "idle";
            case Outcome.Lost lost -> "lost";
            case Outcome.Unreconciled unreconciled -> "unreconciled";
            case Outcome.Delayed delayed -> "delayed";
        };
    }

    /** What the relay said, or what is to be said about it. */
    public Optional<String> reason() {
        return outcome.reason();
    }
}
