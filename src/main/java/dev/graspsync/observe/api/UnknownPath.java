package dev.graspsync.observe.api;

import jakarta.ws.rs.NotFoundException;
import jakarta.ws.rs.core.MediaType;
import org.jboss.resteasy.reactive.RestResponse;
import org.jboss.resteasy.reactive.server.ServerExceptionMapper;

/** What no resource answers. */
class UnknownPath {

    @ServerExceptionMapper(NotFoundException.class)
    RestResponse<ApiProblem> notFound() {
        return RestResponse.ResponseBuilder.create(
                        RestResponse.Status.NOT_FOUND,
                        new ApiProblem("there is nothing here: /api/openapi describes what there is"))
                .type(MediaType.APPLICATION_JSON_TYPE)
                .build();
    }
}
