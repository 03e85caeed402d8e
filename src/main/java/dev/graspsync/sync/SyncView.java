package dev.graspsync.sync;

import dev.graspsync.nostr.RelayUrl;
import dev.graspsync.nostr.RepoAddress;
import dev.graspsync.sync.core.EngineChanges;
import dev.graspsync.sync.core.EngineView;
import dev.graspsync.sync.core.RelayView;
import dev.graspsync.sync.core.RepoAtRelayView;
import dev.graspsync.sync.core.RepoView;
import dev.graspsync.sync.core.SyncEngine;
import dev.graspsync.sync.core.SyncInput;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/**
 * What observers may see of the engine, from any thread. The engine's thread looks at what changed about once a second
 * and puts it here; what nobody needs all the time it is asked for.
 */
public final class SyncView {

    private static final Duration PAUSE = Duration.ofSeconds(1);
    private static final Duration DEADLINE = Duration.ofSeconds(5);
    private static final int MOST_QUESTIONS = 64;

    private record Question<T>(Function<SyncEngine, T> ask, CompletableFuture<T> answer) {

        void put(SyncEngine engine) {
            try {
                answer.complete(ask.apply(engine));
            } catch (RuntimeException bug) {
                answer.completeExceptionally(bug);
            }
        }
    }

    private final Map<RelayUrl, RelayView> relays = new ConcurrentHashMap<>();
    private final Map<RepoAddress, RepoView> repos = new ConcurrentHashMap<>();
    /** At once, unlike {@code repos}: whoever is asked about a repository may answer before that is seen. */
    private final Set<RepoAddress> hosted = ConcurrentHashMap.newKeySet();

    private final BlockingQueue<Question<?>> questions = new ArrayBlockingQueue<>(MOST_QUESTIONS);
    private final Runnable wake;
    private volatile EngineView engine = EngineView.NONE;
    private Instant lookedAt = Instant.MIN;

    /** @param wake has the engine's thread come by soon */
    SyncView(Runnable wake) {
        this.wake = wake;
    }

    // On the engine's thread ---------------------------------------------------------------------------------------

    /** Called before the engine hears of them. */
    void announced(List<SyncInput.Announced> announcements) {
        announcements.forEach(announced -> hosted.add(announced.repo()));
    }

    /** Called between inputs. */
    void turn(SyncEngine running, Instant now) {
        if (!lookedAt.plus(PAUSE).isAfter(now) || now.isBefore(lookedAt)) {
            lookedAt = now;
            show(running.look(now));
        }
        for (Question<?> next = questions.poll(); next != null; next = questions.poll()) {
            next.put(running);
        }
    }

    private void show(EngineChanges changes) {
        changes.relays().forEach(relay -> relays.put(relay.relay(), relay));
        changes.relaysGone().forEach(relays::remove);
        changes.repos().forEach(repo -> repos.put(repo.repo(), repo));
        changes.reposGone().forEach(repos::remove);
        changes.reposGone().forEach(hosted::remove);
        engine = changes.engine();
    }

    /** The engine begins anew. */
    void clear() {
        relays.clear();
        repos.clear();
        hosted.clear();
        engine = EngineView.NONE;
        lookedAt = Instant.MIN;
    }

    // On any thread ------------------------------------------------------------------------------------------------

    /** Whether anything is wanted about a repository. */
    boolean isHosted(RepoAddress repo) {
        return hosted.contains(repo);
    }

    public EngineView engine() {
        return engine;
    }

    /** Each is replaced when it changes: the same object is the same state. */
    public Collection<RelayView> relays() {
        return Collections.unmodifiableCollection(relays.values());
    }

    public Optional<RelayView> relay(RelayUrl url) {
        return Optional.ofNullable(relays.get(url));
    }

    public Collection<RepoView> repos() {
        return Collections.unmodifiableCollection(repos.values());
    }

    public Optional<RepoView> repo(RepoAddress address) {
        return Optional.ofNullable(repos.get(address));
    }

    /** The first repositories of a relay. Fails after a few seconds where the engine is too busy, or does not run. */
    public CompletionStage<List<RepoAtRelayView>> reposAt(RelayUrl relay, int most) {
        return ask(running -> running.reposAt(relay, most));
    }

    /** A repository at each relay it names. Fails after a few seconds where the engine is too busy, or does not run. */
    public CompletionStage<List<RepoAtRelayView>> relaysOf(RepoAddress repo) {
        return ask(running -> running.relaysOf(repo));
    }

    /** Whether all that is wanted of a relay is confirmed at this moment. */
    CompletionStage<Boolean> isComplete(RelayUrl relay) {
        return ask(running -> running.isComplete(relay));
    }

    private <T> CompletionStage<T> ask(Function<SyncEngine, T> ask) {
        CompletableFuture<T> answer = new CompletableFuture<>();
        if (!questions.offer(new Question<>(ask, answer))) {
            return CompletableFuture.failedFuture(new IllegalStateException("the sync engine is asked too much"));
        }
        wake.run();
        return answer.orTimeout(DEADLINE.toMillis(), TimeUnit.MILLISECONDS);
    }
}
