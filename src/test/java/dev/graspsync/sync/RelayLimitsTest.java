package dev.graspsync.sync;

import static dev.graspsync.sync.RawRelay.accept;
import static dev.graspsync.sync.RawRelay.frame;
import static dev.graspsync.sync.RawRelay.readToEnd;
import static dev.graspsync.sync.RawRelay.text;
import static dev.graspsync.sync.RawRelay.write;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.graspsync.nostr.ClientMessage;
import dev.graspsync.nostr.RelayMessage;
import dev.graspsync.sync.RecordingListener.Told;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Relays that flood, stall or fall silent are held back or let go (rules 26 and 29). */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class RelayLimitsTest extends ConnectionFixture {

    private static ConnectionLimits pinging(Duration interval) {
        return new ConnectionLimits(
                LIMITS.connectTimeout(),
                LIMITS.hintsTimeout(),
                interval,
                LIMITS.maxMessageBytes(),
                LIMITS.maxOutboundBytes(),
                false);
    }

    @Test
    void someMalformedMessagesAreCountedAndAFloodIsTheEnd() {
        CountDownLatch flood = new CountDownLatch(1);
        connect(raw((client, request) -> {
                    write(client, accept(request));
                    for (int i = 0; i < 300; i++) {
                        write(client, text("{\"not\":\"a message\"}"), text(NOTICE));
                    }
                    flood.await();
                    for (int i = 0; i < 200; i++) {
                        write(client, text("nonsense"));
                    }
                    readToEnd(client);
                })
                .url());

        assertThat(listener.awaitMessages(300)).hasSize(300);
        assertThat(listener.all(Told.Malformed.class)).hasSize(300);
        flood.countDown();
        assertThat(listener.awaitLost()).isEqualTo("too many malformed messages, the last: not a JSON array");
        assertThat(listener.all(Told.Malformed.class)).hasSizeBetween(399, 401);
    }

    @Test
    void aRelayThatDoesNotAnswerPingsIsLost() {
        connect(rawSending().url(), pinging(Duration.ofMillis(100)));

        assertThat(listener.awaitLost()).isEqualTo("no sign of life after 2 pings");
    }

    @Test
    void aRelayThatAnswersPingsStays() throws InterruptedException {
        CountDownLatch pings = new CountDownLatch(8);
        connect(
                raw((client, request) -> {
                            write(client, accept(request));
                            byte[] ping = new byte[6];
                            while (client.getInputStream().readNBytes(ping, 0, 6) == 6) {
                                assertThat(ping[0]).isEqualTo((byte) 0x89);
                                pings.countDown();
                                write(client, frame(0x8a, new byte[0]));
                            }
                        })
                        .url(),
                pinging(Duration.ofMillis(100)));

        assertThat(pings.await(20, TimeUnit.SECONDS)).isTrue();
        assertThat(listener.all(Told.Lost.class)).isEmpty();
    }

    @Test
    void silenceOfARelayThatIsNotReadIsNotHeldAgainstIt() {
        RelayConnection connection = connect(rawSending(text(NOTICE)).url(), pinging(Duration.ofMillis(50)));
        connection.pause();
        listener.awaitOpened();

        await().during(Duration.ofMillis(500)).atMost(Duration.ofSeconds(20)).until(() -> listener.told.size() == 1);
        connection.resume();
        listener.awaitMessages(1);
        assertThat(listener.awaitLost()).contains("no sign of life");
    }

    @Test
    void aRelayThatDoesNotReadIsLostBeforeItsQueueGrows() {
        CountDownLatch over = new CountDownLatch(1);
        open.add(over::countDown);
        RelayConnection connection = connect(raw((client, request) -> {
                    client.setReceiveBufferSize(4096);
                    write(client, accept(request));
                    over.await();
                })
                .url());
        listener.awaitOpened();
        String text = "x".repeat(60_000);
        for (int i = 0; i < 1_000; i++) {
            connection.send(new ClientMessage.Close(text));
        }

        assertThat(listener.awaitLost()).startsWith("the relay does not read: ");
        over.countDown();
    }

    @Test
    void aFloodOfPingsThatNobodyReadsTheAnswersOfIsTheEnd() {
        byte[] pings = new byte[127 * 1_000];
        for (int i = 0; i < 1_000; i++) {
            System.arraycopy(frame(0x89, new byte[125]), 0, pings, i * 127, 127);
        }
        connect(raw((client, request) -> {
                    write(client, accept(request));
                    while (true) {
                        write(client, pings);
                    }
                })
                .url());

        assertThat(listener.awaitLost()).startsWith("the relay does not read: ");
    }

    @Test
    void rule29AFastSenderIsHeldBackWhilePausedAndLosesNothing() {
        int messages = 4_000;
        AtomicLong written = new AtomicLong();
        String filler = "x".repeat(16_000);
        RelayConnection connection = connect(raw((client, request) -> {
                    write(client, accept(request));
                    for (int i = 0; i < messages; i++) {
                        byte[] next = text("[\"NOTICE\",\"" + i + " " + filler + "\"]");
                        write(client, next);
                        written.addAndGet(next.length);
                    }
                    readToEnd(client);
                })
                .url());
        listener.onMessage = message -> connection.pause();
        listener.awaitMessages(1);
        AtomicLong before = new AtomicLong(-1);
        await().pollInterval(Duration.ofMillis(300))
                .atMost(Duration.ofSeconds(20))
                .until(() -> before.getAndSet(written.get()) == written.get());

        assertThat(listener.all(Told.Received.class)).hasSize(1);
        System.out.printf("held back after %,d of %,d bytes%n", written.get(), messages * 16_000L);
        assertThat(written.get()).isLessThan(messages * 16_000L / 2);

        listener.onMessage = message -> {};
        connection.resume();
        List<RelayMessage> all = listener.awaitMessages(messages);
        for (int i = 0; i < messages; i++) {
            assertThat(((RelayMessage.Notice) all.get(i)).message()).startsWith(i + " ");
        }
        listener.assertOrder();
    }

    @Test
    void pausedAndResumedAtEveryMessageNothingIsLostOrReordered() {
        int messages = 500;
        byte[][] frames = new byte[messages][];
        for (int i = 0; i < messages; i++) {
            frames[i] = text("[\"NOTICE\",\"" + i + "\"]");
        }
        RelayConnection connection = connect(rawSending(frames).url());
        listener.onMessage = message -> {
            connection.pause();
            vertx.setTimer(1, later -> connection.resume());
        };

        List<RelayMessage> all = listener.awaitMessages(messages);
        for (int i = 0; i < messages; i++) {
            assertThat(all.get(i)).isEqualTo(new RelayMessage.Notice(String.valueOf(i)));
        }
    }
}
