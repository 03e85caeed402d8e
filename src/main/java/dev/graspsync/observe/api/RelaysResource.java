package dev.graspsync.observe.api;

import dev.graspsync.nostr.RelayUrl;
import dev.graspsync.sync.SyncManager;
import dev.graspsync.sync.core.RelayView;
import jakarta.inject.Inject;
import jakarta.ws.rs.DefaultValue;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.HeaderParam;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.Response;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.media.Content;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.parameters.Parameter;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import org.eclipse.microprofile.openapi.annotations.security.SecurityRequirement;
import org.jboss.logging.Logger;

/** The relays that are read, and what an operator may have done to one. */
@Path("/api/relays")
public class RelaysResource {

    private static final Logger LOG = Logger.getLogger(RelaysResource.class);
    private static final int MOST_REPOS = 200;
    /** Of the connection and of its health. */
    private static final List<String> STATES =
            List.of("connected", "connecting", "disconnected", "healthy", "degraded", "dead");

    private static final Map<String, Comparator<RelayRow>> ORDERS = Map.of(
            "url", Comparator.comparing(RelayRow::url),
            "state", Comparator.comparing(RelayRow::state),
            "health", Comparator.comparing(RelayRow::health),
            "failures", Comparator.comparing(RelayRow::failures),
            "repositories", Comparator.comparing(RelayRow::repositories),
            "items", Comparator.comparing(RelayRow::items),
            "received", Comparator.comparing(RelayRow::eventsReceived),
            "gaps", Comparator.comparing(RelayRow::gaps));

    private final RelayReader reader;
    private final RepoReader repos;
    private final SyncManager sync;
    private final ApiToken token;

    @Inject
    RelaysResource(RelayReader reader, RepoReader repos, SyncManager sync, ApiToken token) {
        this.reader = reader;
        this.repos = repos;
        this.sync = sync;
        this.token = token;
    }

    @GET
    @Operation(
            summary = "The relays that are read",
            description = "q: part of the URL; state: connected, connecting, disconnected, healthy, degraded or dead;"
                    + " sort: url, state, health, failures, repositories, items, received or gaps, with - in front"
                    + " for the largest first")
    @APIResponse(
            responseCode = "200",
            description = "OK",
            content = @Content(mediaType = "application/json", schema = @Schema(implementation = RelayRow.Page.class)))
    @APIResponse(responseCode = "400", ref = ApiDescription.BAD)
    public RelayRow.Page relays(
            @QueryParam("q") Optional<String> query,
            @Parameter(
                            schema =
                                    @Schema(
                                            enumeration = {
                                                "connected",
                                                "connecting",
                                                "disconnected",
                                                "healthy",
                                                "degraded",
                                                "dead"
                                            }))
                    @QueryParam("state")
                    Optional<String> state,
            @Parameter(
                            schema =
                                    @Schema(
                                            defaultValue = "url",
                                            pattern = "-?(url|state|health|failures|repositories|items|received|gaps)"))
                    @QueryParam("sort")
                    @DefaultValue("url")
                    String sort,
            @QueryParam("offset") Optional<String> offset,
            @QueryParam("limit") Optional<String> limit) {
        Range range = Range.of(query, offset, limit);
        Predicate<RelayRow> wanted =
                state.filter(word -> !word.isEmpty()).map(RelaysResource::isIn).orElse(row -> true);
        List<RelayRow> found = reader.rows().stream()
                .filter(row -> range.matches(row.url()))
                .filter(wanted)
                .sorted(order(sort).thenComparing(RelayRow::url))
                .toList();
        return new RelayRow.Page(found.size(), range.of(found));
    }

    private static Predicate<RelayRow> isIn(String state) {
        if (!STATES.contains(state)) {
            throw ApiProblem.badRequest("state is none of " + String.join(", ", STATES));
        }
        return row -> row.state().equals(state) || row.health().equals(state);
    }

    private static Comparator<RelayRow> order(String sort) {
        boolean down = sort.startsWith("-");
        Comparator<RelayRow> order = ORDERS.get(down ? sort.substring(1) : sort);
        if (order == null) {
            throw ApiProblem.badRequest(
                    "sort is none of url, state, health, failures, repositories, items, received," + " gaps");
        }
        return down ? order.reversed() : order;
    }

    @GET
    @Path("{url}")
    @Operation(summary = "One relay: how far it is read, what it takes at once, how reliable it is")
    @APIResponse(
            responseCode = "200",
            description = "OK",
            content = @Content(mediaType = "application/json", schema = @Schema(implementation = RelayDetail.class)))
    @APIResponse(responseCode = "400", ref = ApiDescription.BAD)
    @APIResponse(responseCode = "404", ref = ApiDescription.UNKNOWN)
    public RelayDetail relay(@PathParam("url") String url) {
        RelayView view = find(url);
        return reader.detail(view, repos.at(view.relay(), MOST_REPOS));
    }

    private RelayView find(String text) {
        RelayUrl url = Range.relay(text);
        return reader.view(url)
                .orElseThrow(() ->
                        ApiProblem.notFound("no repository here names this relay, so this service does not read it"));
    }

    @POST
    @Path("{url}/retry")
    @Operation(summary = "Connects to a relay now, whatever its backoff says; needs the token")
    @SecurityRequirement(name = ApiDescription.TOKEN)
    @APIResponse(responseCode = "202", description = "It is being done")
    @APIResponse(responseCode = "400", ref = ApiDescription.BAD)
    @APIResponse(responseCode = "401", ref = ApiDescription.NO_TOKEN)
    @APIResponse(responseCode = "403", ref = ApiDescription.OFF)
    @APIResponse(responseCode = "404", ref = ApiDescription.UNKNOWN)
    public Response retry(
            @PathParam("url") String url,
            @Parameter(hidden = true) @HeaderParam("Authorization") Optional<String> authorization) {
        return act(url, authorization, "a connection attempt now", sync::retryNow);
    }

    @POST
    @Path("{url}/fresh-sync")
    @Operation(summary = "Asks a connected relay for everything once more; needs the token")
    @SecurityRequirement(name = ApiDescription.TOKEN)
    @APIResponse(responseCode = "202", description = "It is being done")
    @APIResponse(responseCode = "400", ref = ApiDescription.BAD)
    @APIResponse(responseCode = "401", ref = ApiDescription.NO_TOKEN)
    @APIResponse(responseCode = "403", ref = ApiDescription.OFF)
    @APIResponse(responseCode = "404", ref = ApiDescription.UNKNOWN)
    public Response freshSync(
            @PathParam("url") String url,
            @Parameter(hidden = true) @HeaderParam("Authorization") Optional<String> authorization) {
        return act(url, authorization, "a fresh sync", sync::freshSyncNow);
    }

    private Response act(String url, Optional<String> authorization, String what, Consumer<RelayUrl> action) {
        token.check(authorization);
        RelayUrl relay = find(url).relay();
        LOG.infof("Relay %s: %s was asked for over the API", relay, what);
        action.accept(relay);
        return Response.accepted().build();
    }
}
