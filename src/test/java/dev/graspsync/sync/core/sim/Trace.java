package dev.graspsync.sync.core.sim;

import java.time.Instant;
import java.util.function.Supplier;

/** What happened in a world, for those who replay one. */
interface Trace {

    Trace OFF = (at, line) -> {};

    void say(Instant at, Supplier<String> line);

    /** To the console, long sets of ids shortened. */
    static Trace printing() {
        return (at, line) -> {
            String text = line.get();
            System.out.println(at + " " + (text.length() > 1_500 ? text.substring(0, 1_500) + "…" : text));
        };
    }
}
