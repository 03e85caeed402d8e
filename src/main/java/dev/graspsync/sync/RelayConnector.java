package dev.graspsync.sync;

import dev.graspsync.nostr.RelayUrl;
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

    private final VertxInternal vertx;
    private final ConnectionLimits limits;
    private final InstantSource clock;
    private final RelayResolver resolver;
    private final HttpClient sockets;
    private final HttpClient documents;
    private final RelayInformationClient information;

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
        this.vertx = (VertxInternal) vertx;
        this.limits = limits;
        this.clock = clock;
        this.resolver = new RelayResolver(vertx, names, rules);
        this.sockets = vertx.createHttpClient(options(limits, trust));
        this.documents = vertx.createHttpClient(options(limits, trust).setKeepAlive(false));
        this.information = new RelayInformationClient(vertx, documents, limits.hintsTimeout());
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
        return new RelayConnection(relay, listener, vertx, context, limits, clock, resolver, sockets, information);
    }

    /** An event loop for a connection, or for several that share their state. */
    Context newContext() {
        return vertx.createEventLoopContext();
    }

    Future<Void> close() {
        return Future.join(sockets.close(), documents.close(), resolver.close()).mapEmpty();
    }
}
