package dev.graspsync.sync;

import dev.graspsync.sync.core.RelayHints;
import dev.graspsync.wire.RelayInformationReader;
import dev.graspsync.wire.RelayLimitation;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpClientResponse;
import java.time.Duration;

/** Reads a relay's NIP-11 document for its limits. Whatever goes wrong, the answer is that nothing is known. */
final class RelayInformationClient {

    static final int MOST_BYTES = 64 << 10;

    private final Vertx vertx;
    private final HttpClient http;
    private final Duration timeout;

    RelayInformationClient(Vertx vertx, HttpClient http, Duration timeout) {
        this.vertx = vertx;
        this.http = http;
        this.timeout = timeout;
    }

    /** Never fails, and is answered within the timeout. */
    Future<RelayHints> hints(RelayAddress address) {
        Promise<RelayHints> hints = Promise.promise();
        long deadline = vertx.setTimer(timeout.toMillis(), expired -> hints.tryComplete(RelayHints.NONE));
        http.request(address.get().putHeader("Accept", "application/nostr+json"))
                .onFailure(failure -> hints.tryComplete(RelayHints.NONE))
                .onSuccess(request -> {
                    // However it ends, the connection has served its purpose.
                    hints.future().onComplete(done -> request.reset());
                    read(request, hints);
                });
        return hints.future().onComplete(done -> vertx.cancelTimer(deadline));
    }

    private static void read(HttpClientRequest request, Promise<RelayHints> hints) {
        request.exceptionHandler(failure -> hints.tryComplete(RelayHints.NONE));
        request.connection().exceptionHandler(failure -> hints.tryComplete(RelayHints.NONE));
        request.send()
                .onFailure(failure -> hints.tryComplete(RelayHints.NONE))
                .onSuccess(response -> read(response, hints));
    }

    private static void read(HttpClientResponse response, Promise<RelayHints> hints) {
        response.exceptionHandler(failure -> hints.tryComplete(RelayHints.NONE));
        if (response.statusCode() != 200) {
            hints.tryComplete(RelayHints.NONE);
            return;
        }
        Buffer body = Buffer.buffer();
        response.handler(part -> {
            if (body.length() + part.length() > MOST_BYTES) {
                hints.tryComplete(RelayHints.NONE);
            } else {
                body.appendBuffer(part);
            }
        });
        response.endHandler(end -> hints.tryComplete(parse(body.getBytes())));
    }

    private static RelayHints parse(byte[] body) {
        RelayLimitation limits = RelayInformationReader.read(body, 0, body.length);
        return new RelayHints(
                limits.maxLimit(), limits.maxSubscriptions(), limits.maxMessageLength(), limits.maxFilters());
    }
}
