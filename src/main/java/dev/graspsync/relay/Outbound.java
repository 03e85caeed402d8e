package dev.graspsync.relay;

import dev.graspsync.nostr.RelayMessage;
import dev.graspsync.wire.RelayMessageWriter;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.handler.flush.FlushConsolidationHandler;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.ServerWebSocket;
import io.vertx.core.http.WebSocketFrameType;
import io.vertx.core.http.impl.ws.WebSocketFrameImpl;
import java.time.Duration;

/**
 * What goes to one client. Events wait outside while the socket's queue is full; answers do not, so their number and
 * their bytes are bounded by not reading further questions. Touched on the connection's event loop only.
 */
final class Outbound {

    private static final int QUEUE_BYTES = 512 << 10;
    private static final int FLUSHED_AT_ONCE = 256;

    private final ServerWebSocket socket;
    private final Channel channel;
    private final Runnable answerTaken;
    private int answers;
    private long answerBytes;
    private int waiting;
    private long takenAt = System.nanoTime();

    /**
     * @param channel what the socket writes to
     * @param answerTaken called when the socket has taken an answer
     */
    Outbound(ServerWebSocket socket, Channel channel, Runnable answerTaken) {
        this.socket = socket;
        this.channel = channel;
        this.answerTaken = answerTaken;
        socket.setWriteQueueMaxSize(QUEUE_BYTES);
        // Without it each event would be a system call of its own.
        channel.pipeline().addFirst(new FlushConsolidationHandler(FLUSHED_AT_ONCE, true));
    }

    /** Whether nothing more should be sent now; a closed connection takes nothing any more. */
    boolean isFull() {
        return !channel.isWritable();
    }

    /** Answers the socket has not taken yet. */
    int answers() {
        return answers;
    }

    long answerBytes() {
        return answerBytes;
    }

    void answer(RelayMessage message) {
        if (!socket.isClosed()) {
            byte[] text = RelayMessageWriter.write(message);
            answers++;
            answerBytes += text.length;
            write(text, () -> {
                answers--;
                answerBytes -= text.length;
                answerTaken.run();
            });
        }
    }

    /** @param message a whole message as UTF-8, which goes out as it is */
    void send(byte[] message) {
        if (!socket.isClosed()) {
            write(message, () -> {});
        }
    }

    private void write(byte[] message, Runnable taken) {
        if (waiting++ == 0) {
            takenAt = System.nanoTime();
        }
        var frame = new WebSocketFrameImpl(WebSocketFrameType.TEXT, Unpooled.wrappedBuffer(message), true);
        socket.writeFrame(frame, none -> {
            waiting--;
            takenAt = System.nanoTime();
            taken.run();
        });
    }

    void ping() {
        if (!socket.isClosed()) {
            socket.writePing(Buffer.buffer());
        }
    }

    /** For how long something has waited and the client took nothing. */
    Duration stalled() {
        return waiting == 0 ? Duration.ZERO : Duration.ofNanos(System.nanoTime() - takenAt);
    }

    /** Ends the connection at once: one that takes nothing would not take a farewell either. */
    void cut() {
        // From the first handler: the later ones would say goodbye and wait for an answer.
        channel.pipeline().firstContext().close();
    }
}
