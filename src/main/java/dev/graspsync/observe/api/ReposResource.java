package dev.graspsync.observe.api;

import dev.graspsync.nostr.RepoAddress;
import jakarta.inject.Inject;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.QueryParam;
import java.util.Optional;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.media.Content;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;

/** The repositories hosted here. */
@Path("/api/repos")
public class ReposResource {

    private static final int LONGEST = 2_000;

    private final RepoReader reader;

    @Inject
    ReposResource(RepoReader reader) {
        this.reader = reader;
    }

    @GET
    @Operation(
            summary = "The repositories hosted here, by name",
            description = "q: part of the name or the address. A new one appears within ten seconds.")
    @APIResponse(
            responseCode = "200",
            description = "OK",
            content = @Content(mediaType = "application/json", schema = @Schema(implementation = RepoRow.Page.class)))
    @APIResponse(responseCode = "400", ref = ApiDescription.BAD)
    public RepoRow.Page repos(
            @QueryParam("q") Optional<String> query,
            @QueryParam("offset") Optional<String> offset,
            @QueryParam("limit") Optional<String> limit) {
        return reader.page(Range.of(query, offset, limit));
    }

    @GET
    @Path("{address}")
    @Operation(summary = "One repository, and how far it is read from each relay it names")
    @APIResponse(
            responseCode = "200",
            description = "OK",
            content = @Content(mediaType = "application/json", schema = @Schema(implementation = RepoDetail.class)))
    @APIResponse(responseCode = "400", ref = ApiDescription.BAD)
    @APIResponse(responseCode = "404", ref = ApiDescription.UNKNOWN)
    public RepoDetail repo(@PathParam("address") String address) {
        RepoAddress repo = Optional.of(address)
                .filter(text -> text.length() <= LONGEST)
                .flatMap(RepoAddress::parse)
                .orElseThrow(() -> ApiProblem.badRequest(
                        "not a repository's address: it is 30617:<public key, 64 hex digits>:<identifier>"));
        return reader.detail(repo)
                .orElseThrow(() -> ApiProblem.notFound(
                        "this service hosts no repository with this address; /api/explain says why"));
    }
}
