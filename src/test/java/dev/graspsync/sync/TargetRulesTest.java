package dev.graspsync.sync;

import static org.assertj.core.api.Assertions.assertThat;

import dev.graspsync.nostr.RelayUrl;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TargetRulesTest {

    private final TargetRules rules = new TargetRules(false);

    @ParameterizedTest
    @ValueSource(
            strings = {
                "1.1.1.1",
                "9.255.255.255",
                "11.0.0.0",
                "100.63.255.255",
                "100.128.0.0",
                "126.255.255.255",
                "128.0.0.1",
                "169.253.255.255",
                "169.255.0.0",
                "172.15.255.255",
                "172.32.0.0",
                "192.167.255.255",
                "192.169.0.0",
                "198.17.255.255",
                "198.20.0.0",
                "223.255.255.255",
                "2606:4700::1111",
                "2a00::1",
                "2002:0101:0101::1",
                "64:ff9b::101:101",
                "::ffff:1.1.1.1",
            })
    void publicAddressesMayBeDialled(String address) {
        assertThat(rules.refusal(InetAddress.ofLiteral(address))).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "127.0.0.1, loopback",
        "127.255.255.254, loopback",
        "::1, loopback",
        "::ffff:127.0.0.1, loopback",
        "0.0.0.0, unspecified",
        "0.1.2.3, this host",
        "::, unspecified",
        "10.0.0.0, private",
        "10.255.255.255, private",
        "172.16.0.0, private",
        "172.31.255.255, private",
        "192.168.0.1, private",
        "fc00::1, private",
        "fdff:ffff::1, private",
        "fec0::1, private",
        "169.254.0.1, link-local",
        "fe80::1, link-local",
        "febf::1, link-local",
        "169.254.169.254, metadata",
        "168.63.129.16, metadata",
        "100.100.100.200, metadata",
        "fd00:ec2::254, metadata",
        "::ffff:169.254.169.254, metadata",
        "64:ff9b::a9fe:a9fe, NAT64 address of a cloud metadata",
        "100.64.0.0, carrier-grade NAT",
        "100.127.255.255, carrier-grade NAT",
        "192.0.0.8, reserved",
        "192.0.2.1, documentation",
        "198.51.100.7, documentation",
        "203.0.113.9, documentation",
        "2001:db8::1, documentation",
        "3fff:0fff::1, documentation",
        "198.18.0.1, benchmarking",
        "198.19.255.255, benchmarking",
        "2001:2::1, benchmarking",
        "224.0.0.1, multicast",
        "239.255.255.255, multicast",
        "ff02::1, multicast",
        "240.0.0.1, reserved",
        "255.255.255.255, broadcast",
        "64:ff9b::7f00:1, NAT64 address of a loopback",
        "64:ff9b:1::101:101, private NAT64",
        "2002:7f00:1::1, 6to4 address of a loopback",
        "2002:c0a8:101::1, 6to4 address of a private",
        "2001:0:7f00:1::1, Teredo",
        "::7f00:1, IPv4-compatible address of a loopback",
        "::ffff:0:10.0.0.1, IPv4-translated address of a private",
        "100::1, reserved",
        "5f00::1, reserved",
        "4000::1, reserved",
    })
    void allOthersAreRefusedByName(String address, String what) {
        assertThat(rules.refusal(InetAddress.ofLiteral(address)))
                .hasValueSatisfying(
                        reason -> assertThat(reason).contains(" is ", what).doesNotContain("\n"))
                .isPresent();
    }

    @Test
    void aMappedAddressKeptAsIpv6IsJudgedByWhatItCarries() throws UnknownHostException {
        byte[] raw = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, (byte) 0xff, (byte) 0xff, 10, 0, 0, 1};

        assertThat(rules.refusal(Inet6Address.getByAddress("sneaky.example", raw, -1)))
                .hasValueSatisfying(reason -> assertThat(reason).contains("IPv4-mapped address of a private address"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "ws://127.1",
                "ws://0x7f.1",
                "ws://0x7f000001",
                "ws://2130706433",
                "ws://0177.0.0.1",
                "ws://017700000001",
                "ws://127.0.0.1.",
                "ws://１２７.０.０.１",
                "ws://127。0。0。1",
                "ws://[::ffff:127.0.0.1]",
                "ws://[::ffff:7f00:1]",
                "ws://[0:0:0:0:0:0:0:1]",
                "ws://[::127.0.0.1]",
                "ws://0",
                "ws://0xa9fea9fe",
                "ws://2852039166",
                "ws://10.1",
                "ws://192.168.257",
            })
    void obscureSpellingsInUrlsAreNoWayAround(String url) {
        RelayUrl.parse(url)
                .ifPresent(relay -> assertThat(rules.refusal(InetAddress.ofLiteral(relay.host())))
                        .as("%s is %s", url, relay)
                        .isPresent());
    }

    @ParameterizedTest
    @ValueSource(strings = {"127.0.0.1", "::1", "10.0.0.1", "169.254.169.254", "fe80::1"})
    void allowedByTheOperatorAllMayBeDialled(String address) {
        assertThat(new TargetRules(true).refusal(InetAddress.ofLiteral(address)))
                .isEmpty();
    }
}
