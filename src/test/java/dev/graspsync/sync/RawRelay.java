package dev.graspsync.sync;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import dev.graspsync.nostr.RelayUrl;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.DataFormatException;
import java.util.zip.Deflater;
import java.util.zip.Inflater;

/** A relay that is a bare TCP socket and a script, so that it can break every rule at every byte. */
final class RawRelay implements AutoCloseable {

    /** Talks to one client; when it returns, the socket is closed. */
    interface Script {
        void run(Socket client, String request) throws IOException, InterruptedException;
    }

    static final String NO_DOCUMENT = "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n";
    private static final Pattern KEY = Pattern.compile("(?i)sec-websocket-key: *(\\S+)");

    private final ServerSocket server;
    private final Set<Socket> clients = ConcurrentHashMap.newKeySet();
    /** The head of every request that came, NIP-11 included. */
    final List<String> requests = new CopyOnWriteArrayList<>();

    private volatile String document = NO_DOCUMENT;

    /** Upgrades go to the script as they are asked for; other requests are answered with {@link #document}. */
    RawRelay(Script upgrade) {
        this(plainSocket(), upgrade);
    }

    RawRelay(ServerSocket server, Script upgrade) {
        this.server = server;
        Thread.ofVirtual().start(() -> {
            while (!server.isClosed()) {
                try {
                    Socket client = server.accept();
                    clients.add(client);
                    Thread.ofVirtual().start(() -> serve(client, upgrade));
                } catch (IOException closed) {
                    return;
                }
            }
        });
    }

    private static ServerSocket plainSocket() {
        try {
            return new ServerSocket(0, 50, InetAddress.getByName("127.0.0.1"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void serve(Socket client, Script upgrade) {
        try (client) {
            String request = head(client.getInputStream());
            requests.add(request);
            if (request.toLowerCase(java.util.Locale.ROOT).contains("upgrade: websocket")) {
                upgrade.run(client, request);
            } else {
                write(client, document.getBytes(UTF_8));
            }
        } catch (IOException | InterruptedException gone) {
            clients.remove(client);
        }
    }

    void document(String response) {
        document = response;
    }

    private static String head(InputStream in) throws IOException {
        StringBuilder head = new StringBuilder();
        while (head.indexOf("\r\n\r\n") < 0) {
            int b = in.read();
            if (b < 0) {
                throw new IOException("the client left");
            }
            head.append((char) b);
        }
        return head.toString();
    }

    /** The answer that makes a WebSocket of the connection. */
    static byte[] accept(String request) {
        return accept(request, "");
    }

    /** @param more further header lines, each with its end */
    static byte[] accept(String request, String more) {
        Matcher key = KEY.matcher(request);
        if (!key.find()) {
            throw new IllegalStateException("no key in " + request);
        }
        try {
            byte[] digest = MessageDigest.getInstance("SHA-1")
                    .digest((key.group(1) + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11").getBytes(ISO_8859_1));
            return ("HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                            + "Sec-WebSocket-Accept: " + Base64.getEncoder().encodeToString(digest) + "\r\n" + more
                            + "\r\n")
                    .getBytes(ISO_8859_1);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    static byte[] text(String json) {
        return frame(0x81, json.getBytes(UTF_8));
    }

    static byte[] frame(int first, byte[] payload) {
        ByteBuffer out = ByteBuffer.allocate(payload.length + 10).put((byte) first);
        if (payload.length < 126) {
            out.put((byte) payload.length);
        } else if (payload.length < 65_536) {
            out.put((byte) 126).putShort((short) payload.length);
        } else {
            out.put((byte) 127).putLong(payload.length);
        }
        out.put(payload).flip();
        byte[] bytes = new byte[out.remaining()];
        out.get(bytes);
        return bytes;
    }

    /** One unfragmented frame from a client, unmasked. */
    static byte[] readFrame(Socket client) throws IOException {
        DataInputStream in = new DataInputStream(client.getInputStream());
        in.readByte();
        int length = in.readByte() & 0x7f;
        byte[] mask = new byte[4];
        byte[] payload =
                new byte[length == 127 ? (int) in.readLong() : length == 126 ? in.readUnsignedShort() : length];
        in.readFully(mask);
        in.readFully(payload);
        for (int i = 0; i < payload.length; i++) {
            payload[i] ^= mask[i % 4];
        }
        return payload;
    }

    /** A text frame as permessage-deflate sends it (RFC 7692), without context from earlier ones. */
    static byte[] deflated(String json) {
        Deflater deflater = new Deflater(6, true);
        deflater.setInput(json.getBytes(UTF_8));
        byte[] out = new byte[json.length() * 3 + 100];
        int length = deflater.deflate(out, 0, out.length, Deflater.SYNC_FLUSH);
        deflater.end();
        // The empty block at the end, 00 00 ff ff, is left out on the wire.
        return frame(0xc1, Arrays.copyOf(out, length - 4));
    }

    static String inflated(byte[] payload) {
        Inflater inflater = new Inflater(true);
        inflater.setInput(concat(payload, new byte[] {0, 0, -1, -1}));
        byte[] out = new byte[1 << 20];
        try {
            int length = inflater.inflate(out);
            return new String(out, 0, length, UTF_8);
        } catch (DataFormatException e) {
            throw new IllegalStateException(e);
        } finally {
            inflater.end();
        }
    }

    static byte[] concat(byte[]... parts) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            out.writeBytes(part);
        }
        return out.toByteArray();
    }

    static void write(Socket client, byte[]... parts) throws IOException {
        client.getOutputStream().write(concat(parts));
        client.getOutputStream().flush();
    }

    /** Reads and forgets until the client leaves. */
    static void readToEnd(Socket client) throws IOException {
        client.getInputStream().transferTo(java.io.OutputStream.nullOutputStream());
    }

    int port() {
        return server.getLocalPort();
    }

    RelayUrl url() {
        return url("ws://127.0.0.1");
    }

    RelayUrl url(String schemeAndHost) {
        return RelayUrl.parse(schemeAndHost + ":" + port()).orElseThrow();
    }

    @Override
    public void close() {
        try {
            server.close();
            for (Socket client : clients) {
                client.close();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
