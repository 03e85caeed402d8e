package dev.graspsync.relay;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;

/** A client made of bare bytes, for what a well-behaved library does not do: announce nonsense, or stop reading. */
final class RawClient implements AutoCloseable {

    private static final int SMALL = 4_096;
    private static final int TEXT = 0x81;

    private final Socket socket = new Socket();
    private final DataInputStream in;
    private final DataOutputStream out;

    RawClient(int port) throws IOException {
        socket.setReceiveBufferSize(SMALL);
        socket.setSoTimeout(20_000);
        socket.connect(new InetSocketAddress("localhost", port));
        in = new DataInputStream(socket.getInputStream());
        out = new DataOutputStream(socket.getOutputStream());
        out.write(("GET / HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                        + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n")
                .getBytes(US_ASCII));
    }

    /** The head of the answer to the upgrade. */
    String head() throws IOException {
        ByteArrayOutputStream head = new ByteArrayOutputStream();
        while (!head.toString(US_ASCII).endsWith("\r\n\r\n")) {
            head.write(in.readByte());
        }
        return head.toString(US_ASCII);
    }

    void send(String text) throws IOException {
        byte[] bytes = text.getBytes(UTF_8);
        announce(bytes.length);
        out.write(bytes);
    }

    /** The head of a text frame, with a mask of zeros. */
    void announce(long length) throws IOException {
        out.write(TEXT);
        if (length < 126) {
            out.write(0x80 | (int) length);
        } else if (length <= 65_535) {
            out.write(0xfe);
            out.writeShort((int) length);
        } else {
            out.write(0xff);
            out.writeLong(length);
        }
        out.writeInt(0);
    }

    /** The next frame: its first byte as a character, then what it carries. */
    String frame() throws IOException {
        int first = in.readUnsignedByte();
        int length = in.readUnsignedByte();
        length = length == 126 ? in.readUnsignedShort() : length == 127 ? (int) in.readLong() : length;
        byte[] carried = new byte[length];
        in.readFully(carried);
        return (char) first + new String(carried, UTF_8);
    }

    /** Whether the other side still takes what is sent: it says something that needs no answer. */
    boolean isHeard() {
        try {
            send("[\"CLOSE\",\"nothing\"]");
            return true;
        } catch (IOException cutOff) {
            return false;
        }
    }

    /** Reads to the end of the stream, which must come; returns how many bytes that were. */
    long readToEnd() throws IOException {
        long bytes = 0;
        byte[] buffer = new byte[1 << 16];
        try {
            for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
                bytes += read;
            }
        } catch (java.net.SocketException reset) {
            return bytes;
        }
        return bytes;
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
