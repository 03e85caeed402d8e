package dev.graspsync.wire;

import java.util.Arrays;

/** A growing buffer of UTF-8 JSON, escaped the way NIP-01 defines event ids: nothing more, nothing less. */
final class JsonBytes {

    private static final byte[] HEX = ascii("0123456789abcdef");

    private byte[] buffer;
    private int size;

    JsonBytes(int expected) {
        buffer = new byte[expected];
    }

    private static byte[] ascii(String text) {
        return text.getBytes(java.nio.charset.StandardCharsets.US_ASCII);
    }

    int size() {
        return size;
    }

    byte[] array() {
        return buffer;
    }

    /** What was written; the last use of this buffer. */
    byte[] toBytes() {
        return size == buffer.length ? buffer : Arrays.copyOf(buffer, size);
    }

    /** What was written, apart from this buffer. */
    byte[] copy() {
        return Arrays.copyOf(buffer, size);
    }

    /** Makes it empty, and no larger than {@code kept} bytes. */
    void clear(int kept) {
        size = 0;
        if (buffer.length > kept) {
            buffer = new byte[kept];
        }
    }

    JsonBytes raw(char ascii) {
        ensure(1);
        buffer[size++] = (byte) ascii;
        return this;
    }

    /** ASCII that needs no escaping. */
    JsonBytes raw(String ascii) {
        int length = ascii.length();
        ensure(length);
        for (int i = 0; i < length; i++) {
            buffer[size + i] = (byte) ascii.charAt(i);
        }
        size += length;
        return this;
    }

    JsonBytes raw(byte[] bytes) {
        ensure(bytes.length);
        System.arraycopy(bytes, 0, buffer, size, bytes.length);
        size += bytes.length;
        return this;
    }

    JsonBytes hex(long value) {
        ensure(16);
        for (int shift = 60; shift >= 0; shift -= 4) {
            buffer[size++] = HEX[(int) (value >>> shift) & 15];
        }
        return this;
    }

    JsonBytes number(long value) {
        return raw(Long.toString(value));
    }

    /** A quoted string. Throws for a lone surrogate, which has no UTF-8. */
    JsonBytes string(String text) {
        int length = text.length();
        ensure(length + 2);
        byte[] out = buffer;
        int at = size;
        out[at++] = '"';
        for (int i = 0; i < length; i++) {
            char c = text.charAt(i);
            // Room for all that is left as single bytes is always there; only the others ask for more.
            if (c < 0x80 && c >= ' ' && c != '"' && c != '\\') {
                out[at++] = (byte) c;
                continue;
            }
            size = at;
            ensure(length - i + 6);
            out = buffer;
            if (c < 0x80) {
                escape(c);
            } else if (Character.isSurrogate(c)) {
                pair(text, i++);
            } else {
                encode(c);
            }
            at = size;
        }
        out[at++] = '"';
        size = at;
        return this;
    }

    private void escape(char c) {
        buffer[size++] = '\\';
        switch (c) {
            case '"', '\\' -> buffer[size++] = (byte) c;
            case '\n' -> buffer[size++] = 'n';
            case '\r' -> buffer[size++] = 'r';
            case '\t' -> buffer[size++] = 't';
            case '\b' -> buffer[size++] = 'b';
            case '\f' -> buffer[size++] = 'f';
            default -> {
                buffer[size++] = 'u';
                buffer[size++] = '0';
                buffer[size++] = '0';
                buffer[size++] = HEX[c >> 4];
                buffer[size++] = HEX[c & 15];
            }
        }
    }

    private void encode(char c) {
        if (c < 0x800) {
            buffer[size++] = (byte) (0xc0 | c >> 6);
        } else {
            buffer[size++] = (byte) (0xe0 | c >> 12);
            buffer[size++] = (byte) (0x80 | c >> 6 & 0x3f);
        }
        buffer[size++] = (byte) (0x80 | c & 0x3f);
    }

    private void pair(String text, int i) {
        int codePoint = text.codePointAt(i);
        if (codePoint <= Character.MAX_VALUE) {
            throw new IllegalArgumentException("lone surrogate");
        }
        buffer[size++] = (byte) (0xf0 | codePoint >> 18);
        buffer[size++] = (byte) (0x80 | codePoint >> 12 & 0x3f);
        buffer[size++] = (byte) (0x80 | codePoint >> 6 & 0x3f);
        buffer[size++] = (byte) (0x80 | codePoint & 0x3f);
    }

    private void ensure(int more) {
        if (size + more > buffer.length) {
            buffer = Arrays.copyOf(buffer, Math.max(size + more, buffer.length * 2));
        }
    }
}
