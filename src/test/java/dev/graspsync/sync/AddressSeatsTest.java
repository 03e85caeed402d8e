package dev.graspsync.sync;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Rule 26: names cost nothing, so it is addresses that have so many connections. */
class AddressSeatsTest {

    private final AddressSeats seats = new TargetRules(true, 2).seats();

    private Optional<AddressSeats.Seat> take(String address) throws UnknownHostException {
        return seats.take(InetAddress.getByName(address));
    }

    @Test
    void rule26OneAddressHasOnlySoManyConnections() throws Exception {
        assertThat(take("1.2.3.4")).isPresent();
        AddressSeats.Seat second = take("1.2.3.4").orElseThrow();

        assertThat(take("1.2.3.4")).isEmpty();
        assertThat(take("1.2.3.5")).isPresent();
        second.giveBack();
        second.giveBack();
        assertThat(take("1.2.3.4")).isPresent();
        assertThat(take("1.2.3.4")).isEmpty();
    }

    @Test
    void rule26AllAddressesOfOneHostCountAsOne() throws Exception {
        assertThat(take("2a00:1450:4001:810::1")).isPresent();
        assertThat(take("2a00:1450:4001:810::2")).isPresent();

        assertThat(take("2a00:1450:4001:810:ffff::3")).isEmpty();
        assertThat(take("2a00:1450:4001:811::1")).isPresent();
    }

    /** Dialled at all only where the operator allows it. */
    @Test
    void rule26PrivateAddressesHaveAsManyAsThereAreRelays() throws Exception {
        List<AddressSeats.Seat> all = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            all.add(take("127.0.0.1").orElseThrow());
            all.add(take("10.0.0.7").orElseThrow());
            all.add(take("fd00::7").orElseThrow());
        }

        assertThat(all).hasSize(300);
    }
}
