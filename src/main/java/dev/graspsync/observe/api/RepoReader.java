package dev.graspsync.observe.api;

import dev.graspsync.nostr.Nip19;
import dev.graspsync.nostr.RelayUrl;
import dev.graspsync.nostr.RepoAddress;
import dev.graspsync.observe.api.Announcements.Announced;
import dev.graspsync.store.StoredEvent;
import dev.graspsync.sync.SyncManager;
import dev.graspsync.sync.SyncView;
import dev.graspsync.sync.core.LastOutcome;
import dev.graspsync.sync.core.RelayView;
import dev.graspsync.sync.core.RepoAtRelayView;
import dev.graspsync.sync.core.RepoView;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/** The hosted repositories, and how far each is read from the relays it names. */
@ApplicationScoped
class RepoReader {

    private final SyncManager sync;
    private final Announcements announcements;

    @Inject
    RepoReader(SyncManager sync, Announcements announcements) {
        this.sync = sync;
        this.announcements = announcements;
    }

    RepoRow.Page page(Range range) {
        List<Announced> found = announcements.all().stream()
                .filter(repo ->
                        range.matches(repo.name()) || range.matches(repo.repo().toString()))
                .toList();
        return new RepoRow.Page(
                found.size(),
                range.of(found).stream()
                        .map(repo -> row(repo.repo(), repo.name()))
                        .toList());
    }

    private RepoRow row(RepoAddress repo, String name) {
        Optional<RepoView> view = sync.view().repo(repo);
        return new RepoRow(
                repo.toString(),
                new Nip19.OfAddress(repo.address(), List.of()).text(),
                name,
                view.map(RepoView::roots).orElse(0),
                view.map(seen -> seen.relays() + seen.leftOut()).orElse(0),
                view.map(RepoView::items).orElse(0L),
                view.map(RepoView::confirmed).orElse(0L),
                view.map(RepoView::isComplete).orElse(false));
    }

    Optional<RepoDetail> detail(RepoAddress repo) {
        return announcements.find(repo).map(announcement -> detail(repo, announcement));
    }

    private RepoDetail detail(RepoAddress repo, StoredEvent announcement) {
        return new RepoDetail(
                row(repo, Announcements.name(announcement)),
                announcement.firstValue("description"),
                Instant.ofEpochSecond(announcement.createdAt()),
                relaysOf(repo).stream().map(this::atRelay).toList());
    }

    private RepoDetail.AtRelay atRelay(RepoAtRelayView here) {
        Optional<RelayView> relay = sync.view().relay(here.relay());
        return new RepoDetail.AtRelay(
                here.relay().toString(),
                relay.map(view -> RelayReader.word(view.connection())),
                relay.map(view -> RelayReader.word(view.health())),
                here.items(),
                here.confirmed(),
                here.items() == 0 ? 0 : (int) (100L * here.confirmed() / here.items()),
                here.last().map(LastOutcome::word),
                here.leftOut()
                        ? Optional.of("not read: this service reads no more relays (grasp.sync.max-relays)")
                        : here.last().flatMap(LastOutcome::reason));
    }

    /** How far a repository is read from each relay it names; nothing where the sync is off. */
    List<RepoAtRelayView> relaysOf(RepoAddress repo) {
        return answer(view -> view.relaysOf(repo));
    }

    /** The first repositories of a relay. */
    List<RelayDetail.RepoAtRelay> at(RelayUrl relay, int most) {
        return answer(view -> view.reposAt(relay, most)).stream()
                .map(here -> new RelayDetail.RepoAtRelay(
                        here.repo().toString(), nameOf(here.repo()), here.items(), here.confirmed()))
                .toList();
    }

    private String nameOf(RepoAddress repo) {
        return announcements.find(repo).map(Announcements::name).orElse(repo.identifier());
    }

    /** The engine answers between two inputs; on a worker there is time to wait for it. */
    private <T> List<T> answer(Function<SyncView, CompletionStage<List<T>>> question) {
        if (!sync.isEnabled()) {
            return List.of();
        }
        try {
            return question.apply(sync.view()).toCompletableFuture().join();
        } catch (CompletionException busy) {
            throw ApiProblem.answer(503, "the sync engine is busy, ask again in a moment");
        }
    }
}
