package dev.graspsync.relay;

import io.quarkus.vertx.http.HttpServerOptionsCustomizer;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.net.impl.ConnectionBase;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Inject;

/**
 * What {@code /} answers: a WebSocket upgrade is a client of the relay, {@code application/nostr+json} gets the NIP-11
 * document; who wants neither is left to other routes, such as a page for browsers. Vert.x' own WebSocket is used because
 * it can stop reading a socket.
 */
@ApplicationScoped
class RelayEndpoint implements HttpServerOptionsCustomizer {

    private final Relay relay;
    private final Vertx vertx;

    @Inject
    RelayEndpoint(Relay relay, Vertx vertx) {
        this.relay = relay;
        this.vertx = vertx;
    }

    @Override
    public void customizeHttpServer(HttpServerOptions options) {
        // A frame somewhat over the limit gets an answer; what announces itself as far over it is not read, and the
        // connection is closed with 1009. Messages of many frames are measured by IncomingMessage.
        int most = Math.max(1 << 20, 2 * relay.config().relay().maxMessageLength());
        options.setMaxWebSocketFrameSize(most).setMaxWebSocketMessageSize(most);
    }

    void register(@Observes Router router) {
        router.route("/").handler(this::handle);
    }

    private void upgrade(RoutingContext routing) {
        if (!relay.sessions().enter()) {
            routing.response().setStatusCode(503).end("too many connections, try again later");
            return;
        }
        HttpServerRequest request = routing.request();
        var channel =
                ((ConnectionBase) request.connection()).channelHandlerContext().channel();
        request.toWebSocket()
                .onSuccess(socket -> {
                    // It may have been closed right after its upgrade, and would then refuse all handlers.
                    if (socket.isClosed()) {
                        relay.sessions().leave();
                    } else {
                        new RelaySession(relay, socket, channel, vertx.getOrCreateContext()).start();
                    }
                })
                .onFailure(failure -> {
                    relay.sessions().leave();
                    routing.fail(400);
                });
    }

    private void handle(RoutingContext routing) {
        HttpServerRequest request = routing.request();
        if ("websocket".equalsIgnoreCase(request.getHeader("Upgrade"))) {
            upgrade(routing);
            return;
        }
        var response = routing.response()
                .putHeader("Access-Control-Allow-Origin", "*")
                .putHeader("Access-Control-Allow-Methods", "GET, POST")
                .putHeader("Access-Control-Allow-Headers", "Content-Type");
        String accept = String.valueOf(request.getHeader("Accept"));
        switch (request.method().name()) {
            case "OPTIONS" -> response.setStatusCode(204).end();
            case "GET", "HEAD" -> {
                if (accept.contains("application/nostr+json")) {
                    response.putHeader("Content-Type", "application/nostr+json")
                            .end(Buffer.buffer(RelayInformation.json(relay.config())));
                } else {
                    routing.next();
                }
            }
            default -> response.setStatusCode(405).end();
        }
    }
}
