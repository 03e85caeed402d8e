package dev.graspsync.observe.api;

import io.vertx.core.http.HttpMethod;
import io.vertx.ext.web.Router;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;

/** Any page may read the API (CORS); what it says is of the moment. Actions need a token and so no rule of their own. */
@ApplicationScoped
class ApiHeaders {

    private static final int FIRST = -100;

    void register(@Observes Router router) {
        router.route("/api/*").order(FIRST).handler(routing -> {
            routing.response()
                    .putHeader("Access-Control-Allow-Origin", "*")
                    .putHeader("Access-Control-Allow-Methods", "GET")
                    .putHeader("Access-Control-Allow-Headers", "Content-Type")
                    .putHeader("Cache-Control", "no-cache")
                    .putHeader("X-Content-Type-Options", "nosniff");
            if (routing.request().method().equals(HttpMethod.OPTIONS)) {
                routing.response().setStatusCode(204).end();
            } else {
                routing.next();
            }
        });
    }
}
