package dev.graspsync.relay;

import dev.graspsync.nostr.ClientMessage;
import dev.graspsync.nostr.EncodedEvent;
import dev.graspsync.nostr.Event;
import dev.graspsync.nostr.Filter;
import dev.graspsync.nostr.Kind;
import dev.graspsync.nostr.Prefix;
import dev.graspsync.nostr.RelayMessage;
import dev.graspsync.store.Provenance;
import dev.graspsync.wire.ClientMessageReader;
import dev.graspsync.wire.EventJson;
import dev.graspsync.wire.ReadResult;
import io.netty.channel.Channel;
import io.netty.handler.codec.http.websocketx.CorruptedWebSocketFrameException;
import io.netty.handler.codec.http.websocketx.WebSocketCloseStatus;
import io.vertx.core.Context;
import io.vertx.core.http.ServerWebSocket;
import io.vertx.core.http.WebSocketFrame;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jboss.logging.Logger;

/**
 * One client: its messages come in here and are answered. Touched on its event loop only; what reads the store or
 * checks a signature runs elsewhere and comes back.
 */
final class RelaySession {

    private static final Logger LOG = Logger.getLogger(RelaySession.class);

    private final Relay relay;
    /** Itself, not by way of the relay: connections end also after the beans are gone. */
    private final Sessions sessions;

    private final ServerWebSocket socket;
    private final Context context;
    private final RelayConfig.Limits limits;
    private final IncomingMessage incoming;
    private final Authentication authentication;
    private final Outbound out;
    private final Delivery delivery;
    private final Liveness liveness;
    private final Comparisons comparisons;
    private final Counting counting;
    private final SharedRoom.Share room;
    private final ComingBack finished;
    private final Intake intake;

    RelaySession(Relay relay, ServerWebSocket socket, Channel channel, Context context) {
        this.relay = relay;
        this.sessions = relay.sessions();
        this.socket = socket;
        this.context = context;
        this.limits = relay.config().relay();
        this.incoming = new IncomingMessage(limits.maxMessageLength());
        this.authentication = new Authentication(relay.service());
        this.out = new Outbound(socket, channel, this::answerTaken);
        this.room = relay.questionRoom().share();
        this.delivery = new Delivery(relay, out, context, room, this::onStoreFailure);
        this.comparisons = new Comparisons(relay, context, room, out::answer);
        this.counting = new Counting(relay, socket::isClosed);
        this.liveness = new Liveness(limits.readerTimeout(), limits.pingInterval(), out);
        this.intake = new Intake(socket, out, liveness);
        this.finished = new ComingBack(context, intake::readOrNot);
    }

    void start() {
        socket.frameHandler(this::onFrame);
        socket.pongHandler(none -> liveness.heard());
        // Not at once: the socket may be between the head and the body of a frame when it says that it has room.
        socket.drainHandler(none -> wake());
        socket.exceptionHandler(this::onFailure);
        socket.closeHandler(none -> onClose());
        sessions.add(this);
        out.answer(new RelayMessage.Auth(authentication.challenge()));
    }

    private void onClose() {
        sessions.remove(this);
        sessions.leave();
        delivery.close();
        comparisons.closeAll();
    }

    private void onFailure(Throwable failure) {
        LOG.debugf("Connection to %s: %s", socket.remoteAddress(), failure);
        // A frame that cannot be read; what follows it cannot be understood either.
        if (failure instanceof CorruptedWebSocketFrameException corrupted && !socket.isClosed()) {
            WebSocketCloseStatus status = corrupted.closeStatus();
            socket.close((short) status.code(), corrupted.getMessage());
        }
    }

    private void onStoreFailure(RuntimeException failure) {
        LOG.errorf(failure, "Reading for %s failed", socket.remoteAddress());
        socket.close((short) 1011, "the store failed");
    }

    // What comes in -----------------------------------------------------------------------------------------------

    private void onFrame(WebSocketFrame frame) {
        liveness.heard();
        if (frame.isText() || frame.isBinary() || frame.isContinuation()) {
            incoming.add(frame).ifPresent(this::onWhole);
            intake.readOrNot();
        }
    }

    private void onWhole(IncomingMessage.Whole message) {
        switch (message) {
            case IncomingMessage.Whole.Text(byte[] utf8) -> onText(utf8);
            case IncomingMessage.Whole.Binary() -> notice(Prefix.INVALID.with("binary messages are not understood"));
            case IncomingMessage.Whole.TooLong(long bytes) ->
                notice(Prefix.INVALID.with(
                        "a message of " + bytes + " bytes; the limit is " + limits.maxMessageLength()));
        }
    }

    private void onText(byte[] utf8) {
        switch (ClientMessageReader.read(utf8, 0, utf8.length)) {
            case ReadResult.Message<ClientMessage>(ClientMessage message) -> onMessage(message, utf8.length);
            case ReadResult.Malformed<ClientMessage> malformed -> out.answer(Complaint.about(malformed));
        }
    }

