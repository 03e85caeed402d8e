package dev.graspsync.sync;

import io.netty.handler.codec.http.websocketx.extensions.WebSocketClientExtension;
import io.netty.handler.codec.http.websocketx.extensions.WebSocketExtensionData;
import io.netty.handler.codec.http.websocketx.extensions.WebSocketExtensionUtil;
import io.netty.handler.codec.http.websocketx.extensions.compression.PerMessageDeflateClientExtensionHandshaker;
import io.vertx.core.MultiMap;
import io.vertx.core.http.RequestOptions;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The opening of a WebSocket, as a client does it (RFC 6455, section 4.1; RFC 7692 for the compression). */
final class WebSocketHandshake {

    private static final String GUID = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";
    private static final String EXTENSIONS = "Sec-WebSocket-Extensions";
    private static final SecureRandom RANDOM = new SecureRandom();

    private final String key;
    private final ConnectionLimits limits;
    private final @Nullable PerMessageDeflateClientExtensionHandshaker deflate;

    WebSocketHandshake(ConnectionLimits limits) {
        byte[] nonce = new byte[16];
        RANDOM.nextBytes(nonce);
        this.key = Base64.getEncoder().encodeToString(nonce);
        this.limits = limits;
        // No context is kept between messages: hundreds of connections would each hold two windows of 32 KiB and more.
        this.deflate = limits.compression()
                ? new PerMessageDeflateClientExtensionHandshaker(6, false, 15, true, true, limits.maxMessageBytes())
                : null;
    }

    RequestOptions request(RequestOptions get) {
        get.putHeader("Connection", "Upgrade")
                .putHeader("Upgrade", "websocket")
                .putHeader("Sec-WebSocket-Version", "13")
                .putHeader("Sec-WebSocket-Key", key);
        if (deflate != null) {
            StringBuilder offer = new StringBuilder();
            WebSocketExtensionData data = deflate.newRequestData();
            offer.append(data.name());
            data.parameters().forEach((name, value) -> {
                offer.append("; ").append(name);
                if (value != null) {
                    offer.append('=').append(value);
                }
            });
            get.putHeader(EXTENSIONS, offer.toString());
        }
        return get;
    }

    /** What came of it. */
    sealed interface Answer {

        record Accepted(WebSocketCodec codec) implements Answer {}

        record Refused(String why) implements Answer {}
    }

    Answer answer(int status, MultiMap headers) {
        if (status != 101) {
            return new Answer.Refused("HTTP " + status + " instead of a WebSocket");
        }
        if (!accept().equals(headers.get("Sec-WebSocket-Accept"))) {
            return new Answer.Refused("the upgrade's answer does not fit its question");
        }
        String extensions = headers.get(EXTENSIONS);
        if (extensions == null) {
            return new Answer.Accepted(new WebSocketCodec(limits.maxMessageBytes(), null));
        }
        List<WebSocketExtensionData> agreed = WebSocketExtensionUtil.extractExtensions(extensions);
        WebSocketClientExtension extension =
                deflate != null && agreed.size() == 1 ? deflate.handshakeExtension(agreed.getFirst()) : null;
        return extension == null
                ? new Answer.Refused("the relay uses WebSocket extensions that were not offered")
                : new Answer.Accepted(new WebSocketCodec(limits.maxMessageBytes(), extension));
    }

    private String accept() {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-1").digest((key + GUID).getBytes(StandardCharsets.US_ASCII));
            return Base64.getEncoder().encodeToString(digest);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-1", e);
        }
    }
}
