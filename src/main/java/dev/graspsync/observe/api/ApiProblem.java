package dev.graspsync.observe.api;

import io.quarkus.runtime.annotations.RegisterForReflection;
import jakarta.ws.rs.WebApplicationException;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;

/** An answer that is none: what is wrong, in one sentence. */
@RegisterForReflection
record ApiProblem(String error) {

    static WebApplicationException badRequest(String error) {
        return answer(Response.Status.BAD_REQUEST.getStatusCode(), error);
    }

    static WebApplicationException notFound(String error) {
        return answer(Response.Status.NOT_FOUND.getStatusCode(), error);
    }

    static WebApplicationException answer(int status, String error) {
        return new WebApplicationException(Response.status(status)
                .type(MediaType.APPLICATION_JSON_TYPE)
                .entity(new ApiProblem(error))
                .build());
    }
}
