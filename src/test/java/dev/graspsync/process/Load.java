package dev.graspsync.process;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import dev.graspsync.nostr.Event;
import dev.graspsync.nostr.RelayMessage;
import dev.graspsync.wire.ReadResult;
import dev.graspsync.wire.RelayMessageReader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/** What clients do to the service, each call until it is done. */
public final class Load {

    private static final int CHUNK = 1 << 16;
    private static final long PATIENCE_SECONDS = 300;

    private Load() {}

    /** Frames joined to chunks, so that a write to the socket carries many of them. */
    public static List<byte[]> chunks(List<Corpus.Item> items) {
        List<byte[]> chunks = new ArrayList<>();
        ByteArrayOutputStream chunk = new ByteArrayOutputStream();
        for (Corpus.Item item : items) {
            chunk.writeBytes(RawClient.eventFrame(item.json()));
            if (chunk.size() >= CHUNK) {
                chunks.add(chunk.toByteArray());
                chunk.reset();
            }
        }
        chunks.add(chunk.toByteArray());
        return chunks;
    }

    /** Publishes over several connections and waits for every OK; returns how many said true at once. */
    public static int publish(int port, List<Corpus.Item> items, int connections) throws Exception {
        List<List<Corpus.Item>> parts = new ArrayList<>();
        for (int i = 0; i < connections; i++) {
            parts.add(new ArrayList<>());
        }
        for (int i = 0; i < items.size(); i++) {
            parts.get(i % connections).add(items.get(i));
        }
        List<List<byte[]>> chunks = parts.stream().map(Load::chunks).toList();
        List<Callable<Integer>> readers = new ArrayList<>();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < connections; i++) {
                RawClient client = new RawClient(port);
                int expected = parts.get(i).size();
                List<byte[]> own = chunks.get(i);
                readers.add(() -> {
                    Future<?> sent = threads.submit(() -> {
                        for (byte[] chunk : own) {
                            client.send(chunk);
                        }
                        return null;
                    });
                    int accepted = countAccepted(client, expected);
                    sent.get();
                    client.close();
                    return accepted;
                });
            }
            int accepted = 0;
            for (Future<Integer> reader : threads.invokeAll(readers, PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                accepted += reader.get();
            }
            return accepted;
        }
    }

    private static int countAccepted(RawClient client, int expected) throws IOException {
        int[] seen = new int[2];
        client.read((message, length) -> {
            if (RawClient.is("OK", message, length)) {
                seen[0]++;
                // ["OK","<64 hex>",true,… and only what is not true has words worth a look: the client shares the
                // cores.
                if (message[73] == 't') {
                    seen[1]++;
                } else if (contains(message, length, "rate-limited:") || contains(message, length, "error:")) {
                    throw new IllegalStateException(new String(message, 0, length, UTF_8));
                }
            }
            return seen[0] < expected;
        });
        return seen[1];
    }

    /** Downloads everything in one REQ; returns how many events came. */
    public static int downloadAtOnce(int port) throws IOException {
        try (RawClient client = new RawClient(port)) {
            client.send("[\"REQ\",\"all\",{}]");
            int[] seen = new int[1];
            client.read((message, length) -> {
                if (RawClient.is("EVENT", message, length)) {
                    seen[0]++;
                    return true;
                }
                return !RawClient.is("EOSE", message, length);
            });
            return seen[0];
        }
    }

    /** Downloads everything page by page, each up to the oldest second of the one before; returns how many events. */
    public static int downloadByPages(int port) throws IOException {
        try (RawClient client = new RawClient(port)) {
            Set<Long> ids = new HashSet<>();
            long[] oldest = {Long.MAX_VALUE};
            boolean[] finished = new boolean[1];
            for (int page = 0; !finished[0]; page++) {
                String until = page == 0 ? "" : "\"until\":" + oldest[0];
                client.send("[\"REQ\",\"page\",{" + until + "}]");
                client.read((message, length) -> {
                    if (RawClient.is("EVENT", message, length)) {
                        // ["EVENT","page",{"id":"… and then pubkey and created_at, always at the same place
                        ids.add(Long.parseUnsignedLong(new String(message, 23, 16, ISO_8859_1), 16));
                        oldest[0] = number(message, 23 + 64 + 12 + 64 + 15);
                        return true;
                    }
                    finished[0] = contains(message, length, "finish");
                    return !RawClient.is("EOSE", message, length);
                });
            }
            return ids.size();
        }
    }

    /** The ids, in hex, of everything any relay has, read page by page until a page brings nothing new. */
    public static Set<String> ids(int port) throws IOException {
        try (RawClient client = new RawClient(port)) {
            Set<String> ids = new HashSet<>();
            long[] oldest = {Long.MAX_VALUE};
            int before = -1;
            while (ids.size() > before) {
                before = ids.size();
                String until = before == 0 ? "" : "\"until\":" + oldest[0];
                client.send("[\"REQ\",\"ids\",{" + until + "}]");
                client.read((message, length) -> switch (RelayMessageReader.read(message, 0, length)) {
                    case ReadResult.Message<RelayMessage>(RelayMessage.Event(String id, Event event)) -> {
                        ids.add(event.id().hex());
                        oldest[0] = Math.min(oldest[0], event.createdAt());
                        yield true;
                    }
                    case ReadResult.Message<RelayMessage>(RelayMessage.Eose eose) -> false;
                    default -> true;
                });
            }
            return ids;
        }
    }

    private static long number(byte[] message, int from) {
        long value = 0;
        for (int i = from; message[i] >= '0' && message[i] <= '9'; i++) {
            value = value * 10 + message[i] - '0';
        }
        return value;
    }

    private static boolean contains(byte[] message, int length, String text) {
        return new String(message, 0, Math.min(length, 200), ISO_8859_1).contains(text);
    }

    public static long count(int port) throws IOException {
        try (RawClient client = new RawClient(port)) {
            client.send("[\"COUNT\",\"c\",{}]");
            long[] count = new long[1];
            client.read((message, length) -> {
                boolean answered = RawClient.is("COUNT", message, length);
                if (answered) {
                    count[0] = number(message, "[\"COUNT\",\"c\",{\"count\":".length());
                }
                return !answered;
            });
            return count[0];
        }
    }

    /** Opens subscribers, lets {@code publish} run, and waits until each has got {@code expected} live events. */
    public static void fanOut(int port, int subscribers, int expected, Callable<?> publish) throws Exception {
        List<RawClient> clients = new ArrayList<>();
        CountDownLatch ready = new CountDownLatch(subscribers);
        CountDownLatch served = new CountDownLatch(subscribers);
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < subscribers; i++) {
                RawClient client = new RawClient(port);
                clients.add(client);
                client.send("[\"REQ\",\"live\",{\"limit\":0}]");
                threads.submit(() -> {
                    int[] seen = new int[1];
                    client.read((message, length) -> {
                        if (RawClient.is("EOSE", message, length)) {
                            ready.countDown();
                        } else if (RawClient.is("EVENT", message, length)) {
                            seen[0]++;
                        }
                        return seen[0] < expected;
                    });
                    served.countDown();
                    return null;
                });
            }
            await(ready);
            publish.call();
            await(served);
            for (RawClient client : clients) {
                client.close();
            }
        }
    }

    private static void await(CountDownLatch latch) throws InterruptedException {
        if (!latch.await(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
            throw new IllegalStateException(latch.getCount() + " subscribers were not served in time");
        }
    }
}
