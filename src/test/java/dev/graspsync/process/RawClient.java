package dev.graspsync.process;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.util.Arrays;

/**
 * A WebSocket client that does next to nothing, because it shares the cores with the service it measures: frames are
 * made beforehand, masked with zeros, which changes no byte, and what comes is handed on as it lies in the buffer.
 */
public final class RawClient implements AutoCloseable {

    private static final int TEXT = 0x81;
    private static final int FIN = 0x80;
    private static final int CLOSE = 8;

    private final Socket socket;
    private final DataInputStream in;
    private final OutputStream out;
    private byte[] message = new byte[1 << 16];

    public RawClient(int port) throws IOException {
        socket = new Socket(InetAddress.getLoopbackAddress(), port);
        socket.setTcpNoDelay(true);
        in = new DataInputStream(new BufferedInputStream(socket.getInputStream(), 1 << 16));
        out = socket.getOutputStream();
        out.write(("GET / HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                        + "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n\r\n")
                .getBytes(UTF_8));
        int matched = 0;
        while (matched < 4) {
            matched = in.readUnsignedByte() == "\r\n\r\n".charAt(matched) ? matched + 1 : 0;
        }
    }

    public static byte[] frame(String text) {
        byte[] payload = text.getBytes(UTF_8);
        return frame(payload, 0, payload.length);
    }

    public static byte[] eventFrame(byte[] json) {
        byte[] payload = new byte[json.length + 10];
        System.arraycopy("[\"EVENT\",".getBytes(UTF_8), 0, payload, 0, 9);
        System.arraycopy(json, 0, payload, 9, json.length);
        payload[payload.length - 1] = ']';
        return frame(payload, 0, payload.length);
    }

    private static byte[] frame(byte[] payload, int from, int length) {
        int header = length < 126 ? 2 : length < 1 << 16 ? 4 : 10;
        byte[] frame = new byte[header + 4 + length];
        frame[0] = (byte) TEXT;
        if (header == 2) {
            frame[1] = (byte) (FIN | length);
        } else {
            frame[1] = (byte) (FIN | (header == 4 ? 126 : 127));
            for (int i = header - 1, rest = length; i > 1; i--, rest >>>= 8) {
                frame[i] = (byte) rest;
            }
        }
        System.arraycopy(payload, from, frame, header + 4, length);
        return frame;
    }

    /** Blocks while the service does not read: that is its backpressure. */
    public void send(byte[] frames) throws IOException {
        out.write(frames);
    }

    public void send(String text) throws IOException {
        out.write(frame(text));
    }

    /** Looks at one message, and says whether there is another to wait for. */
    public interface Reader {
        boolean read(byte[] bytes, int length);
    }

    /** Reads messages until the reader has enough. */
    public void read(Reader reader) throws IOException {
        int size = 0;
        while (true) {
            int head = in.readUnsignedByte();
            long length = in.readUnsignedByte();
            length = length == 126 ? in.readUnsignedShort() : length == 127 ? in.readLong() : length;
            if (size + length > message.length) {
                message = Arrays.copyOf(message, (int) Math.max(size + length, 2L * message.length));
            }
            in.readFully(message, size, (int) length);
            size += (int) length;
            if ((head & 0x0f) == CLOSE) {
                throw new IOException("the service closed the connection");
            }
            if ((head & FIN) != 0) {
                if (!reader.read(message, size)) {
                    return;
                }
                size = 0;
            }
        }
    }

    /** Whether a message is of a type: the second letter tells EVENT, EOSE, OK, COUNT and CLOSED apart. */
    public static boolean is(String type, byte[] message, int length) {
        for (int i = 0; i < type.length(); i++) {
            if (length <= i + 2 || message[i + 2] != type.charAt(i)) {
                return false;
            }
        }
        return true;
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
