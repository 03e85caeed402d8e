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
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** One attempt to open a WebSocket to a relay, from its name to the upgrade, with one deadline for all of it. */
final class RelayDial {

    /** What came of it. */
    sealed interface Outcome {

        /** Open, with the reading paused. The seat is to be given back when it is closed. */
        record Connected(
                RelayAddress address,
                NetSocket socket,
                ConnectionBase connection,
                WebSocketCodec codec,
                AddressSeats.Seat seat)
                implements Outcome {}

        record Failed(String why) implements Outcome {}
    }

    private final Vertx vertx;
    private final ConnectionLimits limits;
    private final RelayResolver resolver;
    private final HttpClient http;
    private final AddressSeats seats;
    private final Promise<Outcome> result = Promise.promise();
    private @Nullable HttpClientRequest request;
    private AddressSeats.@Nullable Seat seat;
    private String waitingFor = "an address of its host";
    private long deadline;

    RelayDial(RelayConnector.Shared shared) {
        this.vertx = shared.vertx();
        this.limits = shared.limits();
        this.resolver = shared.resolver();
        this.http = shared.sockets();
        this.seats = shared.seats();
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
        RelayAddress address = addresses.get(index);
        Optional<AddressSeats.Seat> taken = seats.take(address.ip());
        if (taken.isEmpty()) {
            attemptNext(addresses, index, seats.refusal(address.ip()));
            return;
        }
        AddressSeats.Seat mine = taken.get();
        seat = mine;
        waitingFor = "a connection to " + address.ip().getHostAddress();
        WebSocketHandshake handshake = new WebSocketHandshake(limits);
        http.request(handshake
                        .request(address.get())
                        .setConnectTimeout(limits.connectTimeout().toMillis() / addresses.size()))
                .onFailure(failure -> {
                    mine.giveBack();
                    attemptNext(addresses, index, FailureReason.of(failure));
                })
                .onSuccess(opened -> upgrade(opened, handshake, address, mine));
    }

    private void attemptNext(List<RelayAddress> addresses, int index, String why) {
        if (index + 1 < addresses.size()) {
            attempt(addresses, index + 1);
        } else {
            fail(why);
        }
    }

    private void upgrade(
            HttpClientRequest opened, WebSocketHandshake handshake, RelayAddress address, AddressSeats.Seat mine) {
        if (isOver()) {
            opened.reset();
            return;
        }
        request = opened;
        waitingFor = "the upgrade to a WebSocket";
        opened.exceptionHandler(this::fail);
        opened.connection().exceptionHandler(this::fail);
        opened.connect().onFailure(this::fail).onSuccess(response -> answered(response, handshake, address, mine));
    }

    private void answered(
            HttpClientResponse response, WebSocketHandshake handshake, RelayAddress address, AddressSeats.Seat mine) {
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
                        address, socket, (ConnectionBase) response.request().connection(), codec, mine));
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
        if (seat != null) {
            seat.giveBack();
        }
        result.complete(new Outcome.Failed(why));
        if (request != null) {
            request.reset();
        }
    }
}
