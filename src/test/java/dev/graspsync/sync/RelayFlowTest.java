package dev.graspsync.sync;

import static dev.graspsync.sync.RawRelay.accept;
import static dev.graspsync.sync.RawRelay.readFrame;
import static dev.graspsync.sync.RawRelay.readToEnd;
import static dev.graspsync.sync.RawRelay.text;
import static dev.graspsync.sync.RawRelay.write;
import static org.assertj.core.api.Assertions.assertThat;

import dev.graspsync.nostr.ClientMessage;
import dev.graspsync.nostr.RelayMessage;
import dev.graspsync.sync.core.RelayHints;
import java.io.ByteArrayOutputStream;
import java.net.InetAddress;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Much over one connection, in either direction. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class RelayFlowTest extends ConnectionFixture {

    private static final int NOTICES = 30_000;

    @Test
    void aRelayThatReadsMayBeToldMoreThanMayWaitAtOnce() {
        RelayConnection connection = connect(raw((client, request) -> {
                    write(client, accept(request));
                    while (true) {
                        readFrame(client);
                        write(client, text(NOTICE));
                    }
                })
                .url());
        listener.awaitOpened();
        String text = "x".repeat(60_000);
        for (int i = 1; i <= 20; i++) {
            connection.send(new ClientMessage.Close(text));
            listener.awaitMessages(i);
        }

        assertThat(20 * text.length()).isGreaterThan(LIMITS.maxOutboundBytes());
    }

    @Test
    void pausesInTheMiddleOfWhatWasReadLoseAndMixNothing() throws Exception {
        RawRelay relay = raw((client, request) -> {
            write(client, accept(request));
            ByteArrayOutputStream some = new ByteArrayOutputStream();
            for (int i = 0; i < NOTICES; i++) {
                some.writeBytes(text("[\"NOTICE\",\"" + i + " " + "x".repeat(i % 101 == 0 ? 40_000 : i % 997) + "\"]"));
                if (some.size() > 100_000 || i == NOTICES - 1) {
                    write(client, some.toByteArray());
                    some.reset();
                }
            }
            readToEnd(client);
        });
        Hesitant hesitant = new Hesitant();
        RelayConnector connector = connector(LIMITS, InetAddress::getAllByName);
        hesitant.connection = connector.prepare(relay.url(), hesitant, connector.newContext());
        hesitant.connection.start();

        assertThat(hesitant.all.await(50, TimeUnit.SECONDS))
                .as("all came; wrong: %s", hesitant.wrong)
                .isTrue();
        assertThat(hesitant.wrong).isEmpty();
    }

    /** Pauses now and then, and goes on a little later. */
    private final class Hesitant implements RelayListener {

        final CountDownLatch all = new CountDownLatch(NOTICES);
        final List<String> wrong = new CopyOnWriteArrayList<>();

        @Nullable
        RelayConnection connection;

        private int next;

        @Override
        public void received(RelayMessage message) {
            RelayConnection open = java.util.Objects.requireNonNull(connection);
            if (message instanceof RelayMessage.Notice(String text) && text.startsWith(next + " ")) {
                next++;
            } else {
                wrong.add(next + ": " + message);
            }
            all.countDown();
            if (next % 1_000 == 0) {
                open.pause();
                vertx.setTimer(20, later -> open.resume());
            } else if (next % 7 == 0) {
                open.pause();
                if (next % 2 == 0) {
                    open.onLoop(open::resume);
                } else {
                    vertx.runOnContext(later -> open.resume());
                }
            }
        }

        @Override
        public void opened(RelayHints hints) {}

        @Override
        public void openFailed(String why) {
            wrong.add(why);
        }

        @Override
        public void lost(Instant lastHeard, String why) {
            wrong.add(why);
        }

        @Override
        public void malformed(String why) {
            wrong.add(why);
        }
    }
}
