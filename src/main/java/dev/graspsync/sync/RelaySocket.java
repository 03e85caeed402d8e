package dev.graspsync.sync;

import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.DecoderException;
import io.netty.handler.codec.http.websocketx.CloseWebSocketFrame;
import io.netty.handler.codec.http.websocketx.PingWebSocketFrame;
import io.netty.handler.codec.http.websocketx.PongWebSocketFrame;
import io.netty.handler.codec.http.websocketx.TextWebSocketFrame;
import io.netty.handler.codec.http.websocketx.WebSocketCloseStatus;
import io.netty.handler.codec.http.websocketx.WebSocketFrame;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.net.NetSocket;
import io.vertx.core.net.impl.ConnectionBase;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import org.jspecify.annotations.Nullable;

/**
 * An open WebSocket: messages in and out, pings, and one end. It starts with its reading paused. Used on its event loop
 * only.
 */
final class RelaySocket {

    /** Told on the event loop; nothing follows {@code ended}, and nothing at all follows {@link RelaySocket#close}. */
    interface Receiver {

        void message(byte[] json);

        void ended(String why);
    }

    /** How long a farewell may take before the socket is closed without it. */
    private static final Duration FAREWELL = Duration.ofSeconds(2);

    private static final int MOST_UNANSWERED = 2;

    private final Vertx vertx;
    private final NetSocket socket;
    private final ConnectionBase connection;
    private final WebSocketCodec codec;
    private final ConnectionLimits limits;
    private final InstantSource clock;
    private final Receiver receiver;
    private final AddressSeats.Seat seat;
    private final UnfinishedBytes.Share unfinished;
    private final long pings;
    private Instant lastHeard;
    private int unanswered;
    private long outbound;
    private boolean paused = true;
    private boolean draining;
    private boolean ended;

    /** @param loop where it is used */
    RelaySocket(Context loop, RelayDial.Outcome.Connected dialled, RelayConnector.Shared shared, Receiver receiver) {
        this.vertx = shared.vertx();
        this.socket = dialled.socket();
        this.connection = dialled.connection();
        this.codec = dialled.codec();
        this.seat = dialled.seat();
        this.limits = shared.limits();
        this.clock = shared.clock();
        this.receiver = receiver;
        this.unfinished = shared.unfinished()
                .open(why -> loop.runOnContext(none -> end(why, WebSocketCloseStatus.MESSAGE_TOO_BIG)));
        this.lastHeard = clock.instant();
        this.pings = vertx.setPeriodic(limits.pingInterval().toMillis(), timer -> ping());
        socket.handler(this::read);
        socket.exceptionHandler(failure -> end(FailureReason.of(failure), WebSocketCloseStatus.EMPTY));
        socket.closeHandler(closed -> end("connection dropped", WebSocketCloseStatus.EMPTY));
    }

    Instant lastHeard() {
        return lastHeard;
    }

    /** @param json UTF-8, not to be changed afterwards */
    void send(byte[] json) {
        write(new TextWebSocketFrame(Unpooled.wrappedBuffer(json)));
    }

    void pause() {
        paused = true;
        unfinished.paused(true);
        socket.pause();
    }

    void resume() {
        if (!paused || ended) {
            return;
        }
        paused = false;
        unfinished.paused(false);
        // What it answered meanwhile was not read, so silence until now is none.
        unanswered = 0;
        drain();
        if (!paused && !ended) {
            socket.resume();
        }
    }

    void close() {
        shut(WebSocketCloseStatus.NORMAL_CLOSURE);
    }

    private void read(Buffer bytes) {
        if (!ended) {
            codec.feed(bytes);
            drain();
        }
    }

    private void drain() {
        if (draining) {
            return;
        }
        draining = true;
        try {
            while (!paused && !ended) {
                WebSocketFrame frame = nextFrame();
                if (frame == null) {
                    return;
                }
                try {
                    take(frame);
                } finally {
                    frame.release();
                }
            }
        } finally {
            draining = false;
            if (ended) {
                codec.close();
            } else {
                unfinished.hold(codec.held());
            }
        }
    }

    private @Nullable WebSocketFrame nextFrame() {
        try {
            return codec.next();
        } catch (DecoderException broken) {
            end(FailureReason.of(broken), WebSocketCloseStatus.PROTOCOL_ERROR);
            return null;
        }
    }

    private void take(WebSocketFrame frame) {
        lastHeard = clock.instant();
        unanswered = 0;
        switch (frame) {
            case PingWebSocketFrame ping ->
                write(new PongWebSocketFrame(ping.content().retain()));
            case PongWebSocketFrame pong -> {}
            case CloseWebSocketFrame close -> end(farewell(close), WebSocketCloseStatus.NORMAL_CLOSURE);
            default -> {
                unfinished.finished();
                receiver.message(ByteBufUtil.getBytes(frame.content()));
            }
        }
    }

    private static String farewell(CloseWebSocketFrame close) {
        String text = close.reasonText() == null ? "" : " " + close.reasonText();
        return FailureReason.line("closed by the relay: " + close.statusCode() + text);
    }

    /** Two pings without any sign of life, or a relay that does not read, and the connection counts as lost. */
    private void ping() {
        if (paused) {
            return;
        }
        if (unanswered >= MOST_UNANSWERED) {
            end("no sign of life after " + unanswered + " pings", WebSocketCloseStatus.EMPTY);
            return;
        }
        unanswered++;
        write(new PingWebSocketFrame(Unpooled.EMPTY_BUFFER));
    }

    private void write(WebSocketFrame frame) {
        if (ended) {
            frame.release();
            return;
        }
        Buffer bytes = codec.encode(frame);
        int length = bytes.length();
        outbound += length;
        flush(bytes, () -> outbound -= length);
        if (outbound > limits.maxOutboundBytes()) {
            end("the relay does not read: " + outbound + " bytes wait for it", WebSocketCloseStatus.EMPTY);
        }
    }

    /** To the channel itself: of what is written to the socket of an upgraded request, Vert.x does not say when it left. */
    private void flush(Buffer bytes, Runnable left) {
        connection.channel().writeAndFlush(bytes.getByteBuf()).addListener(written -> left.run());
    }

    private void end(String why, WebSocketCloseStatus status) {
        if (!ended) {
            shut(status);
            receiver.ended(why);
        }
    }

    /** Says goodbye where the relay may still listen; {@code EMPTY}: it does not, and the socket is just closed. */
    private void shut(WebSocketCloseStatus status) {
        if (ended) {
            return;
        }
        ended = true;
        vertx.cancelTimer(pings);
        unfinished.hold(0);
        seat.giveBack();
        // Vert.x' own close waits until all is written, which a relay that does not read can put off for ever.
        if (status.equals(WebSocketCloseStatus.EMPTY)) {
            connection.channel().close();
        } else {
            long deadline = vertx.setTimer(
                    FAREWELL.toMillis(), late -> connection.channel().close());
            flush(codec.encode(new CloseWebSocketFrame(status)), () -> {
                vertx.cancelTimer(deadline);
                connection.channel().close();
            });
        }
        if (!draining) {
            codec.close();
        }
    }
}
