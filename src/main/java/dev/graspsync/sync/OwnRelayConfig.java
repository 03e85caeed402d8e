package dev.graspsync.sync;

import io.smallrye.config.ConfigMapping;
import java.util.Optional;

/** Sidecar mode: the own relay is another process. */
@ConfigMapping(prefix = "grasp.own-relay")
public interface OwnRelayConfig {

    /**
     * The relay to keep complete; absent: the one embedded here. It is synced from like any other, for every repository,
     * and what others had and it had not is published to it.
     */
    Optional<String> url();
}
