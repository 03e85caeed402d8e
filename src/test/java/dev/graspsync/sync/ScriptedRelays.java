package dev.graspsync.sync;

import static dev.graspsync.sync.RawRelay.accept;
import static dev.graspsync.sync.RawRelay.frame;
import static dev.graspsync.sync.RawRelay.readFrame;
import static dev.graspsync.sync.RawRelay.readToEnd;
import static dev.graspsync.sync.RawRelay.text;
import static dev.graspsync.sync.RawRelay.write;
import static java.nio.charset.StandardCharsets.UTF_8;

import dev.graspsync.nostr.ClientMessage;
import dev.graspsync.nostr.Event;
import dev.graspsync.nostr.Filter;
import dev.graspsync.nostr.RelayMessage;
import dev.graspsync.nostr.RelayMessage.Hint;
import dev.graspsync.nostr.Signature;
import dev.graspsync.wire.ClientMessageReader;
import dev.graspsync.wire.ReadResult;
import dev.graspsync.wire.RelayMessageWriter;
import java.io.IOException;
import java.net.Socket;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;

/** What relays may be like: one that is good, and several that are not. */
final class ScriptedRelays {

    private ScriptedRelays() {}

    /** What a script does about one REQ. */
    private interface Answer {
        void to(Socket client, String subscription, List<Filter> filters) throws IOException;
    }

    /** What a script does about a comparison (NIP-77). */
    private interface Complaint {
        void to(Socket client) throws IOException;
    }

    private static RawRelay.Script answering(Answer answer) {
        return answering(answer, client -> {});
    }

    /** Says that it does not know what it does not know, as relays do. */
    private static RawRelay.Script answeringAll(Answer answer) {
        return answering(answer, client -> send(client, new RelayMessage.Notice("ERROR: bad msg: unknown command")));
    }

    private static RawRelay.Script answering(Answer answer, Complaint aboutComparing) {
        return (client, request) -> {
            write(client, accept(request));
            while (true) {
                byte[] bytes = readFrame(client);
                if (ClientMessageReader.read(bytes, 0, bytes.length)
                        instanceof ReadResult.Message<ClientMessage>(ClientMessage message)) {
                    if (message instanceof ClientMessage.Req(String id, List<Filter> filters)) {
                        answer.to(client, id, filters);
                    } else if (message instanceof ClientMessage.NegOpen) {
                        aboutComparing.to(client);
                    }
                }
            }
        };
    }

    private static void send(Socket client, RelayMessage message) throws IOException {
        write(client, frame(0x81, RelayMessageWriter.write(message)));
    }

    private static void sendMatching(Socket client, String subscription, List<Filter> filters, List<Event> events)
            throws IOException {
        for (Event event : events) {
            if (filters.stream().anyMatch(filter -> filter.limit().orElse(1) > 0 && filter.matches(event))) {
                send(client, new RelayMessage.Event(subscription, event));
            }
        }
    }

    /** Serves its events, newest first, all at once. */
    static RawRelay.Script good(List<Event> events) {
        return capping(events, Integer.MAX_VALUE);
    }

    /** Hands out no more than so many events a filter, whatever is asked. */
    static RawRelay.Script capping(List<Event> events, int cap) {
        return answeringAll(pages(events, cap));
    }

    /** Gives so many answers in small pages, and then the machine is gone. */
    static RawRelay.Script vanishing(List<Event> events, int answers, Runnable gone) {
        Answer pages = pages(events, 50);
        AtomicInteger left = new AtomicInteger(answers);
        return answeringAll((client, subscription, filters) -> {
            if (left.getAndDecrement() <= 0) {
                gone.run();
                throw new IOException("gone");
            }
            pages.to(client, subscription, filters);
        });
    }

    private static Answer pages(List<Event> events, int cap) {
        List<Event> newestFirst = events.stream()
                .sorted(Comparator.comparingLong(Event::createdAt).reversed().thenComparing(Event::id))
                .toList();
        return (client, subscription, filters) -> {
            for (Filter filter : filters) {
                List<Event> page = newestFirst.stream()
                        .filter(filter::matches)
                        .limit(Math.min(cap, filter.limit().orElse(cap)))
                        .toList();
                sendMatching(client, subscription, List.of(filter), page);
            }
            send(client, new RelayMessage.Eose(subscription, Hint.NONE));
        };
    }

    /** Serves events of others, with their true ids and signatures that are none. */
    static RawRelay.Script forger(List<Event> events) {
        Signature none = Signature.ofBytes(new byte[64]);
        return good(events.stream()
                .map(event -> new Event(
                        event.id(),
                        event.pubkey(),
                        event.createdAt(),
                        event.kind(),
                        event.tags(),
                        event.content(),
                        none))
                .toList());
    }

    static RawRelay.Script dropsAtOnce() {
        return (client, request) -> {};
    }

    static RawRelay.Script dropsAfterTheUpgrade() {
        return (client, request) -> write(client, accept(request));
    }

    static RawRelay.Script neverAnswers() {
        return (client, request) -> readToEnd(client);
    }

    static RawRelay.Script neverEnds() {
        return answering((client, subscription, filters) -> {});
    }

    static RawRelay.Script sendsGarbage() {
        Random random = new Random(5);
        return answering((client, subscription, filters) -> {
            byte[] noise = new byte[500];
            random.nextBytes(noise);
            write(
                    client,
                    text("[\"EVENT\",\"" + subscription + "\",{\"id\":1}]"),
                    text("{}"),
                    text("[".repeat(5_000)),
                    frame(0x82, noise));
        });
    }

    /** Announces a message of two gigabytes and begins to send it. */
    static RawRelay.Script sendsOversize() {
        return answering((client, subscription, filters) -> {
            write(client, new byte[] {(byte) 0x81, 127, 0, 0, 0, 0, 0x7f, 0, 0, 0});
            byte[] part = "x".repeat(1 << 16).getBytes(UTF_8);
            for (int i = 0; i < 100; i++) {
                write(client, part);
            }
        });
    }

    /** Answers everything with events that nobody asked for, and notices. */
    static RawRelay.Script floods(List<Event> events, int times) {
        return answering((client, subscription, filters) -> {
            for (int i = 0; i < times; i++) {
                for (Event event : events) {
                    send(client, new RelayMessage.Event(subscription, event));
                }
                write(client, text("[\"NOTICE\",\"there is more\"]"));
            }
            send(client, new RelayMessage.Eose(subscription, Hint.NONE));
        });
    }

    static RawRelay.Script closesEverything() {
        return answeringAll((client, subscription, filters) ->
                send(client, new RelayMessage.Closed(subscription, "blocked: you are not wanted here")));
    }
}
