package dev.graspsync.observe.api;

import jakarta.inject.Inject;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.QueryParam;
import java.util.Optional;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.media.Content;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;

/** Is it here, and if not, why not? */
@Path("/api/explain")
public class ExplainResource {

    private final Explainer explainer;

    @Inject
    ExplainResource(Explainer explainer) {
        this.explainer = explainer;
    }

    @GET
    @Operation(
            summary = "Is it here, from whom did it come; and if it is not here, why not?",
            description = "id: an event's id (64 hex digits), note, nevent, naddr, npub or nprofile, or an address"
                    + " <kind>:<public key>:<identifier>. Whatever is asked after, the answer is 200; 400 is for what"
                    + " names nothing.")
    @APIResponse(
            responseCode = "200",
            description = "OK",
            content = @Content(mediaType = "application/json", schema = @Schema(implementation = Explanation.class)))
    @APIResponse(responseCode = "400", ref = ApiDescription.BAD)
    public Explanation explain(@QueryParam("id") Optional<String> id) {
        return explainer.explain(Question.parse(id));
    }
}
