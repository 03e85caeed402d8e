package dev.graspsync.sync.core.sim;

import dev.graspsync.nostr.EventId;
import dev.graspsync.nostr.RelayMessage.Hint;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** A client that writes down what a relay says, each message as a line. */
final class Recorder implements SimSocket.Listener {

    final List<String> lines = new ArrayList<>();
    final List<SimEvent> events = new ArrayList<>();

    @Nullable
    SimSocket socket;

    @Nullable
    Instant lastHeard;

    SimSocket socket() {
        if (socket == null) {
            throw new IllegalStateException("not connected");
        }
        return socket;
    }

    @Override
    public void opened(SimSocket opened) {
        socket = opened;
    }

    @Override
    public void failed(String why) {
        lines.add("failed " + why);
    }

    @Override
    public void events(String subscription, List<SimEvent> came) {
        events.addAll(came);
    }

    @Override
    public void eose(String subscription, Hint hint) {
        lines.add("EOSE " + subscription + " " + hint);
    }

    @Override
    public void closed(String subscription, String message) {
        lines.add("CLOSED " + subscription + " " + message);
    }

    @Override
    public void notice(String message) {
        lines.add("NOTICE " + message);
    }

    @Override
    public void challenge() {}

    @Override
    public void authenticated(boolean accepted, String message) {
        lines.add("OK " + accepted);
    }

    @Override
    public void lost(Instant heard, String why) {
        lastHeard = heard;
        lines.add("lost");
    }

    @Override
    public void progress(String session) {
        lines.add("progress " + session);
    }

    @Override
    public void claims(String session, List<EventId> ids) {
        lines.add("claims " + session + " " + ids.size());
    }

    @Override
    public void negErr(String session, String reason, OptionalLong cap) {
        lines.add("NEG-ERR " + session + " " + reason);
    }

    @Override
    public void garbage(String session) {
        lines.add("garbage " + session);
    }
}
