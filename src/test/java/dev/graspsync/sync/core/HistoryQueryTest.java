package dev.graspsync.sync.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.graspsync.nostr.EventFields;
import dev.graspsync.nostr.EventId;
import dev.graspsync.nostr.Filter;
import dev.graspsync.nostr.PublicKey;
import dev.graspsync.nostr.RelayMessage.Hint;
import dev.graspsync.nostr.Tag;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

/** Rule 21: reading everything from a relay that cuts its answers short. */
class HistoryQueryTest {

    private record Note(EventId id, long createdAt, List<Tag> tags) implements EventFields {

        @Override
        public PublicKey pubkey() {
            return new PublicKey(1, 2, 3, 4);
        }

        @Override
        public int kind() {
            return 1;
        }
    }

    private static final Comparator<Note> NEWEST_FIRST =
            Comparator.comparingLong(Note::createdAt).reversed().thenComparing(Note::id);

    private static Note note(int number, long createdAt, String value) {
        return new Note(new EventId(number, 1, 2, 3), createdAt, List.of(Tag.of("e", value)));
    }

    private static Filter filter(String... values) {
        return Filter.ALL.withTag("e", new LinkedHashSet<>(List.of(values)));
    }

    private static List<Note> answer(List<Note> stored, Filter filter, int most) {
        return stored.stream()
                .filter(filter::matches)
                .sorted(NEWEST_FIRST)
                .limit(most)
                .toList();
    }

    private record Reading(Set<EventId> got, Outcome outcome, int pages) {}

    private static Reading readAll(List<Note> stored, Filter filter, int most) {
        return readAll(stored, filter, most, 0);
    }

    /** @param longest the longest answer that the relay has given to another filter */
    private static Reading readAll(List<Note> stored, Filter filter, int most, int longest) {
        HistoryQuery query = new HistoryQuery(filter, longest);
        Set<EventId> got = new HashSet<>();
        for (int pages = 1; pages < 10_000; pages++) {
            PageRequest request = query.page();
            Page page = new Page(request);
            answer(stored, request.filters().getFirst(), most).forEach(note -> {
                page.offer(note);
                got.add(note.id());
            });
            if (query.ended(page.result(), Hint.NONE) instanceof HistoryQuery.Next.End(Outcome outcome)) {
                return new Reading(got, outcome, pages);
            }
        }
        throw new AssertionError("no end");
    }

    @Property(tries = 300)
    void rule21EveryEventIsReadWhateverTheCap(
            @ForAll long seed,
            @ForAll @IntRange(min = 0, max = 200) int events,
            @ForAll @IntRange(min = HistoryQuery.LEAST_CAP, max = 60) int most,
            @ForAll @IntRange(min = 1, max = 400) int seconds,
            @ForAll @IntRange(min = 0, max = 120) int longest) {
        SplittableRandom seeded = new SplittableRandom(seed);
        List<Note> stored = new ArrayList<>();
        for (int i = 0; i < events; i++) {
            stored.add(note(i, 1_000 + seeded.nextInt(seconds), "v" + seeded.nextInt(6)));
        }
        // That a second was cut shows in what comes after it.
        stored.add(note(events, 1, "v0"));
        Filter filter = filter("v0", "v1", "v2", "v5");
        Set<EventId> wanted = new HashSet<>();
        stored.stream().filter(note -> filter.matches(note)).forEach(note -> wanted.add(note.id()));

        Reading reading = readAll(stored, filter, most, longest);

        if (reading.outcome() instanceof Outcome.Drained) {
            assertThat(reading.got()).containsExactlyInAnyOrderElementsOf(wanted);
        } else {
            // Only a second with more events than an answer holds can leave a gap, and then it is said.
            assertThat(reading.outcome()).isInstanceOf(Outcome.Capped.class);
            long densest = IntStream.range(1_000, 1_000 + seconds)
                    .mapToLong(second -> stored.stream()
                            .filter(note -> note.createdAt() == second)
                            .count())
                    .max()
                    .orElse(0);
            assertThat(densest).isGreaterThanOrEqualTo(most);
        }
    }

    @Test
    void rule21AnEmptyAnswerEndsItAtOnce() {
        Reading reading = readAll(List.of(), filter("v"), 10);

        assertThat(reading.outcome()).isEqualTo(new Outcome.Drained());
        assertThat(reading.pages()).isEqualTo(1);
    }

    @Test
    void rule21EoseAfterAFullPageIsNotTheEnd() {
        List<Note> stored =
                IntStream.range(0, 25).mapToObj(i -> note(i, 1_000 + i, "v")).toList();

        Reading reading = readAll(stored, filter("v"), 10);

        assertThat(reading.got()).hasSize(25);
        assertThat(reading.outcome()).isEqualTo(new Outcome.Drained());
    }

