package dev.graspsync.observe.api;

import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.infrastructure.Infrastructure;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.sse.OutboundSseEvent;
import jakarta.ws.rs.sse.Sse;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.enums.SchemaType;
import org.eclipse.microprofile.openapi.annotations.media.Content;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;

/** The live stream, as server-sent events. */
@Path("/api/live")
@Singleton
public class LiveResource {

    private static final Duration EVERY = Duration.ofSeconds(1);
    private static final int MOST_LISTENERS = 100;

    private final LiveFeed feed;
    private final AtomicInteger listeners = new AtomicInteger();

    @Inject
    LiveResource(LiveFeed feed) {
        this.feed = feed;
    }

    @GET
    @Produces(MediaType.SERVER_SENT_EVENTS)
    @Operation(
            summary = "What changes, at most once a second",
            description =
                    "Event status: as /api/status. Event relays: {\"relays\": […], \"gone\": […]}, those of /api/relays that"
                            + " changed. A listener that is slow gets less often what then is.")
    @APIResponse(
            responseCode = "200",
            description = "The stream",
            content = @Content(mediaType = "text/event-stream", schema = @Schema(type = SchemaType.STRING)))
    @APIResponse(responseCode = "503", ref = ApiDescription.BUSY)
    public Multi<OutboundSseEvent> live(@Context Sse sse) {
        if (listeners.incrementAndGet() > MOST_LISTENERS) {
            listeners.decrementAndGet();
            throw ApiProblem.answer(503, "there are too many listeners, try again later");
        }
        LiveFeed.Listener listener = feed.listen();
        // A tick that comes while the listener is still busy with the last one is dropped: nothing is queued for it.
        return Multi.createFrom()
                .ticks()
                .every(EVERY)
                .onOverflow()
                .drop()
                .emitOn(Infrastructure.getDefaultWorkerPool(), 1)
                .onItem()
                .transformToIterable(tick -> listener.next())
                .onItem()
                .transform(told -> sse.newEventBuilder()
                        .name(told.name())
                        .data(String.class, told.json())
                        .build())
                .onTermination()
                .invoke(() -> listeners.decrementAndGet());
    }
}
