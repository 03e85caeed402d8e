package dev.graspsync.observe;

import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.ext.web.Route;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * The page that a browser gets at {@code /}, after the relay's own endpoint has left it to others, and its files. Their
 * address holds a hash of all of them, so that browsers may keep them for ever.
 */
@ApplicationScoped
class Dashboard {

    /** Those in src/main/resources/dashboard but the page; a native binary cannot list its resources. */
    static final List<String> NAMES = List.of(
            "actions.js",
            "api.js",
            "app.js",
            "dom.js",
            "explain.js",
            "format.js",
            "icon.svg",
            "live.js",
            "overview.js",
            "pager.js",
            "parts.css",
            "parts.js",
            "polled.js",
            "relay.js",
            "relays.js",
            "relaytable.js",
            "repositories.js",
            "repository.js",
            "style.css",
            "table.css",
            "table.js",
            "theme.js",
            "words.js");

    /** Nothing from elsewhere, nothing inline, no frames, and no text is ever parsed as HTML. */
    private static final String POLICY = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self';"
            + " connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none';"
            + " require-trusted-types-for 'script'; trusted-types 'none'";

    /** After the routes that name no order, as the relay's, and before Quarkus' own. */
    private static final int AFTER_THE_RELAY = 500;

    private final Map<String, DashboardFile> files =
            NAMES.stream().map(DashboardFile::read).collect(Collectors.toMap(DashboardFile::name, Function.identity()));
    private final DashboardFile page = DashboardFile.read("index.html");
    private final String version = versionOf(files);
    private final String html = page.content().toString().replace("{version}", version);

    void register(@Observes Router router) {
        reading(router.route("/")).order(AFTER_THE_RELAY).handler(this::page);
        reading(router.route("/dashboard/:version/:name")).handler(this::file);
    }

    private static Route reading(Route route) {
        return route.method(HttpMethod.GET).method(HttpMethod.HEAD);
    }

    private void page(RoutingContext routing) {
        secured(routing, page)
                .putHeader("Content-Security-Policy", POLICY)
                .putHeader("Cache-Control", "no-cache")
                .putHeader("Vary", "Accept")
                .end(html);
    }

    private void file(RoutingContext routing) {
        DashboardFile file = files.get(routing.pathParam("name"));
        if (file == null) {
            routing.next();
            return;
        }
        // While replicas are replaced, one may be asked for the files of another: they are served, but not to be kept.
        boolean same = version.equals(routing.pathParam("version"));
        secured(routing, file)
                .putHeader("Cache-Control", same ? "public, max-age=31536000, immutable" : "no-store")
                .end(file.content());
    }

    private static HttpServerResponse secured(RoutingContext routing, DashboardFile file) {
        return routing.response()
                .putHeader("Content-Type", file.type())
                .putHeader("X-Content-Type-Options", "nosniff")
                .putHeader("Referrer-Policy", "no-referrer");
    }

    private static String versionOf(Map<String, DashboardFile> files) {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            new TreeMap<>(files)
                    .values()
                    .forEach(file -> digest.update(file.content().getBytes()));
            return HexFormat.of().formatHex(digest.digest(), 0, 6);
        } catch (NoSuchAlgorithmException missing) {
            throw new IllegalStateException(missing);
        }
    }
}
