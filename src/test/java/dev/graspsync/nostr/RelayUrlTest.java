package dev.graspsync.nostr;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RelayUrlTest {

    @ParameterizedTest
    @CsvSource({
        "wss://relay.example.com, wss://relay.example.com",
        "wss://relay.example.com/, wss://relay.example.com",
        "WSS://Relay.Example.COM:443/, wss://relay.example.com",
        "ws://relay.example.com:80, ws://relay.example.com",
        "ws://relay.example.com:443, ws://relay.example.com:443",
        "wss://relay.example.com:0443, wss://relay.example.com",
        "wss://relay.example.com., wss://relay.example.com",
        "wss://relay.example.com/inbox, wss://relay.example.com/inbox",
        "wss://relay.example.com/Inbox/, wss://relay.example.com/Inbox/",
        "wss://relay.example.com/a/../b, wss://relay.example.com/b",
        "wss://relay.example.com/@me, wss://relay.example.com/@me",
        "wss://relay.example.com?x=1, wss://relay.example.com/?x=1",
        "wss://bücher.example, wss://xn--bcher-kva.example",
        "ws://127.1:7777, ws://127.0.0.1:7777",
        "ws://0x7f000001, ws://127.0.0.1",
        "ws://[::1]:7777/, ws://[::1]:7777",
        "ws://[0:0:0:0:0:0:0:1], ws://[::1]",
    })
    void spellsEveryRelayInOneWay(String given, String canonical) {
        assertThat(RelayUrl.parse(given)).map(RelayUrl::toString).contains(canonical);
        assertThat(RelayUrl.parse(canonical)).isEqualTo(RelayUrl.parse(given));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "relay.example.com",
                "https://relay.example.com",
                "wss:relay.example.com",
                "wss://",
                "wss:///path",
                "wss://:443",
                "wss://user@relay.example.com",
                "wss://user:password@relay.example.com",
                "wss://@relay.example.com",
                "wss://relay.example.com#fragment",
                "wss://relay.example.com/#",
                " wss://relay.example.com",
                "wss://relay.example.com ",
                "wss://relay.example.com\n",
                "wss://relay.exa\u0000mple.com",
                "wss://relay.exa\u00a0mple.com",
                "wss://relay.exa\u200bmple.com",
                "wss://relay.example.com\\path",
                "wss://relay.example.com:0",
                "wss://relay.example.com:65536",
                "wss://relay.example.com:99999999999",
                "wss://relay.example.com:x",
                "wss://relay..example.com",
                "wss://.",
                "wss://a,wss://b",
                "wss://[::1",
            })
    void refusesWhatIsNoRelay(String given) {
        assertThat(RelayUrl.parse(given)).isEmpty();
    }

    @Test
    void refusesOverlongUrls() {
        assertThat(RelayUrl.parse("wss://relay.example.com/" + "a".repeat(1001)))
                .isEmpty();
    }

    @Test
    void tellsHostPortAndSecurity() {
        RelayUrl plain = RelayUrl.parse("ws://[::1]:7777").orElseThrow();
        RelayUrl secure = RelayUrl.parse("wss://relay.example.com").orElseThrow();

        assertThat(plain.host()).isEqualTo("::1");
        assertThat(plain.port()).isEqualTo(7777);
        assertThat(plain.isSecure()).isFalse();
        assertThat(secure.host()).isEqualTo("relay.example.com");
        assertThat(secure.port()).isEqualTo(443);
        assertThat(secure.isSecure()).isTrue();
    }
}
