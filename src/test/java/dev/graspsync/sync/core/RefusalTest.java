package dev.graspsync.sync.core;

import static dev.graspsync.sync.core.EngineScenario.RELAY;
import static dev.graspsync.sync.core.EngineScenario.ofRepo;
import static dev.graspsync.sync.core.EngineScenario.ofRoot;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Rules 6, 7 and 14: every subscription has one end, and a refusal is answered by asking differently. */
class RefusalTest {

    private final EngineScenario scenario = new EngineScenario();

    @BeforeEach
    void aConnectedRelay() {
        scenario.announce(1, 100, RELAY).open(RELAY);
        scenario.drain(RELAY);
        scenario.roots(1, IntStream.rangeClosed(1, 90).toArray());
    }

    /** Ends the request for the first root, and with nothing the others of its batch. */
    private void refuse(String message) {
        scenario.closed(asked(), message);
        if (scenario.found(Finding.Returned.class).isEmpty()) {
            scenario.drain(RELAY);
        }
    }

    private String asked() {
        return scenario.history(ofRoot(1)).orElseThrow().subscription();
    }

    @Test
    void rule6OnlyAllDrainedConfirms() {
        refuse("error: the disk is on fire");
        assertThat(scenario.found(Finding.Returned.class)).hasSize(1);
        assertThat(scenario.history(ofRoot(1))).isEmpty();

        scenario.pass(Duration.ofSeconds(130));

        assertThat(scenario.history(ofRoot(1))).isPresent();
    }

    @Test
    void rule6ASilentSubscriptionEndsAndItsItemsAreWantedAgain() {
        scenario.pass(Duration.ofSeconds(61));
        assertThat(scenario.found(Finding.Returned.class))
                .anySatisfy(returned -> assertThat(returned.outcome()).isEqualTo(new Outcome.Idle()));

        scenario.pass(Duration.ofSeconds(130));

        assertThat(scenario.history(ofRoot(1))).isPresent();
    }

    @Test
    void rule6EventsThatKeepComingKeepItAlive() {
        String subscription = asked();
        for (int i = 0; i < 10; i++) {
            scenario.pass(Duration.ofSeconds(30));
            scenario.give(new SyncInput.Progressed(scenario.now(), RELAY, subscription));
        }

        assertThat(scenario.openHistory(RELAY))
                .extracting(SyncAction.Subscribe::subscription)
                .contains(subscription);
    }

    @Test
    void rule6APageThatNeverEndsIsNotWaitedForWhateverComes() {
        String subscription = asked();
        for (int i = 0; i < 32; i++) {
            scenario.pass(Duration.ofSeconds(30));
            scenario.give(new SyncInput.Progressed(scenario.now(), RELAY, subscription));
        }

        assertThat(scenario.openHistory(RELAY))
                .extracting(SyncAction.Subscribe::subscription)
                .doesNotContain(subscription);
    }

    @Test
    void rule7AuthRequiredAuthenticatesAndRepeats() {
        scenario.closed(asked(), "auth-required: who are you?");
        assertThat(scenario.last(SyncAction.Authenticate.class)).hasSize(1);
        assertThat(scenario.history(ofRoot(1))).isEmpty();

        scenario.give(new SyncInput.Authenticated(scenario.now(), RELAY, true, ""));

        assertThat(scenario.history(ofRoot(1))).isPresent();
    }

    @Test
    void rule7AuthThatIsNotEnoughIsTriedAgainTheNextDay() {
        scenario.closed(asked(), "auth-required: who are you?");
        scenario.give(new SyncInput.Authenticated(scenario.now(), RELAY, true, ""));
        refuse("auth-required: not you");

        assertThat(scenario.found(Finding.Returned.class).getFirst().outcome()).isInstanceOf(Outcome.AuthNeeded.class);
        assertThat(scenario.history(ofRoot(1))).isEmpty();
    }

