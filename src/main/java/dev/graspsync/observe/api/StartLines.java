package dev.graspsync.observe.api;

import dev.graspsync.relay.Relay;
import dev.graspsync.store.RelayLedger;
import io.quarkus.vertx.http.HttpServer;
import io.quarkus.vertx.http.HttpServerStart;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.ObservesAsync;
import jakarta.inject.Inject;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.jboss.logging.Logger;

/** The first lines after a start: where everything is, and what there is. */
@ApplicationScoped
class StartLines {

    private static final Logger LOG = Logger.getLogger(StartLines.class);

    private final Relay relay;
    private final Announcements announcements;
    private final RelayLedger ledger;
    private final HttpServer server;
    private final String host;
    private final String managementHost;
    private final int managementPort;

    @Inject
    StartLines(
            Relay relay,
            Announcements announcements,
            RelayLedger ledger,
            HttpServer server,
            @ConfigProperty(name = "quarkus.http.host") String host,
            @ConfigProperty(name = "quarkus.management.host", defaultValue = "0.0.0.0") String managementHost,
            @ConfigProperty(name = "quarkus.management.port", defaultValue = "9000") int managementPort) {
        this.relay = relay;
        this.announcements = announcements;
        this.ledger = ledger;
        this.server = server;
        this.host = host;
        this.managementHost = managementHost;
        this.managementPort = managementPort;
    }

    void started(@ObservesAsync HttpServerStart started) {
        String at = reachable(host) + ":" + server.getPort();
        // It begins to listen a moment after the other.
        int managed = server.getManagementPort() > 0 ? server.getManagementPort() : managementPort;
        String management = "http://" + reachable(managementHost) + ":" + managed;
        LOG.infof(
                "Relay: ws://%s, which announcements name as %s; dashboard: http://%s/",
                at, relay.config().domain(), at);
        LOG.infof(
                "Health: %s/q/health, metrics: %s/q/metrics, status API: http://%s/api/openapi",
                management, management, at);
        LOG.infof(
                "%d repositories are hosted here, %d relays are remembered",
                announcements.all().size(), ledger.load().size());
    }

    /** An address to click on, where the server listens at all of them. */
    private static String reachable(String host) {
        if (host.equals("0.0.0.0") || host.equals("::")) {
            return "localhost";
        }
        return host.contains(":") && !host.startsWith("[") ? "[" + host + "]" : host;
    }
}