    private void onMessage(ClientMessage message, int length) {
        switch (message) {
            case ClientMessage.Event(Event event) -> onEvent(event);
            case ClientMessage.Req(String id, List<Filter> filters) -> onReq(id, filters, length);
            case ClientMessage.Count(String id, List<Filter> filters) -> onCount(id, filters, length);
            case ClientMessage.Close(String id) -> delivery.end(id);
            case ClientMessage.Auth(Event event) -> onAuth(event, length);
            case ClientMessage.NegOpen(String id, Filter filter, var opening) ->
                comparisons.open(id, filter, FilterCost.of(List.of(filter), length), opening);
            case ClientMessage.NegMsg(String id, var next) -> comparisons.message(id, next);
            case ClientMessage.NegClose(String id) -> comparisons.close(id);
        }
    }

    private void onEvent(Event event) {
        intake.asked();
        EventIngest.Entry entry = relay.ingest()
                .offer(
                        event,
                        Provenance.DIRECT,
                        authentication.keys(),
                        result -> done(() -> onIngested(event, result)),
                        () -> context.runOnContext(none -> onRoom()));
        switch (entry) {
            case TAKEN -> {}
            case TAKEN_AND_FULL -> intake.full(true);
            case REFUSED -> {
                intake.answered();
                ok(event, IngestResult.refused(Prefix.RATE_LIMITED.with("the relay is busy, try again later")));
            }
        }
    }

    private void onRoom() {
        intake.full(false);
        intake.readOrNot();
    }

    private void onIngested(Event event, IngestResult result) {
        ok(event, result);
        if (result.accepted() && Kind.isEphemeral(event.kind())) {
            sessions.broadcast(EventJson.encode(event));
        }
    }

    private void onAuth(Event event, int length) {
        Optional<String> refusal = authentication.refusal(event, Instant.now());
        if (refusal.isPresent()) {
            ok(event, IngestResult.refused(refusal.get()));
            return;
        }
        if (!room.take(length)) {
            ok(event, IngestResult.refused(Prefix.RATE_LIMITED.with("too much at once, try again later")));
            return;
        }
        intake.asked();
        relay.workers().execute(() -> {
            boolean signed = EventJson.idMatches(event) && relay.verifier().verify(event);
            done(() -> {
                room.giveBack(length);
                if (signed) {
                    authentication.add(event.pubkey());
                }
                out.answer(new RelayMessage.Ok(
                        event.id(), signed, signed ? "" : Prefix.INVALID.with("the id or the signature is wrong")));
            });
        });
    }

    private void onReq(String id, List<Filter> filters, int length) {
        if (tooMany(id, filters)) {
            return;
        }
        if (!delivery.isOpen(id) && delivery.size() >= limits.maxSubscriptions()) {
            closed(id, Prefix.ERROR.with("too many subscriptions; the limit is " + limits.maxSubscriptions()));
            return;
        }
        if (!delivery.open(id, filters, FilterCost.of(filters, length))) {
            noRoom(id);
        }
    }

    private void onCount(String id, List<Filter> filters, int length) {
        if (tooMany(id, filters)) {
            return;
        }
        long cost = FilterCost.of(filters, length);
        if (!room.take(cost)) {
            noRoom(id);
            return;
        }
        intake.asked();
        counting.count(
                id,
                filters,
                answer -> done(() -> {
                    room.giveBack(cost);
                    out.answer(answer);
                }));
    }

    private void noRoom(String id) {
        closed(id, Prefix.RATE_LIMITED.with(FilterCost.TOO_MUCH));
    }

    private boolean tooMany(String id, List<Filter> filters) {
        boolean tooMany = filters.size() > limits.maxFilters();
        if (tooMany) {
            closed(id, Prefix.INVALID.with("too many filters; the limit is " + limits.maxFilters()));
        }
        return tooMany;
    }

    // What goes out -----------------------------------------------------------------------------------------------

    /** Comes back to the event loop with what was under way. Called on any thread. */
    private void done(Runnable answer) {
        finished.add(() -> {
            intake.answered();
            answer.run();
        });
    }

    /** Called from within a write; to read on means to answer, which has to wait for its end. */
    private void answerTaken() {
        if (intake.isPaused()) {
            context.runOnContext(none -> intake.readOrNot());
        }
    }

    private void ok(Event event, IngestResult result) {
        out.answer(new RelayMessage.Ok(event.id(), result.accepted(), result.message()));
    }

    private void closed(String subscription, String reason) {
        out.answer(new RelayMessage.Closed(subscription, reason));
    }

    private void notice(String message) {
        out.answer(new RelayMessage.Notice(message));
    }

    // What happens elsewhere, called on any thread ----------------------------------------------------------------

    /** New events were committed. */
    void wake() {
        context.runOnContext(none -> delivery.pump());
    }

    void hearEphemeral(EncodedEvent event) {
        context.runOnContext(none -> delivery.sendEphemeral(event));
    }

    /** Time has passed. */
    void lookAfter() {
        context.runOnContext(none -> {
            liveness.check(intake.isPaused()).ifPresent(this::cutOff);
            comparisons.expire(Instant.now());
            delivery.expire();
        });
    }

    private void cutOff(Liveness.Cut reason) {
        LOG.infof("Cut off %s: %s", socket.remoteAddress(), reason.words());
        sessions.remove(this);
        sessions.countCutOff(reason);
        out.cut();
    }
}
