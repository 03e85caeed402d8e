package dev.graspsync.sync.core.sim;

import java.time.Instant;
import java.util.function.Supplier;

/** What happened in a world, for those who replay one. */
interface Trace {

    /** Of a line; filters with many ids are long. */
    int LONGEST = Integer.getInteger("sim.longest", 1_500);

    Trace OFF = (at, line) -> {};

    void say(Instant at, Supplier<String> line);

    /** To the console, long sets of ids shortened. */
    static Trace printing() {
        return (at, line) -> {
            String text = line.get();
            System.out.println(at + " " + (text.length() > LONGEST ? text.substring(0, LONGEST) + "…" : text));
        };
    }
}
