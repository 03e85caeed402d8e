package dev.graspsync.observe.api;

import io.smallrye.config.ConfigMapping;
import java.util.Optional;

/** What an operator sets about the status API. */
@ConfigMapping(prefix = "grasp.api")
public interface ApiConfig {

    /** Whoever shows it may have relays retried and synced anew; without one nobody may. */
    Optional<String> token();
}
