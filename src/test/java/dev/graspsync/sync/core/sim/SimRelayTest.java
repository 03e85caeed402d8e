package dev.graspsync.sync.core.sim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.graspsync.nostr.EventId;
import dev.graspsync.nostr.Filter;
import dev.graspsync.nostr.PublicKey;
import dev.graspsync.nostr.RelayUrl;
import dev.graspsync.nostr.Tag;
import dev.graspsync.sync.core.Page;
import dev.graspsync.sync.core.PageRequest;
import dev.graspsync.sync.core.PageResult;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class SimRelayTest {

    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");
    private static final RelayUrl URL = RelayUrl.parse("wss://relay.example").orElseThrow();
    private static final PublicKey AUTHOR = new PublicKey(1, 2, 3, 4);

    private final Chance chance = Chance.of(1);
    private final SimClock clock = new SimClock(START);

    @Test
    void aFaultlessRelayServesWhatTheFilterMatches() {
        SimRelay relay = relay(RelayTraits.faultless(), Faults.NONE);
        List<SimEvent> all = fill(relay, 300);
        List<Filter> filters = List.of(
                Filter.ALL,
                Filter.ALL.withKinds(4),
                Filter.ALL.withTag("e", Set.of("1", "2")),
                Filter.ALL.withTag("e", Set.of("1")).withKinds(1, 2).withUntil(START.getEpochSecond() - 100),
                Filter.ALL.withIds(Set.of(all.get(7).id())),
                Filter.ALL.withSince(START.getEpochSecond() - 50));
        for (Filter filter : filters) {
            assertThat(ask(relay, filter).events)
                    .containsExactlyElementsOf(all.stream()
                            .filter(filter::matches)
                            .sorted(SimEvent.NEWEST_FIRST)
                            .toList());
        }
    }

    @Test
    void aSilentCapHandsOutTheNewestOfEachFilter() {
        SimRelay relay = relay(traits(50, false, false, 100, false), Faults.NONE);
        List<SimEvent> newest = fill(relay, 300).stream()
                .sorted(SimEvent.NEWEST_FIRST)
                .limit(50)
                .toList();
        Recorder told = ask(relay, Filter.ALL);
        assertThat(told.events).isEqualTo(newest);
        assertThat(told.lines).containsExactly("EOSE s NONE");
    }

    @Test
    void aCapOfTheWholeReqStarvesTheOlderFilter() {
        SimRelay relay = relay(traits(50, true, true, 100, false), Faults.NONE);
        fill(relay, 300);
        Recorder told = ask(
                relay,
                Filter.ALL.withSince(START.getEpochSecond() - 100),
                Filter.ALL.withUntil(START.getEpochSecond() - 200));
        assertThat(told.events).hasSize(50).allMatch(event -> event.createdAt() > START.getEpochSecond() - 100);
        assertThat(told.lines).containsExactly("EOSE s MORE");
    }

    @Test
    void itTellsTruthfullyThatItIsFinished() {
        SimRelay relay = relay(traits(50, false, true, 100, false), Faults.NONE);
        fill(relay, 50);
        assertThat(ask(relay, Filter.ALL).lines).containsExactly("EOSE s FINISH");
        fill(relay, 1);
        assertThat(ask(relay, Filter.ALL).lines).containsExactly("EOSE s MORE");
    }

    @Test
    void aPatientClientPagesThroughTheCap() {
        SimRelay relay = relay(traits(50, false, false, 100, false), Faults.NONE);
        List<SimEvent> all = fill(relay, 300);
        Set<EventId> got = new HashSet<>();
        PageRequest request = PageRequest.of(List.of(Filter.ALL));
        for (PageResult result = page(relay, request, got); result.fresh() > 0; result = page(relay, request, got)) {
            PageResult.Read read = result.read().getFirst();
            request = new PageRequest(
                    List.of(new PageRequest.Cursor(Filter.ALL.withUntil(read.oldest()), read.atOldest())));
        }
        assertThat(got).hasSize(all.size());
    }

    @Test
    void aSubscriptionTooManyIsClosed() {
        SimRelay relay = relay(traits(50, false, false, 1, false), Faults.NONE);
        Recorder client = connect(relay);
        client.socket().req("one", List.of(Filter.ALL));
        client.socket().req("two", List.of(Filter.ALL));
        run();
        assertThat(client.lines).containsExactly("EOSE one NONE", "CLOSED two error: too many subscriptions");
    }

    @Test
    void aDeafSubscriptionGetsStoredEventsButNoLiveOnes() {
        SimRelay relay = relay(traits(50, false, false, 1, true), Faults.NONE);
        Recorder client = connect(relay);
        client.socket().req("one", List.of(Filter.ALL.withKinds(9)));
        client.socket().req("two", List.of(Filter.ALL));
        run();
        assertThat(client.lines)
                .containsExactly("EOSE one NONE", "NOTICE ERROR: too many concurrent REQs", "EOSE two NONE");
        fill(relay, 1);
        run();
        assertThat(client.events).isEmpty();
        client.socket().close("one");
        client.socket().req("two", List.of(Filter.ALL.withLimit(0)));
        run();
        fill(relay, 1);
        run();
        assertThat(client.events).hasSize(1);
    }

    @Test
    void anAuthWallOpensAfterAuthentication() {
        SimRelay relay = relay(RelayTraits.faultless(), always(Fault.AUTH_WALL));
        Recorder client = connect(relay);
        client.socket().req("one", List.of(Filter.ALL));
        client.socket().auth();
        client.socket().req("two", List.of(Filter.ALL));
        run();
        assertThat(client.lines)
                .containsExactly("CLOSED one auth-required: we only serve those we know", "OK true", "EOSE two NONE");
    }

    @Test
    void anUnreachableRelayDropsItsClientsAndTakesNone() {
        Instant later = START.plusSeconds(600);
        Faults faults = new Faults(List.of(new Faults.Window(Fault.UNREACHABLE, later, later.plusSeconds(600))));
        SimRelay relay = relay(RelayTraits.faultless(), faults);
        Recorder client = connect(relay);
        run();
        assertThat(client.lines).containsExactly("lost");
        Recorder next = new Recorder();
        relay.connect(next);
        run();
        assertThat(next.socket).isNotNull();
    }

    @Test
    void aSilentDeathIsNoticedWithTheTimeOfTheLastSign() {
        Instant dies = START.plusSeconds(600);
        Faults faults = new Faults(List.of(new Faults.Window(Fault.BLACKHOLE, dies, dies.plusSeconds(1))));
        SimRelay relay = relay(RelayTraits.faultless(), faults);
        Recorder client = connect(relay);
        run();
        assertThat(client.lastHeard).isEqualTo(dies);
        assertThat(client.lines).containsExactly("lost");
    }

    @Test
    void aRelayThatAcceptsAndDropsDoesSo() {
        Recorder client = connect(relay(RelayTraits.faultless(), always(Fault.ACCEPT_THEN_DROP)));
        run();
        assertThat(client.lines).containsExactly("lost");
    }

    private PageResult page(SimRelay relay, PageRequest request, Set<EventId> got) {
        Page page = new Page(request);
        for (SimEvent event : ask(relay, request.filters().toArray(Filter[]::new)).events) {
            page.offer(event);
            got.add(event.id());
        }
        return page.result();
    }

    private Recorder ask(SimRelay relay, Filter... filters) {
        Recorder client = connect(relay);
        client.socket().req("s", List.of(filters));
        run();
        return client;
    }

    private Recorder connect(SimRelay relay) {
        Recorder client = new Recorder();
        relay.connect(client);
        while (client.socket == null && clock.runNext(clock.now().plusSeconds(5))) {}
        return client;
    }

    private void run() {
        Instant end = clock.now().plus(Duration.ofHours(1));
        while (clock.runNext(end)) {}
    }

    private SimRelay relay(RelayTraits traits, Faults faults) {
        return new SimRelay(URL, traits, faults, false, clock, chance.branch());
    }

    private static Faults always(Fault fault) {
        return new Faults(List.of(new Faults.Window(fault, START, START.plus(Duration.ofDays(1)))));
    }

    private List<SimEvent> fill(SimRelay relay, int count) {
        List<SimEvent> events = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            SimEvent event = new SimEvent(
                    chance.id(),
                    AUTHOR,
                    START.getEpochSecond() - i,
                    chance.one(1, 2, 4, 5, 6),
                    List.of(Tag.of("e", Integer.toString(chance.between(0, 5)))));
            events.add(event);
            relay.publish(event);
        }
        return events;
    }

    private static RelayTraits traits(
            int cap, boolean perReq, boolean saysWhetherFinished, int subscriptions, boolean deaf) {
        RelayTraits plain = RelayTraits.faultless();
        return new RelayTraits(
                cap,
                perReq,
                saysWhetherFinished,
                subscriptions,
                deaf,
                plain.filters(),
                plain.values(),
                plain.bytes(),
                plain.refusing(),
                false,
                plain.kinds(),
                false,
                plain.reqsPerMinute(),
                false,
                0,
                0,
                false,
                plain.latency(),
                plain.capBytes());
    }
}
