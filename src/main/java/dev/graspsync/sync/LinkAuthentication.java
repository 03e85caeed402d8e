package dev.graspsync.sync;

import dev.graspsync.nostr.ClientMessage;
import dev.graspsync.nostr.Event;
import dev.graspsync.nostr.EventId;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** NIP-42 on one connection: what the relay asks, and the answer once that is wanted. Lives on its event loop. */
final class LinkAuthentication {

    private static final int MOST_CHALLENGE = 1_024;

    private final RelayConnection connection;
    private final Function<String, Event> answering;
    private @Nullable String challenge;
    private boolean wanted;
    private Optional<EventId> sent = Optional.empty();

    /** @param answering signs the answer to a challenge */
    LinkAuthentication(RelayConnection connection, Function<String, Event> answering) {
        this.connection = connection;
        this.answering = answering;
    }

    void challenged(String text) {
        challenge = text.length() <= MOST_CHALLENGE ? text : null;
        answerIfWanted();
    }

    /** Some relays send their challenge only after they refused; how long to wait for it is the engine's business. */
    void want() {
        wanted = true;
        answerIfWanted();
    }

    private void answerIfWanted() {
        String asked = challenge;
        if (wanted && asked != null) {
            wanted = false;
            Event answer = answering.apply(asked);
            sent = Optional.of(answer.id());
            connection.send(new ClientMessage.Auth(answer));
        }
    }

    /** Whether the relay says OK, or not, to the answer; it does so once. */
    boolean isAnswered(EventId id) {
        boolean answered = sent.filter(id::equals).isPresent();
        if (answered) {
            sent = Optional.empty();
        }
        return answered;
    }
}
