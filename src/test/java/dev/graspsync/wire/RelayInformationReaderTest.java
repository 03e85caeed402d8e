package dev.graspsync.wire;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.OptionalInt;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RelayInformationReaderTest {

    private static RelayLimitation read(String json) {
        byte[] bytes = json.getBytes(UTF_8);
        return RelayInformationReader.read(bytes, 0, bytes.length);
    }

    @Test
    void readsTheLimitsAmongEverythingElse() {
        assertThat(read("""
                        {"name":"a relay","supported_nips":[1,11,{"x":[]}],
                         "fees":{"limitation":{"max_limit":1}},
                         "limitation":{"max_message_length":131072,"max_subscriptions":20,"max_filters":10,
                                       "auth_required":false,"max_limit":500,"nested":{"max_limit":7}},
                         "icon":null}
                        """))
                .isEqualTo(new RelayLimitation(
                        OptionalInt.of(500), OptionalInt.of(20), OptionalInt.of(131_072), OptionalInt.of(10)));
    }

    @Test
    void passesOverValuesThatMakeNoSense() {
        assertThat(read("""
                        {"limitation":{"max_limit":"500","max_subscriptions":-1,"max_filters":0,
                                       "max_message_length":99999999999}}
                        """))
                .isEqualTo(new RelayLimitation(
                        OptionalInt.empty(),
                        OptionalInt.empty(),
                        OptionalInt.of(Integer.MAX_VALUE),
                        OptionalInt.empty()));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "{",
                "{}",
                "[]",
                "null",
                "<html></html>",
                "{\"limitation\":[]}",
                "{\"limitation\":{\"max_limit\":500}",
                "{\"limitation\":{\"max_limit\":1e3,\"max_subscriptions\":2.5}}",
                "{\"limitation\":{\"max_limit\":999999999999999999999999999999999999999999}}",
            })
    void saysNothingWhereNothingIsSaid(String json) {
        assertThat(read(json)).isEqualTo(RelayLimitation.NONE);
    }

    @Property(tries = 500)
    void neverThrows(@ForAll byte[] bytes) {
        assertThat(RelayInformationReader.read(bytes, 0, bytes.length)).isNotNull();
    }
}