    @Test
    void rule7ARateLimitMeansWaiting() {
        scenario.closed(asked(), "rate-limited: slow down");
        scenario.pass(Duration.ofSeconds(60));
        assertThat(scenario.openHistory(RELAY)).isEmpty();

        scenario.pass(Duration.ofSeconds(10));

        assertThat(scenario.history(ofRoot(1))).isPresent();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "error: too many filters in one request | TOO_MANY_FILTERS",
                "invalid: message too large | TOO_LARGE",
                "invalid: too many values in tag filter | TOO_LARGE",
                "error: too many concurrent REQs | TOO_MANY_SUBSCRIPTIONS",
                "blocked: filters must specify kinds | KINDS_NEEDED",
                "invalid: too many kinds | TOO_MANY_KINDS",
                "rate-limited: slow down there chief | RATE_LIMITED",
                "auth-required: we only serve members | AUTH_REQUIRED",
                "restricted: members only | FINAL",
                "blocked: you are banned | FINAL",
                "unsupported: filter contains unknown elements | FINAL",
                "restricted: this relay is limited to members | FINAL",
                "restricted: access is limited, maximum privacy | FINAL",
                "blocked: your IP exceeded the limit of failed logins | FINAL",
                "restricted: you need to be of our kind | FINAL",
                "restricted: too many filters | TOO_MANY_FILTERS",
                "blocked: filter too large | TOO_LARGE",
                "unsupported: too many kinds | TOO_MANY_KINDS",
                "error: this relay has a limited audience | ERROR",
                "error: unlimited kindness | ERROR",
                "error: max_subscriptions exceeded | TOO_MANY_SUBSCRIPTIONS",
                "invalid: limit of filters exceeded | TOO_MANY_FILTERS",
                "ERROR: too many requests | RATE_LIMITED",
                "error: could not connect to the database | ERROR",
                "'' | ERROR"
            })
    void rule7ReadsWhatRelaysSay(String message, Refusal refusal) {
        assertThat(Refusal.of(message)).isEqualTo(refusal);
    }

    @Test
    void rule7TooLargeLowersTheBudgetAndSplits() {
        int before = scenario.history(ofRoot(1))
                .orElseThrow()
                .page()
                .filters()
                .getFirst()
                .tags()
                .size();
        assertThat(before).isPositive();

        scenario.closed(asked(), "invalid: message too large");

        RelayBudget budget = scenario.engine().budget(RELAY).orElseThrow();
        assertThat(budget.values()).isEqualTo(50);
        assertThat(scenario.openHistory(RELAY))
                .isNotEmpty()
                .allSatisfy(subscribe -> assertThat(subscribe.page().filters())
                        .allSatisfy(filter -> filter.tags()
                                .values()
                                .forEach(values -> assertThat(values).hasSizeLessThanOrEqualTo(50))));
        assertThat(scenario.last(SyncAction.Remember.class)
                        .getLast()
                        .record()
                        .budget()
                        .values())
                .isEqualTo(50);
    }

    @Test
    void rule7ARelayThatWantsKindsGetsThem() {
        scenario.closed(asked(), "blocked: filters must specify kinds");

        assertThat(scenario.history(ofRoot(1)).orElseThrow().page().filters())
                .allSatisfy(filter -> assertThat(filter.kinds()).isPresent());
    }

    @Test
    void rule7WhatWasSentBeforeALimitWasLearnedIsAskedAgainAtOnce() {
        String first = asked();
        scenario.roots(1, 91).pass(Duration.ofSeconds(1));
        String second = scenario.history(ofRoot(91)).orElseThrow().subscription();
        scenario.closed(second, "blocked: filters must specify kinds");
        scenario.closed(first, "blocked: filters must specify kinds");

        assertThat(scenario.history(ofRoot(1)).orElseThrow().page().filters())
                .allSatisfy(filter -> assertThat(filter.kinds()).isPresent());
    }

    @Test
    void rule7ABlockedRequestIsGivenUpVisiblyAndTriedAfterADay() {
        refuse("blocked: not for you");
        assertThat(scenario.found(Finding.Returned.class)).hasSize(1);

        scenario.pass(Duration.ofHours(12));
        assertThat(scenario.history(ofRoot(1))).isEmpty();

        scenario.passUntil(
                Duration.ofHours(13),
                action -> action instanceof SyncAction.Subscribe subscribe
                        && subscribe.page().filters().stream().anyMatch(ofRoot(1)));
        assertThat(scenario.history(ofRoot(1))).isPresent();
    }

    @Test
    void rule7ARefusedLiveSubscriptionIsReported() {
        String live = scenario.openLive(RELAY).getLast().subscription();
        scenario.closed(live, "error: shutting down idle subscription");
        assertThat(scenario.found(Finding.LiveRefused.class)).isEmpty();

        String announcements = scenario.openLive(RELAY).getFirst().subscription();
        scenario.closed(announcements, "blocked: no live subscriptions here");

        assertThat(scenario.found(Finding.LiveRefused.class))
                .containsExactly(new Finding.LiveRefused(
                        scenario.now().plus(Duration.ofHours(24)), "blocked: no live subscriptions here"));
    }

    @Test
    void rule7AChallengeThatNeverComesIsNotWaitedForForEver() {
        scenario.closed(asked(), "auth-required: who are you?");
        scenario.pass(Duration.ofSeconds(61));

        assertThat(scenario.openHistory(RELAY)).isNotEmpty();
    }

    @Test
    void rule24ARateLimitNoticeIsCooldownNotFailure() {
        scenario.drain(RELAY);
        scenario.give(new SyncInput.Noticed(scenario.now(), RELAY, "rate-limited: slow down"));

        assertThat(scenario.found(Finding.CoolingDown.class)).hasSize(1);
        assertThat(scenario.found(Finding.BackingOff.class)).isEmpty();
        scenario.roots(1, 500);
        assertThat(scenario.last(SyncAction.Subscribe.class)).isEmpty();

        scenario.pass(Duration.ofSeconds(66));

        assertThat(scenario.history(ofRoot(500))).isPresent();
        RelayView seen = scenario.engine().look(scenario.now()).relays().getFirst();
        assertThat(seen.health()).isEqualTo(RelayHealth.Status.HEALTHY);
        assertThat(seen.failures()).isZero();
    }

    @Test
    void rule7AnEndlessRefusalDoesNotLoop() {
        int refusals = 0;
        while (scenario.history(ofRoot(1)).isPresent() && refusals < 1_000) {
            scenario.closed(asked(), "error: too many subscriptions");
            refusals++;
        }
        assertThat(refusals).isLessThan(50);
    }

    @Test
    void rule14NoMoreSubscriptionsThanTheBudgetAllows() {
        scenario.roots(1, IntStream.rangeClosed(100, 5_000).toArray());

        int open = scenario.openHistory(RELAY).size() + scenario.openLive(RELAY).size();
        assertThat(open)
                .isLessThanOrEqualTo(
                        scenario.engine().budget(RELAY).orElseThrow().subscriptions());
        assertThat(scenario.openHistory(RELAY)).hasSize(8);
    }

    @Test
    void aNoticeThatNamesASubscriptionEndsIt() {
        String subscription = asked();

        scenario.give(new SyncInput.Noticed(scenario.now(), RELAY, "ERROR: bad req: " + subscription + " blocked"));
        scenario.drain(RELAY);

        assertThat(scenario.found(Finding.Returned.class)).hasSize(1);
    }

    @Test
    void aNoticeOfTooManyRequestsRenewsTheLiveSide() {
        scenario.drain(RELAY);
        int before = scenario.engine().budget(RELAY).orElseThrow().subscriptions();

        scenario.give(new SyncInput.Noticed(scenario.now(), RELAY, "ERROR: too many concurrent REQs"));

        assertThat(scenario.engine().budget(RELAY).orElseThrow().subscriptions())
                .isLessThan(before);
        assertThat(scenario.drainAndCollect(RELAY, ofRepo(1))).isNotEmpty();
    }

    @Test
    void aRelayThatAnswersNothingIsReconnected() {
        scenario.pass(Duration.ofHours(1));

        assertThat(scenario.last(SyncAction.Disconnect.class)).isNotEmpty();
    }

    /** It may answer what it has nothing of at once, and other requests never. */
    @Test
    void rule24ARelayThatAnswersOnlySomeRequestsIsLeftLessAndLessOften() {
        int connects = 0;
        for (int minutes = 0; minutes < 6 * 60; minutes++) {
            scenario.pass(Duration.ofMinutes(1));
            if (!scenario.last(SyncAction.Connect.class).isEmpty()) {
                connects++;
                scenario.open(RELAY);
                scenario.openHistory(RELAY).stream()
                        .filter(asked -> asked.page().filters().stream().noneMatch(ofRoot(1)))
                        .forEach(asked -> scenario.eose(asked.subscription()));
            }
        }

        assertThat(connects).isBetween(5, 20);
    }
}
