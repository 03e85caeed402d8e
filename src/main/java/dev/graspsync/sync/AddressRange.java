package dev.graspsync.sync;

import java.net.InetAddress;

/**
 * A block of addresses with one meaning.
 *
 * @param network its first address
 * @param bits how many leading bits all its addresses share
 * @param what it is, as a reason reads: "a loopback address"
 */
record AddressRange(InetAddress network, int bits, String what) {

    /** From {@code 10.0.0.0/8}. */
    static AddressRange of(String cidr, String what) {
        int slash = cidr.indexOf('/');
        return new AddressRange(
                InetAddress.ofLiteral(cidr.substring(0, slash)), Integer.parseInt(cidr.substring(slash + 1)), what);
    }

    /** Whether this raw address, of 4 or 16 bytes, lies in the block. */
    boolean contains(byte[] address) {
        byte[] first = network.getAddress();
        if (first.length != address.length) {
            return false;
        }
        int whole = bits / Byte.SIZE;
        for (int i = 0; i < whole; i++) {
            if (first[i] != address[i]) {
                return false;
            }
        }
        int rest = Byte.SIZE - bits % Byte.SIZE;
        return rest == Byte.SIZE || (first[whole] & 0xff) >>> rest == (address[whole] & 0xff) >>> rest;
    }
}
