package dev.graspsync.observe.api;

import dev.graspsync.nostr.Address;
import dev.graspsync.nostr.Kind;
import dev.graspsync.nostr.RepoAddress;
import dev.graspsync.observe.api.Explanation.Verdict;
import dev.graspsync.relay.Refusal;
import dev.graspsync.store.GoneEvent;
import dev.graspsync.store.StoredEvent;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** About the newest version of something, by its address: a repository above all. */
record AddressAnswers(StoredFacts facts, RefusalAnswers refusals, MissingAnswers missing, String domain) {

    Answer answer(Question.OfAddress asked) {
        Address address = asked.address();
        Optional<StoredEvent> here = facts.newest(address);
        if (here.isPresent()) {
            return EventAnswers.here(here.get())
                    .detail("This is its newest version, of "
                            + Words.atSecond(here.get().createdAt()));
        }
        Optional<RepoAddress> repo = repository(address);
        return facts.store()
                .delisting(address)
                .map(this::delisted)
                .or(() -> facts.deletionOf(address).map(deletion -> deleted(address, deletion)))
                .or(() -> facts.store().whyGone(address).flatMap(AddressAnswers::gone))
                .or(() -> facts.vanishOf(address.pubkey()).map(AddressAnswers::vanished))
                .or(() -> refusals.find(address).map(refused -> refused(refused, asked)))
                .orElseGet(() -> missing(asked))
                .repository(repo);
    }

    private static Optional<RepoAddress> repository(Address address) {
        return address.isRepo() || address.kind() == Kind.REPO_STATE
                ? Optional.of(new RepoAddress(address.pubkey(), address.identifier()))
                : Optional.empty();
    }

    private Answer delisted(GoneEvent announcement) {
        return new Answer(
                        Verdict.NOT_HOSTED,
                        "This repository is not hosted here: its announcement of %s no longer names %s"
                                .formatted(Words.atSecond(announcement.createdAt()), domain))
                .detail("That announcement is the event " + announcement.id())
                .about(announcement)
                .came(announcement.from(), Instant.ofEpochSecond(announcement.firstSeen()));
    }

    private static Answer deleted(Address address, StoredEvent deletion) {
        return new Answer(
                        Verdict.DELETED,
                        "This %s is not here: its author deleted it on %s"
                                .formatted(KindName.of(address.kind()), Words.atSecond(deletion.createdAt())))
                .detail("The deletion request is the event " + deletion.id());
    }

    /** Its newest version, of which there is no newer one here. */
    private static Optional<Answer> gone(GoneEvent newest) {
        String what = KindName.of(newest.kind());
        return switch (newest.why()) {
            case DELETED ->
                Optional.of(new Answer(Verdict.DELETED, "This %s was here, and its author deleted it".formatted(what))
                        .detail("The deletion request is the event " + newest.by())
                        .about(newest));
            case EXPIRED ->
                Optional.of(new Answer(Verdict.EXPIRED, EventAnswers.wasHereAndExpired(what)).about(newest));
            case SUPERSEDED, DELISTED -> Optional.empty();
        };
    }

    private static Answer vanished(StoredEvent request) {
        return new Answer(
                        Verdict.VANISHED,
                        "It is not here: its author asked to vanish, so everything they had written up to %s was removed"
                                .formatted(Words.atSecond(request.createdAt())))
                .detail("The request to vanish is the event " + request.id());
    }

    private Answer refused(Refusal refusal, Question.OfAddress asked) {
        if (!asked.address().isRepo() || refusal.because() != Refusal.Because.LACKS) {
            return refusals.answer(refusal, missing, asked.hints());
        }
        return new Answer(
                        Verdict.NOT_HOSTED,
                        "This repository is not hosted here: its announcement of %s is known, but does not name %s"
                                .formatted(Words.atSecond(refusal.createdAt()), domain))
                .detail("Asked for is: " + Words.reason(refusal.message()))
                .about(refusals.about(refusal))
                .came(refusal.from(), refusal.at());
    }

    private Answer missing(Question.OfAddress asked) {
        if (!asked.address().isRepo()) {
            List<RepoAddress> repos = asked.address().kind() == Kind.REPO_STATE
                    ? repository(asked.address())
                            .filter(repo -> facts.newest(repo.address()).isPresent())
                            .map(List::of)
                            .orElse(List.of())
                    : List.of();
            return missing.answer("It", asked.hints(), repos);
        }
        Answer answer = missing.answer("Its announcement", asked.hints(), List.of());
        if (answer.verdict == Verdict.UNKNOWN) {
            return answer;
        }
        Answer notHosted = new Answer(
                Verdict.NOT_HOSTED,
                "This repository is not hosted here: no announcement of it that names %s has been offered"
                        .formatted(domain));
        notHosted.detail("To have it hosted here, its owner publishes an announcement that names " + domain
                + ", here or at a relay this service reads");
        return notHosted.relays(answer.relays);
    }
}
