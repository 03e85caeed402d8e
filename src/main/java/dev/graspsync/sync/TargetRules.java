package dev.graspsync.sync;

import java.net.InetAddress;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * Which addresses may be dialled (rule 26). Anybody can announce a repository that names a relay, and so make this
 * service connect to a host and port of their choosing: only what is reachable by everybody anyway is dialled, unless the
 * operator allows the rest. IPv6 addresses that carry an IPv4 address are judged by the one they carry.
 */
final class TargetRules {

    private static final String METADATA = "a cloud metadata address";
    private static final String PRIVATE = "a private address";
    private static final String LINK_LOCAL = "a link-local address";
    private static final String DOCUMENTATION = "a documentation address";
    private static final String BENCHMARK = "a benchmarking address";
    private static final String RESERVED = "a reserved address";

    // The first range that contains an address names it, so the narrow ones come first.
    private static final List<AddressRange> NOT_PUBLIC = List.of(
            AddressRange.of("169.254.169.254/32", METADATA),
            AddressRange.of("168.63.129.16/32", METADATA),
            AddressRange.of("100.100.100.200/32", METADATA),
            AddressRange.of("0.0.0.0/32", "the unspecified address"),
            AddressRange.of("0.0.0.0/8", "an address of this host"),
            AddressRange.of("10.0.0.0/8", PRIVATE),
            AddressRange.of("100.64.0.0/10", "a carrier-grade NAT address"),
            AddressRange.of("127.0.0.0/8", "a loopback address"),
            AddressRange.of("169.254.0.0/16", LINK_LOCAL),
            AddressRange.of("172.16.0.0/12", PRIVATE),
            AddressRange.of("192.0.0.0/24", RESERVED),
            AddressRange.of("192.0.2.0/24", DOCUMENTATION),
            AddressRange.of("192.88.99.0/24", RESERVED),
            AddressRange.of("192.168.0.0/16", PRIVATE),
            AddressRange.of("198.18.0.0/15", BENCHMARK),
            AddressRange.of("198.51.100.0/24", DOCUMENTATION),
            AddressRange.of("203.0.113.0/24", DOCUMENTATION),
            AddressRange.of("224.0.0.0/4", "a multicast address"),
            AddressRange.of("255.255.255.255/32", "the broadcast address"),
            AddressRange.of("240.0.0.0/4", RESERVED),
            AddressRange.of("fd00:ec2::254/128", METADATA),
            AddressRange.of("fd20:ce::254/128", METADATA),
            AddressRange.of("::/128", "the unspecified address"),
            AddressRange.of("::1/128", "a loopback address"),
            AddressRange.of("64:ff9b:1::/48", "a private NAT64 address"),
            AddressRange.of("2001::/32", "a Teredo address"),
            AddressRange.of("2001:2::/48", BENCHMARK),
            AddressRange.of("2001:db8::/32", DOCUMENTATION),
            AddressRange.of("2001::/23", RESERVED),
            AddressRange.of("3fff::/20", DOCUMENTATION),
            AddressRange.of("fc00::/7", PRIVATE),
            AddressRange.of("fe80::/10", LINK_LOCAL),
            AddressRange.of("fec0::/10", PRIVATE),
            AddressRange.of("ff00::/8", "a multicast address"));

    private static final AddressRange GLOBAL_IPV6 = AddressRange.of("2000::/3", "a global address");
    private static final AddressRange SIX_TO_FOUR = AddressRange.of("2002::/16", "a 6to4 address");
    private static final List<AddressRange> IPV4_AT_THE_END = List.of(
            AddressRange.of("64:ff9b::/96", "a NAT64 address"),
            AddressRange.of("::ffff:0:0:0/96", "an IPv4-translated address"),
            AddressRange.of("::/96", "an IPv4-compatible address"));

    static final int CONNECTIONS = 20;

    private final boolean allowPrivate;
    private final int connections;

    TargetRules(boolean allowPrivate) {
        this(allowPrivate, CONNECTIONS);
    }

    /** @param connections to one public address at a time */
    TargetRules(boolean allowPrivate, int connections) {
        this.allowPrivate = allowPrivate;
        this.connections = connections;
    }

    /** What is private is the operator's own, and may be as many relays as there are. */
    AddressSeats seats() {
        return new AddressSeats(
                connections, address -> meaning(address.getAddress()).isPresent());
    }

    /** Why this address is not to be dialled; empty where it may be. */
    Optional<String> refusal(InetAddress address) {
        if (allowPrivate) {
            return Optional.empty();
        }
        return meaning(address.getAddress()).map(what -> address.getHostAddress() + " is " + what);
    }

    private static Optional<String> meaning(byte[] address) {
        for (AddressRange range : NOT_PUBLIC) {
            if (range.contains(address)) {
                return Optional.of(range.what());
            }
        }
        return address.length == 4 ? Optional.empty() : meaningOfIpv6(address);
    }

    private static Optional<String> meaningOfIpv6(byte[] address) {
        if (SIX_TO_FOUR.contains(address)) {
            return carried(address, 2, SIX_TO_FOUR.what());
        }
        if (isMapped(address)) {
            return carried(address, 12, "an IPv4-mapped address");
        }
        for (AddressRange range : IPV4_AT_THE_END) {
            if (range.contains(address)) {
                return carried(address, 12, range.what());
            }
        }
        return GLOBAL_IPV6.contains(address) ? Optional.empty() : Optional.of(RESERVED);
    }

    private static Optional<String> carried(byte[] address, int at, String form) {
        return meaning(Arrays.copyOfRange(address, at, at + 4)).map(what -> form + " of " + what);
    }

    /** Spelled out, because the JDK turns the literal {@code ::ffff:0:0} into an IPv4 address. */
    private static boolean isMapped(byte[] address) {
        for (int i = 0; i < 10; i++) {
            if (address[i] != 0) {
                return false;
            }
        }
        return address[10] == (byte) 0xff && address[11] == (byte) 0xff;
    }
}
