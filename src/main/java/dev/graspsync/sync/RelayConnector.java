package dev.graspsync.sync;

import dev.graspsync.nostr.RelayUrl;
import dev.graspsync.relay.HeapShare;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.impl.VertxInternal;
import io.vertx.core.net.TrustOptions;
import java.net.InetAddress;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Opens connections to relays: what they all share. */
final class RelayConnector {

    /** One connection a relay is the rule, but many relays may share a host and differ in the path. */
    private static final int PER_HOST = 10_000;

    /** All connections together hold at least so many unfinished messages, however small the heap is. */
    private static final int LEAST_UNFINISHED = 4;

    private static final long MOST_UNFINISHED = 64L << 20;

    /** What all connections have in common. */
    record Shared(
            VertxInternal vertx,
            ConnectionLimits limits,
            InstantSource clock,
            RelayResolver resolver,
            HttpClient sockets,
            RelayInformationClient information,
            AddressSeats seats,
            UnfinishedBytes unfinished) {}

    private final Shared shared;
    private final HttpClient documents;

    RelayConnector(Vertx vertx, TargetRules rules, ConnectionLimits limits, InstantSource clock) {
        this(vertx, rules, limits, clock, InetAddress::getAllByName, null);
    }

    /** @param trust whose certificates to trust; absent for the platform's own choice */
    RelayConnector(
            Vertx vertx,
            TargetRules rules,
            ConnectionLimits limits,
            InstantSource clock,
            Optional<TrustOptions> trust) {
        this(vertx, rules, limits, clock, InetAddress::getAllByName, trust.orElse(null));
    }

    /** @param trust whose certificates to trust; null for the platform's own choice */
    RelayConnector(
            Vertx vertx,
            TargetRules rules,
            ConnectionLimits limits,
            InstantSource clock,
            HostLookup names,
            @Nullable TrustOptions trust) {
        this(vertx, rules, limits, clock, names, trust, rules.seats(), unfinished(limits));
    }

    RelayConnector(
            Vertx vertx,
            TargetRules rules,
            ConnectionLimits limits,
            InstantSource clock,
            HostLookup names,
            @Nullable TrustOptions trust,
            AddressSeats seats,
            UnfinishedBytes unfinished) {
        this.documents = vertx.createHttpClient(options(limits, trust).setKeepAlive(false));
        this.shared = new Shared(
                (VertxInternal) vertx,
                limits,
                clock,
                new RelayResolver(vertx, names, rules),
                vertx.createHttpClient(options(limits, trust)),
                new RelayInformationClient(vertx, documents, limits.hintsTimeout()),
                seats,
                unfinished);
    }

    private static UnfinishedBytes unfinished(ConnectionLimits limits) {
        long least = (long) LEAST_UNFINISHED * limits.maxMessageBytes();
        return new UnfinishedBytes(Math.max(least, HeapShare.of(16, MOST_UNFINISHED)));
    }

    private static HttpClientOptions options(ConnectionLimits limits, @Nullable TrustOptions trust) {
        HttpClientOptions options = new HttpClientOptions()
                .setVerifyHost(true)
                .setMaxPoolSize(PER_HOST)
                .setConnectTimeout((int) limits.connectTimeout().toMillis())
                .setSslHandshakeTimeout(limits.connectTimeout().toMillis())
                .setSslHandshakeTimeoutUnit(TimeUnit.MILLISECONDS)
                .setTcpKeepAlive(true);
        if (trust != null) {
            options.setTrustOptions(trust);
        }
        return options;
    }

    /** Begins to connect; the listener is told what comes of it, on an event loop chosen for this connection. */
    RelayConnection connect(RelayUrl relay, RelayListener listener) {
        RelayConnection connection = prepare(relay, listener, newContext());
        connection.start();
        return connection;
    }

    /** A connection that begins when it is started; its listener is told everything on the context's event loop. */
    RelayConnection prepare(RelayUrl relay, RelayListener listener, Context context) {
        return new RelayConnection(relay, listener, context, shared);
    }

    /** An event loop for a connection, or for several that share their state. */
    Context newContext() {
        return shared.vertx().createEventLoopContext();
    }

    Future<Void> close() {
        return Future.join(
                        shared.sockets().close(),
                        documents.close(),
                        shared.resolver().close())
                .mapEmpty();
    }
}
