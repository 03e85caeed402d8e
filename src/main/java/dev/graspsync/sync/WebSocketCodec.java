package dev.graspsync.sync;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.CodecException;
import io.netty.handler.codec.DecoderException;
import io.netty.handler.codec.http.websocketx.CloseWebSocketFrame;
import io.netty.handler.codec.http.websocketx.PingWebSocketFrame;
import io.netty.handler.codec.http.websocketx.PongWebSocketFrame;
import io.netty.handler.codec.http.websocketx.WebSocket13FrameDecoder;
import io.netty.handler.codec.http.websocketx.WebSocket13FrameEncoder;
import io.netty.handler.codec.http.websocketx.WebSocketDecoderConfig;
import io.netty.handler.codec.http.websocketx.WebSocketFrame;
import io.netty.handler.codec.http.websocketx.WebSocketFrameAggregator;
import io.netty.handler.codec.http.websocketx.extensions.WebSocketClientExtension;
import io.vertx.core.buffer.Buffer;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Bytes of a socket to whole WebSocket messages and back: Netty's codec, apart from any socket. Vert.x' own WebSocket
 * client is not used because it resolves the host's name itself, whatever address it is told to dial.
 *
 * <p>Decodes only as far as messages are taken, a little at a time: a few compressed bytes can hold a great many.
 */
final class WebSocketCodec {

    private static final Logger LOG = Logger.getLogger(WebSocketCodec.class);
    private static final int SLICE = 8_192;

    private final EmbeddedChannel channel;
    private ByteBuf unread = Unpooled.EMPTY_BUFFER;
    /** Bytes given to the decoder since the last whole frame; what a slice brings beside one is not counted. */
    private long undecoded;
    /** Of a message of which not all frames have come. */
    private long fragments;

    private @Nullable DecoderException broken;

    WebSocketCodec(int maxMessageBytes, @Nullable WebSocketClientExtension extension) {
        channel = new EmbeddedChannel(
                new WebSocket13FrameEncoder(true),
                new WebSocket13FrameDecoder(WebSocketDecoderConfig.newBuilder()
                        .maxFramePayloadLength(maxMessageBytes)
                        .expectMaskedFrames(false)
                        .allowExtensions(extension != null)
                        .closeOnProtocolViolation(false)
                        .withUTF8Validator(false)
                        .build()));
        channel.pipeline().addLast(new Undecoded());
        if (extension != null) {
            channel.pipeline().addLast(extension.newExtensionDecoder(), extension.newExtensionEncoder());
        }
        channel.pipeline().addLast(new Fragments(), new WebSocketFrameAggregator(maxMessageBytes));
    }

    /** Sees each frame as soon as all of it is there. */
    private final class Undecoded extends ChannelInboundHandlerAdapter {

        @Override
        public void channelRead(ChannelHandlerContext ctx, Object frame) {
            undecoded = 0;
            ctx.fireChannelRead(frame);
        }
    }

    /** Sees each frame as it is put together to a message, which may be more than came over the wire. */
    private final class Fragments extends ChannelInboundHandlerAdapter {

        @Override
        public void channelRead(ChannelHandlerContext ctx, Object message) {
            if (message instanceof WebSocketFrame frame && !isControl(frame)) {
                fragments = frame.isFinalFragment()
                        ? 0
                        : fragments + frame.content().readableBytes();
            }
            ctx.fireChannelRead(message);
        }

        private boolean isControl(WebSocketFrame frame) {
            return frame instanceof PingWebSocketFrame
                    || frame instanceof PongWebSocketFrame
                    || frame instanceof CloseWebSocketFrame;
        }
    }

    /** Takes what a socket read; the codec must have been asked for all messages of what it got before, or not. */
    void feed(Buffer bytes) {
        ByteBuf added = bytes.getByteBuf();
        unread = unread.isReadable() ? Unpooled.wrappedBuffer(unread, added) : added;
    }

    /**
     * The next whole message, ping, pong or close, to be released by the caller; null where more bytes are needed.
     * Throws for what breaks the protocol or the limit, after all that came before it.
     */
    @Nullable
    WebSocketFrame next() {
        while (true) {
            WebSocketFrame frame = channel.readInbound();
            if (frame != null) {
                return frame;
            }
            if (broken != null) {
                throw broken;
            }
            if (!unread.isReadable()) {
                return null;
            }
            decode(unread.readRetainedSlice(Math.min(SLICE, unread.readableBytes())));
        }
    }

    /** What is kept of bytes that are no whole message yet. */
    long held() {
        return unread.readableBytes() + undecoded + fragments;
    }

    private void decode(ByteBuf slice) {
        undecoded += slice.readableBytes();
        try {
            channel.writeInbound(slice);
        } catch (DecoderException failure) {
            broken = failure;
        }
    }

    Buffer encode(WebSocketFrame frame) {
        channel.writeOutbound(frame);
        Buffer out = Buffer.buffer();
        ByteBuf part;
        while ((part = channel.readOutbound()) != null) {
            out.appendBuffer(Buffer.buffer(part));
        }
        return out;
    }

    /** Gives back what is held; nothing may be asked of it afterwards. */
    void close() {
        unread = Unpooled.EMPTY_BUFFER;
        try {
            channel.finishAndReleaseAll();
        } catch (CodecException unfinished) {
            LOG.tracef("Closed in the middle of a message: %s", unfinished.getMessage());
        }
    }
}
