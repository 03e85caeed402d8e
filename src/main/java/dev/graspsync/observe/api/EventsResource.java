package dev.graspsync.observe.api;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.graspsync.nostr.EventId;
import dev.graspsync.relay.Relay;
import dev.graspsync.store.EventStore;
import dev.graspsync.store.StoredEvent;
import jakarta.inject.Inject;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import java.time.Instant;
import java.util.Locale;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.media.Content;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;

/** Events that are here. */
@Path("/api/events")
public class EventsResource {

    private final EventStore store;

    @Inject
    EventsResource(Relay relay) {
        this.store = relay.store();
    }

    @GET
    @Path("{id}")
    @Operation(summary = "An event that is here, from whom it came, by which way and when")
    @APIResponse(
            responseCode = "200",
            description = "OK",
            content = @Content(mediaType = "application/json", schema = @Schema(implementation = EventDetail.class)))
    @APIResponse(responseCode = "400", ref = ApiDescription.BAD)
    @APIResponse(responseCode = "404", ref = ApiDescription.UNKNOWN)
    public EventDetail event(@PathParam("id") String id) {
        EventId wanted = EventId.parse(id.toLowerCase(Locale.ROOT))
                .orElseThrow(() -> ApiProblem.badRequest("not an event's id: it has 64 hex digits"));
        StoredEvent event = store.find(wanted)
                .orElseThrow(() -> ApiProblem.notFound("this event is not here; /api/explain says why"));
        return new EventDetail(
                event.id().hex(),
                event.kind(),
                KindName.of(event.kind()),
                event.pubkey().hex(),
                Instant.ofEpochSecond(event.createdAt()),
                EventDetail.Came.of(event.provenance(), Instant.ofEpochSecond(event.firstSeen())),
                new String(event.json(), UTF_8));
    }
}
