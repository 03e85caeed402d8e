package dev.graspsync.sync;

import static dev.graspsync.sync.RawRelay.accept;
import static dev.graspsync.sync.RawRelay.readToEnd;
import static dev.graspsync.sync.RawRelay.write;

import dev.graspsync.nostr.RelayUrl;
import dev.graspsync.sync.RawRelay.Script;
import io.vertx.core.Vertx;
import java.net.InetAddress;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;

/** What tests of connections share: raw relays on loopback, and a listener that keeps what it is told. */
abstract class ConnectionFixture {

    static final String NOTICE = "[\"NOTICE\",\"hello\"]";
    static final ConnectionLimits LIMITS = new ConnectionLimits(
            Duration.ofSeconds(10), Duration.ofSeconds(5), Duration.ofSeconds(30), 64 << 10, 256 << 10, false);

    final RecordingListener listener = new RecordingListener();
    final Vertx vertx = Vertx.vertx();
    /** Ended after the test, in this order. */
    final List<AutoCloseable> open = new ArrayList<>();

    @AfterEach
    void stop() throws Exception {
        for (AutoCloseable one : open) {
            one.close();
        }
        vertx.close().toCompletionStage().toCompletableFuture().get(20, TimeUnit.SECONDS);
    }

    RelayConnection connect(RelayUrl relay) {
        return connect(relay, LIMITS);
    }

    RelayConnection connect(RelayUrl relay, ConnectionLimits limits) {
        return connector(limits, InetAddress::getAllByName).connect(relay, listener);
    }

    RelayConnector connector(ConnectionLimits limits, HostLookup names) {
        return new RelayConnector(vertx, new TargetRules(true), limits, InstantSource.system(), names, null);
    }

    RawRelay raw(Script script) {
        RawRelay relay = new RawRelay(script);
        open.add(relay);
        return relay;
    }

    /** Opens the WebSocket, writes this, and stays. */
    RawRelay rawSending(byte[]... frames) {
        return raw((client, request) -> {
            write(client, accept(request), RawRelay.concat(frames));
            readToEnd(client);
        });
    }
}
