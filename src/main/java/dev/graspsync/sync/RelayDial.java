package dev.graspsync.sync;

import dev.graspsync.nostr.RelayUrl;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.net.NetSocket;
import io.vertx.core.net.impl.ConnectionBase;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** One attempt to open a WebSocket to a relay, from its name to the upgrade, with one deadline for all of it. */
final class RelayDial {

    /** What came of it. */
    sealed interface Outcome {

        /** Open, with the reading paused. */
        record Connected(RelayAddress address, NetSocket socket, ConnectionBase connection, WebSocketCodec codec)
                implements Outcome {}

        record Failed(String why) implements Outcome {}
    }

    private final Vertx vertx;
    private final ConnectionLimits limits;
    private final RelayResolver resolver;
    private final HttpClient http;
    private final Promise<Outcome> result = Promise.promise();
    private @Nullable HttpClientRequest request;
    private String waitingFor = "an address of its host";
    private long deadline;

    RelayDial(Vertx vertx, ConnectionLimits limits, RelayResolver resolver, HttpClient http) {
        this.vertx = vertx;
        this.limits = limits;
        this.resolver = resolver;
        this.http = http;
    }

    /** Tells the outcome once, on the caller's event loop. */
    void start(RelayUrl relay, Consumer<Outcome> then) {
        result.future().onSuccess(then::accept);
        deadline = vertx.setTimer(limits.connectTimeout().toMillis(), expired -> {
            fail("no answer within " + limits.connectTimeout().toSeconds() + " s, waiting for " + waitingFor);
        });
        resolver.resolve(relay).onFailure(this::fail).onSuccess(resolution -> {
            switch (resolution) {
                case RelayResolver.Resolution.Refused(String why) -> fail(why);
                case RelayResolver.Resolution.Found(var addresses) -> attempt(addresses, 0);
            }
        });
    }

    /** The outcome is then of no interest; what is under way is taken down. */
    void cancel() {
        fail("cancelled");
    }

    private void attempt(List<RelayAddress> addresses, int index) {
        if (isOver()) {
            return;
        }
        waitingFor = "a connection to " + addresses.get(index).ip().getHostAddress();
        WebSocketHandshake handshake = new WebSocketHandshake(limits);
        http.request(handshake
                        .request(addresses.get(index).get())
                        .setConnectTimeout(limits.connectTimeout().toMillis() / addresses.size()))
                .onFailure(failure -> {
                    if (index + 1 < addresses.size()) {
                        attempt(addresses, index + 1);
                    } else {
                        fail(failure);
                    }
                })
                .onSuccess(opened -> upgrade(opened, handshake, addresses.get(index)));
    }

    private void upgrade(HttpClientRequest opened, WebSocketHandshake handshake, RelayAddress address) {
        if (isOver()) {
            opened.reset();
            return;
        }
        request = opened;
        waitingFor = "the upgrade to a WebSocket";
        opened.exceptionHandler(this::fail);
        opened.connection().exceptionHandler(this::fail);
        opened.connect().onFailure(this::fail).onSuccess(response -> answered(response, handshake, address));
    }

    private void answered(HttpClientResponse response, WebSocketHandshake handshake, RelayAddress address) {
        if (isOver()) {
            return;
        }
        response.exceptionHandler(this::fail);
        switch (handshake.answer(response.statusCode(), response.headers())) {
            case WebSocketHandshake.Answer.Refused(String why) -> fail(why);
            case WebSocketHandshake.Answer.Accepted(WebSocketCodec codec) -> {
                NetSocket socket = response.netSocket();
                socket.pause();
                vertx.cancelTimer(deadline);
                result.complete(new Outcome.Connected(
                        address, socket, (ConnectionBase) response.request().connection(), codec));
            }
        }
    }

    private boolean isOver() {
        return result.future().isComplete();
    }

    private void fail(Throwable failure) {
        fail(FailureReason.of(failure));
    }

    private void fail(String why) {
        if (isOver()) {
            return;
        }
        vertx.cancelTimer(deadline);
        result.complete(new Outcome.Failed(why));
        if (request != null) {
            request.reset();
        }
    }
}