    @Test
    void rule21Nip67FinishEndsItWithoutAnotherPage() {
        HistoryQuery query = new HistoryQuery(filter("v"));
        Page page = new Page(query.page());
        page.offer(note(1, 1_000, "v"));

        assertThat(query.ended(page.result(), Hint.FINISH)).isEqualTo(new HistoryQuery.Next.End(new Outcome.Drained()));
    }

    @Test
    void rule21ASecondIsNeverCutInTwo() {
        List<Note> stored = IntStream.range(0, 24)
                .mapToObj(i -> note(i, 1_000 + i / 8, "v"))
                .toList();

        assertThat(readAll(stored, filter("v"), 10).got()).hasSize(24);
    }

    @Test
    void rule21ASecondWithMoreEventsThanAPageIsReadValueByValue() {
        List<Note> stored = IntStream.range(0, 40)
                .mapToObj(i -> note(i, 1_000, "v" + i % 8))
                .toList();
        List<Note> withOlder = new ArrayList<>(stored);
        withOlder.add(note(99, 500, "v0"));

        Reading reading = readAll(withOlder, filter("v0", "v1", "v2", "v3", "v4", "v5", "v6", "v7"), 10);

        assertThat(reading.got()).hasSize(41);
        assertThat(reading.outcome()).isEqualTo(new Outcome.Drained());
    }

    @Test
    void rule21ASecondThatIsCutBeforeTheLongestAnswerIsReadValueByValue() {
        List<Note> stored = new ArrayList<>(IntStream.range(0, 40)
                .mapToObj(i -> note(i, 1_000, "v" + i % 8))
                .toList());
        stored.add(note(99, 500, "v0"));

        Reading reading = readAll(stored, filter("v0", "v1", "v2", "v3", "v4", "v5", "v6", "v7"), 15, 50);

        assertThat(reading.got()).hasSize(41);
        assertThat(reading.outcome()).isEqualTo(new Outcome.Drained());
    }

    @Test
    void rule21ASecondThatIsCutBeforeTheLongestAnswerAndCannotBeSplitIsAGap() {
        List<Note> stored = new ArrayList<>(
                IntStream.range(0, 40).mapToObj(i -> note(i, 1_000, "v")).toList());
        stored.add(note(99, 500, "v"));

        assertThat(readAll(stored, filter("v"), 15, 50).outcome()).isInstanceOf(Outcome.Capped.class);
    }

    @Test
    void rule21ASecondThatCannotBeSplitIsRecordedAsAGap() {
        List<Note> stored = new ArrayList<>(
                IntStream.range(0, 40).mapToObj(i -> note(i, 1_000, "v")).toList());
        stored.add(note(99, 500, "v"));

        Reading reading = readAll(stored, filter("v"), 10);

        assertThat(reading.outcome())
                .isEqualTo(
                        new Outcome.Capped("more events in one second than the relay hands out: 1970-01-01T00:16:40Z"));
        assertThat(reading.got()).hasSize(11).contains(note(99, 500, "v").id());
    }

    @Test
    void rule21ARelayThatInventsEventsForEverIsGivenUp() {
        HistoryQuery query = new HistoryQuery(filter("v"));
        HistoryQuery.Next next = new HistoryQuery.Next.More();
        int pages = 0;
        while (next instanceof HistoryQuery.Next.More && pages < 100_000) {
            Page page = new Page(query.page());
            page.offer(note(pages, 10_000_000L - pages, "v"));
            next = query.ended(page.result(), Hint.MORE);
            pages++;
        }

        assertThat(pages).isLessThanOrEqualTo(HistoryQuery.MOST_PAGES + 1);
    }

    @Test
    void rule16WhatMatchesNoFilterIsNotCounted() {
        Page page = new Page(PageRequest.of(List.of(filter("v"))));

        assertThat(page.offer(note(1, 1_000, "other"))).isEqualTo(Page.Found.UNASKED);
        assertThat(page.offer(note(2, 1_000, "v"))).isEqualTo(Page.Found.FRESH);
        assertThat(page.offer(note(2, 1_000, "v"))).isEqualTo(Page.Found.SEEN);
        assertThat(page.result().received()).isEqualTo(2);
    }

    @Test
    void rule21ARelayThatAnswersWhatWasNotAskedIsNotDrained() {
        HistoryQuery query = new HistoryQuery(filter("v"));
        Page page = new Page(query.page());
        page.offer(note(1, 1_000, "other"));

        assertThat(query.ended(page.result(), Hint.NONE))
                .isInstanceOfSatisfying(
                        HistoryQuery.Next.End.class,
                        end -> assertThat(end.outcome()).isInstanceOf(Outcome.Closed.class));
    }
}
