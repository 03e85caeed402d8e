package dev.graspsync.sync;

import dev.graspsync.nostr.RelayUrl;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.WorkerExecutor;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;

/** Finds the addresses of a relay that may be dialled, on threads of its own: a slow name server delays nothing else. */
final class RelayResolver {

    private static final int THREADS = 64;
    private static final int OF_ONE_DOMAIN = 4;
    /** Beyond these a relay has had its chances. */
    private static final int MOST_ADDRESSES = 3;

    private final Vertx vertx;
    private final WorkerExecutor workers;
    private final LookupTurns turns = new LookupTurns(OF_ONE_DOMAIN);
    private final HostLookup names;
    private final TargetRules rules;

    RelayResolver(Vertx vertx, HostLookup names, TargetRules rules) {
        this.vertx = vertx;
        this.workers = vertx.createSharedWorkerExecutor("relay-names", THREADS);
        this.names = names;
        this.rules = rules;
    }

    /** What came of it. */
    sealed interface Resolution {

        /** In the order in which to try them; never empty. */
        record Found(List<RelayAddress> addresses) implements Resolution {}

        record Refused(String why) implements Resolution {}
    }

    /** Told on the caller's event loop. */
    Future<Resolution> resolve(RelayUrl relay) {
        Context caller = vertx.getOrCreateContext();
        Promise<Resolution> result = Promise.promise();
        String domain = LookupTurns.domainOf(relay.host());
        turns.run(
                domain,
                () -> workers.executeBlocking(() -> lookup(relay), false).onComplete(found -> {
                    turns.ended(domain);
                    caller.runOnContext(ignored -> result.handle(found));
                }));
        return result.future();
    }

    private Resolution lookup(RelayUrl relay) {
        try {
            return judge(relay, names.lookup(relay.host()));
        } catch (UnknownHostException unknown) {
            return new Resolution.Refused("no address for host " + relay.host());
        }
    }

    /** Addresses that are not to be dialled are passed over; a relay that has no others is refused. */
    private Resolution judge(RelayUrl relay, InetAddress[] found) {
        List<RelayAddress> allowed = new ArrayList<>();
        String refusal = "no address for host " + relay.host();
        for (InetAddress ip : found) {
            String why = rules.refusal(ip).orElse("");
            if (!why.isEmpty()) {
                refusal = "not dialled: " + why;
            } else if (allowed.size() < MOST_ADDRESSES) {
                allowed.add(new RelayAddress(relay, ip));
            }
        }
        return allowed.isEmpty() ? new Resolution.Refused(refusal) : new Resolution.Found(List.copyOf(allowed));
    }

    Future<Void> close() {
        return workers.close();
    }
}
