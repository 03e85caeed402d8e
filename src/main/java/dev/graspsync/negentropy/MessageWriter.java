package dev.graspsync.negentropy;

import java.util.Arrays;

/** A growing buffer of the protocol's primitives. */
final class MessageWriter {

    private byte[] buffer = new byte[64];
    private int size;

    int size() {
        return size;
    }

    /** Takes back all after the first {@code size} bytes. */
    void cut(int size) {
        this.size = size;
    }

    byte[] toBytes() {
        return Arrays.copyOf(buffer, size);
    }

    void octet(int value) {
        ensure(1);
        buffer[size++] = (byte) value;
    }

    void word(long value) {
        ensure(Long.BYTES);
        for (int shift = Long.SIZE - Byte.SIZE; shift >= 0; shift -= Byte.SIZE) {
            buffer[size++] = (byte) (value >>> shift);
        }
    }

    /** Base 128, most significant digit first, all but the last marked. */
    void varint(long value) {
        int digits = Math.max(1, (Long.SIZE - Long.numberOfLeadingZeros(value) + 6) / 7);
        for (int digit = digits - 1; digit > 0; digit--) {
            octet((int) (value >>> 7 * digit) & 0x7f | 0x80);
        }
        octet((int) value & 0x7f);
    }

    private void ensure(int more) {
        if (size + more > buffer.length) {
            buffer = Arrays.copyOf(buffer, Math.max(size + more, buffer.length * 2));
        }
    }
}
