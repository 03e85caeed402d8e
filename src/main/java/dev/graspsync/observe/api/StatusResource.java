package dev.graspsync.observe.api;

import jakarta.inject.Inject;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import org.eclipse.microprofile.openapi.annotations.Operation;

/** The whole service at a glance. */
@Path("/api/status")
public class StatusResource {

    private final StatusReader reader;

    @Inject
    StatusResource(StatusReader reader) {
        this.reader = reader;
    }

    @GET
    @Operation(summary = "The whole service at a glance")
    public Status status() {
        return reader.read();
    }
}
