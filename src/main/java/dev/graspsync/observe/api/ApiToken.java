package dev.graspsync.observe.api;

import static java.nio.charset.StandardCharsets.UTF_8;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.security.MessageDigest;
import java.util.Optional;

/** Who may have something done. */
@ApplicationScoped
class ApiToken {

    private static final String BEARER = "Bearer ";

    private final Optional<String> token;

    @Inject
    ApiToken(ApiConfig config) {
        this.token = config.token().map(String::strip).filter(text -> !text.isEmpty());
    }

    boolean isConfigured() {
        return token.isPresent();
    }

    void check(Optional<String> authorization) {
        if (token.isEmpty()) {
            throw ApiProblem.answer(403, "actions are off: no token is configured (grasp.api.token)");
        }
        // Takes as long for a token that is nearly right as for one that is not.
        if (authorization.isEmpty()
                || !authorization.get().startsWith(BEARER)
                || !MessageDigest.isEqual(
                        authorization.get().substring(BEARER.length()).strip().getBytes(UTF_8),
                        token.get().getBytes(UTF_8))) {
            throw ApiProblem.answer(401, "this needs the configured token, as Authorization: Bearer <token>");
        }
    }
}
