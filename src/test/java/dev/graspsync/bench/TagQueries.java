package dev.graspsync.bench;

import dev.graspsync.process.Corpus;
import dev.graspsync.process.RawClient;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.BooleanSupplier;

/** One client that asks for the thread of a root, or the newest of a repository, again and again. */
final class TagQueries {

    private final List<Long> nanos = new ArrayList<>();
    private long events;

    /** Asks while it may, one query at a time, each until EOSE. */
    static TagQueries run(int port, Corpus corpus, BooleanSupplier goOn) throws IOException {
        TagQueries queries = new TagQueries();
        Random random = new Random(7);
        try (RawClient client = new RawClient(port)) {
            while (goOn.getAsBoolean()) {
                String root = corpus.roots().get(random.nextInt(corpus.roots().size()));
                String address =
                        corpus.addresses().get(random.nextInt(corpus.addresses().size()));
                String filter = switch (random.nextInt(3)) {
                    case 0 -> "{\"#e\":[\"" + root + "\"]}";
                    case 1 -> "{\"#E\":[\"" + root + "\"]}";
                    default -> "{\"#a\":[\"" + address + "\"],\"limit\":20}";
                };
                queries.ask(client, RawClient.frame("[\"REQ\",\"q\"," + filter + "]"));
                client.send("[\"CLOSE\",\"q\"]");
            }
        }
        return queries;
    }

    private void ask(RawClient client, byte[] request) throws IOException {
        long start = System.nanoTime();
        client.send(request);
        client.read((message, length) -> {
            events += RawClient.is("EVENT", message, length) ? 1 : 0;
            return !RawClient.is("EOSE", message, length);
        });
        nanos.add(System.nanoTime() - start);
    }

    int count() {
        return nanos.size();
    }

    long events() {
        return events;
    }

    Duration percentile(double share) {
        List<Long> sorted = nanos.stream().sorted().toList();
        return Duration.ofNanos(sorted.get((int) Math.min(sorted.size() - 1, sorted.size() * share)));
    }
}
