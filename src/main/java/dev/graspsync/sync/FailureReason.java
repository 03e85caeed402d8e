package dev.graspsync.sync;

import io.netty.channel.ConnectTimeoutException;
import io.netty.handler.codec.CorruptedFrameException;
import io.netty.handler.codec.PrematureChannelClosureException;
import io.netty.handler.codec.TooLongFrameException;
import io.netty.handler.codec.compression.DecompressionException;
import io.netty.handler.codec.http.websocketx.CorruptedWebSocketFrameException;
import io.netty.handler.codec.http.websocketx.WebSocketCloseStatus;
import io.vertx.core.http.HttpClosedException;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.nio.channels.ClosedChannelException;
import java.security.cert.CertPathBuilderException;
import java.security.cert.CertificateException;
import java.security.cert.CertificateExpiredException;
import java.security.cert.CertificateNotYetValidException;
import java.util.concurrent.TimeoutException;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/** Says in one line for people why a connection failed. */
final class FailureReason {

    private static final int MAX_LENGTH = 200;
    private static final String TOO_LONG = "a message beyond the size limit: ";

    private FailureReason() {}

    static String of(Throwable failure) {
        // TLS wraps what is wrong with a certificate several times; the innermost that is known says it best.
        String reason = null;
        Throwable at = failure;
        for (int depth = 0; at != null && depth < 10; depth++) {
            String known = known(at);
            reason = known == null || reason != null && at instanceof SSLException ? reason : known;
            at = at.getCause();
        }
        return line(reason != null ? reason : failure.getClass().getSimpleName() + ": " + failure.getMessage());
    }

    private static @Nullable String known(Throwable failure) {
        return switch (failure) {
            case CertificateExpiredException e -> "certificate not trusted: it has expired";
            case CertificateNotYetValidException e -> "certificate not trusted: it is not valid yet";
            case CertPathBuilderException e -> "certificate not trusted: " + e.getMessage();
            case CertificateException e -> "certificate not trusted: " + e.getMessage();
            case SSLException e -> "TLS failed: " + e.getMessage();
            case UnknownHostException e -> "no address for host";
            case ConnectTimeoutException e -> "connection timed out";
            case NoRouteToHostException e -> "no route to host";
            case ConnectException e -> connect(String.valueOf(e.getMessage()));
            case TimeoutException e -> "connection timed out";
            case SocketException e -> "connection reset";
            case IllegalArgumentException e -> "not an HTTP answer: " + e.getMessage();
            case HttpClosedException e -> "connection dropped";
            case ClosedChannelException e -> "connection dropped";
            case PrematureChannelClosureException e -> "connection dropped";
            case TooLongFrameException e -> TOO_LONG + e.getMessage();
            case CorruptedWebSocketFrameException e
            when e.closeStatus().equals(WebSocketCloseStatus.MESSAGE_TOO_BIG) -> TOO_LONG + e.getMessage();
            case DecompressionException e -> decompression(String.valueOf(e.getMessage()));
            case CorruptedFrameException e -> "not the WebSocket protocol: " + e.getMessage();
            default -> null;
        };
    }

    private static String connect(String message) {
        if (message.contains("refused")) {
            return "connection refused";
        }
        return message.contains("nreachable") ? "network unreachable" : "cannot connect: " + message;
    }

    private static String decompression(String message) {
        return message.contains("maximum size") ? TOO_LONG + message : "not readable as compressed: " + message;
    }

    /** Text from outside, fit for a log: one line of printable characters, not too long. */
    static String line(String text) {
        String head = text.substring(0, Math.min(text.length(), MAX_LENGTH));
        return head.replaceAll("\\p{C}", " ").strip();
    }
}
