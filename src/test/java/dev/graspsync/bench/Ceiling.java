package dev.graspsync.bench;

import static org.assertj.core.api.Assertions.assertThat;

import dev.graspsync.nostr.EventVerifier;
import dev.graspsync.process.Corpus;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;

/** What no relay on this machine can exceed: signatures checked on all cores, and nothing else done. */
final class Ceiling {

    private static final int STRIDE = 64;

    private Ceiling() {}

    static Measured verifyAll(Corpus corpus) throws Exception {
        EventVerifier verifier = EventVerifier.best();
        int cores = Runtime.getRuntime().availableProcessors();
        return Measured.of(corpus.size(), null, () -> {
            AtomicInteger next = new AtomicInteger();
            Callable<Boolean> task = () -> {
                List<Corpus.Item> items = corpus.items();
                for (int from = next.getAndAdd(STRIDE); from < items.size(); from = next.getAndAdd(STRIDE)) {
                    for (Corpus.Item item : items.subList(from, Math.min(items.size(), from + STRIDE))) {
                        if (!verifier.verify(item.event())) {
                            return false;
                        }
                    }
                }
                return true;
            };
            try (ExecutorService threads = Executors.newFixedThreadPool(cores)) {
                for (Future<Boolean> all : threads.invokeAll(java.util.Collections.nCopies(cores, task))) {
                    assertThat(all.get()).isTrue();
                }
            }
        });
    }
}
