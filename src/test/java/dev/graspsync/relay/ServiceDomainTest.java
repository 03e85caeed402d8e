package dev.graspsync.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ServiceDomainTest {

    private static final ServiceDomain PLAIN = ServiceDomain.parse("Grasp.Example");

    @ParameterizedTest
    @ValueSource(
            strings = {
                "wss://grasp.example",
                "ws://grasp.example/",
                "WSS://GRASP.example:443/",
                "ws://grasp.example:80",
                "wss://grasp.example./"
            })
    void caseDefaultPortsAndSlashesMakeNoDifference(String url) {
        assertThat(PLAIN.isRelay(url)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "wss://evil-grasp.example",
                "wss://grasp.example.evil",
                "wss://sub.grasp.example",
                "wss://grasp.exampl",
                "wss://evil/grasp.example",
                "wss://evil/?u=wss://grasp.example",
                "wss://grasp.example@evil",
                "wss://evil@grasp.example",
                "wss://grasp.example#evil",
                "wss://grasp.example\\.evil",
                "wss://grasp.example evil",
                "wss://grasp.example:8080",
                "wss://grasp.example:80",
                "wss://grasp.example:",
                "wss://",
                "https://grasp.example",
                "grasp.example",
                ""
            })
    void anythingElseIsAnotherService(String url) {
        assertThat(PLAIN.isRelay(url)).isFalse();
    }

    @Test
    void cloneUrlsAreHttpOnly() {
        assertThat(PLAIN.isClone("https://grasp.example/npub1x/a.git")).isTrue();
        assertThat(PLAIN.isClone("http://grasp.example:80/npub1x/a.git")).isTrue();
        assertThat(PLAIN.isClone("ssh://grasp.example/npub1x/a.git")).isFalse();
        assertThat(PLAIN.isClone("git@grasp.example:npub1x/a.git")).isFalse();
        assertThat(PLAIN.isClone("https://other.example/grasp.example/a.git")).isFalse();
    }

    @Test
    void aPortInTheDomainMustBeTheUrlsPort() {
        ServiceDomain local = ServiceDomain.parse("localhost:8080");
        assertThat(local.isRelay("ws://localhost:8080")).isTrue();
        assertThat(local.isRelay("ws://localhost")).isFalse();
        assertThat(local.isRelay("ws://localhost:80801")).isFalse();
        assertThat(local.isRelay("ws://localhost:808")).isFalse();
        ServiceDomain secure = ServiceDomain.parse("grasp.example:443");
        assertThat(secure.isRelay("wss://grasp.example")).isTrue();
        assertThat(secure.isRelay("ws://grasp.example")).isFalse();
    }

    @Test
    void internationalNamesAndIpv6AddressesAreUnderstood() {
        assertThat(ServiceDomain.parse("bücher.example").isRelay("wss://xn--bcher-kva.example"))
                .isTrue();
        assertThat(ServiceDomain.parse("xn--bcher-kva.example").isRelay("wss://BÜCHER.example"))
                .isTrue();
        assertThat(ServiceDomain.parse("[::1]:7777").isRelay("ws://[::1]:7777")).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a b", "wss://grasp.example", "grasp.example/", "grasp.example:x", "user@host", "."})
    void whatIsNoHostAndPortIsNoDomain(String domain) {
        assertThatThrownBy(() -> ServiceDomain.parse(domain)).isInstanceOf(IllegalArgumentException.class);
    }
}
