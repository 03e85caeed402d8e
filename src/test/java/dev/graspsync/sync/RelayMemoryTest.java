package dev.graspsync.sync;

import static dev.graspsync.sync.RawRelay.accept;
import static dev.graspsync.sync.RawRelay.frame;
import static dev.graspsync.sync.RawRelay.readToEnd;
import static dev.graspsync.sync.RawRelay.text;
import static dev.graspsync.sync.RawRelay.write;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.graspsync.nostr.RelayUrl;
import dev.graspsync.sync.RecordingListener.Told;
import java.net.InetAddress;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Rule 26: what many connections cost together has a bound. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class RelayMemoryTest extends ConnectionFixture {

    private static final int MOST = 200_000;

    private final UnfinishedBytes unfinished = new UnfinishedBytes(MOST);
    private final RelayConnector connector = new RelayConnector(
            vertx,
            new TargetRules(true),
            LIMITS,
            InstantSource.system(),
            InetAddress::getAllByName,
            null,
            new AddressSeats(5, address -> false),
            unfinished);
    private final List<RecordingListener> listeners = new ArrayList<>();

    private RecordingListener dial(RelayUrl url) {
        RecordingListener told = new RecordingListener();
        listeners.add(told);
        connector.connect(url, told);
        return told;
    }

    private static byte[] half() {
        return Arrays.copyOf(frame(0x81, new byte[60_000]), 50_000);
    }

    /** One frame that is not final, and never followed by another. */
    private static byte[] fragment() {
        return frame(0x01, new byte[50_000]);
    }

    private void sendsHalves(byte[] half) throws InterruptedException {
        RawRelay relay = rawSending(half);
        List<RecordingListener> holders = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            RecordingListener told = dial(relay.url());
            told.awaitOpened();
            holders.add(told);
            int counted = i + 1;
            await().until(() -> unfinished.held() >= counted * 50_000L);
        }
        assertThat(unfinished.held()).isLessThanOrEqualTo(MOST);
        CountDownLatch rest = new CountDownLatch(1);
        byte[] large = text("[\"NOTICE\",\"" + "x".repeat(55_000) + "\"]");
        RawRelay honest = raw((client, request) -> {
            write(client, accept(request), Arrays.copyOf(large, 52_000));
            rest.await();
            write(client, Arrays.copyOfRange(large, 52_000, large.length));
            readToEnd(client);
        });

        RecordingListener fourth = dial(honest.url());

        assertThat(holders.getFirst().awaitLost())
                .isEqualTo("a message that does not come to its end, while relays hold 200000 bytes of such");
        rest.countDown();
        assertThat(fourth.awaitMessages(1)).hasSize(1);
        assertThat(holders.get(1).all(Told.Lost.class)).isEmpty();
        assertThat(holders.get(2).all(Told.Lost.class)).isEmpty();
        await().until(() -> unfinished.held() < 3 * 50_000L);
    }

    @Test
    void rule26HalfFramesOfManyRelaysEndWhoHeldThemLongest() throws Exception {
        sendsHalves(half());
    }

    @Test
    void rule26HalfMessagesOfManyRelaysEndWhoHeldThemLongest() throws Exception {
        sendsHalves(fragment());
    }

    @Test
    void rule26MoreConnectionsThanAnAddressMayHaveAreRefusedUntilOneEnds() {
        CountDownLatch leave = new CountDownLatch(1);
        RawRelay leaving = raw((client, request) -> {
            write(client, accept(request));
            leave.await();
        });
        RawRelay staying = rawSending(text(NOTICE));
        dial(leaving.url()).awaitOpened();
        for (int i = 0; i < 4; i++) {
            dial(staying.url()).awaitOpened();
        }

        assertThat(dial(staying.url()).await1(Told.OpenFailed.class).why())
                .isEqualTo("not dialled: 5 connections to 127.0.0.1 are open already");

        leave.countDown();
        listeners.getFirst().awaitLost();
        dial(staying.url()).awaitOpened();
    }

    @Test
    void rule26AttemptsThatFailGiveTheirSeatsBack() {
        RawRelay refusing = raw((client, request) -> write(client, "HTTP/1.1 403 No\r\n\r\n".getBytes(UTF_8)));
        for (int i = 0; i < 12; i++) {
            assertThat(dial(refusing.url()).await1(Told.OpenFailed.class).why()).startsWith("HTTP 403");
        }

        RecordingListener told = dial(rawSending(text(NOTICE)).url());

        await().atMost(Duration.ofSeconds(20)).until(() -> !told.told.isEmpty());
        told.awaitOpened();
    }
}
