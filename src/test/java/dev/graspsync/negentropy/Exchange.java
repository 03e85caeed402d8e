package dev.graspsync.negentropy;

import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

/** A whole session: what a client learns from a server, and what that costs. */
record Exchange(List<String> have, List<String> need, int rounds, long up, long down, int largestUp, int largestDown) {

    static final int ANY = Integer.MAX_VALUE;

    static Exchange between(SealedSet client, int clientLimit, SealedSet server, int serverLimit) {
        NegentropyServer responder = new NegentropyServer(server, serverLimit);
        return run(new NegentropyClient(client, clientLimit, ANY), message -> reply(responder, message));
    }

    static byte[] reply(NegentropyServer server, byte[] message) {
        return switch (server.reconcile(message)) {
            case ServerStep.Reply(byte[] reply) -> reply;
            case ServerStep.Failed(Failure failure) -> throw new AssertionError("the server says " + failure);
        };
    }

    static Exchange run(NegentropyClient client, UnaryOperator<byte[]> server) {
        List<String> have = new ArrayList<>();
        List<String> need = new ArrayList<>();
        byte[] message = client.initiate();
        long up = 0;
        long down = 0;
        int largestUp = 0;
        int largestDown = 0;
        for (int round = 1; ; round++) {
            up += message.length;
            largestUp = Math.max(largestUp, message.length);
            byte[] reply = server.apply(message);
            down += reply.length;
            largestDown = Math.max(largestDown, reply.length);
            switch (client.reconcile(reply)) {
                case ClientStep.Continue(Ids only, Ids missing, byte[] next) -> {
                    have.addAll(only.map(Item::hex));
                    need.addAll(missing.map(Item::hex));
                    message = next;
                }
                case ClientStep.Done(Ids only, Ids missing) -> {
                    have.addAll(only.map(Item::hex));
                    need.addAll(missing.map(Item::hex));
                    return new Exchange(have, need, round, up, down, largestUp, largestDown);
                }
                case ClientStep.Failed(Failure failure) -> throw new AssertionError("the client says " + failure);
            }
        }
    }
}
