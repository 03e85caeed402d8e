package dev.graspsync.sync.core;

import dev.graspsync.nostr.EventId;
import dev.graspsync.nostr.Filter;
import dev.graspsync.nostr.RelayMessage.Hint;
import dev.graspsync.sync.core.PageRequest.Cursor;
import java.time.Instant;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Reads everything a filter matches, page by page, from a relay that cuts answers short without a word (rule 21). Only a
 * page without a single event, asked for in earnest, or the relay's own word (NIP-67) is the end.
 *
 * <p>One filter at a time: of several in one REQ, an old event that came for one of them may match another too, whose
 * own answer was cut long before that event, and nobody could tell.
 */
public final class HistoryQuery implements Query {

    /** A relay that invents events could go on for ever. */
    static final int MOST_PAGES = 20_000;

    /** No relay hands out fewer events at once: a shorter answer was not cut. */
    static final int LEAST_CAP = 10;

    /** A relay that brings new events of one second again and again is left there. */
    private static final int MOST_SAME_SECOND = 50;

    private static final int SHOWN_SECONDS = 3;
    /** The end of the year 9999. */
    private static final long LAST_SHOWN = 253_402_300_799L;

    /** What to do after a page. */
    public sealed interface Next {

        /** Ask for {@link #page}. */
        record More() implements Next {}

        record End(Outcome outcome) implements Next {}
    }

    private static final Next MORE = new Next.More();

    private Cursor cursor;
    /** The page before had nothing new: this one asks for what is strictly older. */
    private boolean probing;

    private int repeated;
    private int sameSecond;
    private int longest;
    private final DenseSeconds dense = new DenseSeconds();
    private final Set<Long> gaps = new TreeSet<>();
    private int pages;

    public HistoryQuery(Filter filter) {
        this(filter, LEAST_CAP);
    }

    /** @param longest the longest answer this relay has given: shorter ones were not cut */
    HistoryQuery(Filter filter, int longest) {
        cursor = new Cursor(filter, Set.of());
        this.longest = Math.max(LEAST_CAP, longest);
    }

    public PageRequest page() {
        return dense.isReading() ? dense.page() : new PageRequest(List.of(cursor));
    }

    /** The seconds that hold more events than the relay hands out. */
    Set<Long> gaps() {
        return gaps;
    }

    public Next ended(PageResult page, Hint hint) {
        if (++pages > MOST_PAGES) {
            return new Next.End(new Outcome.Capped("no end after " + MOST_PAGES + " pages"));
        }
        if (dense.isReading()) {
            dense.ended(page, longest, gaps);
            longest = Math.max(longest, page.received());
            return dense.isReading() ? MORE : end();
        }
        if (page.received() == 0 && page.unasked() > 0) {
            return new Next.End(new Outcome.Closed(Refusal.ERROR, "it answers what was not asked"));
        }
        if (page.received() == 0 || hint == Hint.FINISH) {
            return dense.start() ? MORE : end();
        }
        PageResult.Read read = page.read().getFirst();
        return page.fresh() > 0 ? goOn(read) : probe(read);
    }

    /** Inclusive, so that a second is never cut in two: what came of it is seen, and does not count again. */
    private Next goOn(PageResult.Read read) {
        if (probing && repeated < longest) {
            // Something older exists, so the page before had been cut, although this relay has given longer answers.
            cutShort(cursor.filter().until().orElse(0) + 1);
        }
        probing = false;
        longest = Math.max(longest, read.received());
        Set<EventId> seen = new LinkedHashSet<>(read.atOldest());
        if (cursor.filter().until().orElse(-1) == read.oldest()) {
            if (++sameSecond > MOST_SAME_SECOND) {
                gaps.add(read.oldest());
                sameSecond = 0;
                cursor = new Cursor(cursor.filter().withUntil(Math.max(0, read.oldest() - 1)), Set.of());
                return MORE;
            }
            seen.addAll(cursor.seen());
        } else {
            sameSecond = 0;
        }
        cursor = new Cursor(cursor.filter().withUntil(read.oldest()), seen);
        return MORE;
    }

    private void cutShort(long second) {
        if (repeated < LEAST_CAP) {
            gaps.add(second); // by a cap so small that nothing can be done
        } else {
            dense.add(cursor.filter(), second, repeated);
        }
    }

    /** A page of nothing but known events may have been cut within its second: that is looked at when all else is read. */
    private Next probe(PageResult.Read read) {
        repeated = read.received();
        if (repeated >= longest) {
            dense.add(cursor.filter(), read.oldest(), repeated);
        }
        if (read.oldest() == 0) {
            return dense.start() ? MORE : end();
        }
        probing = true;
        cursor = new Cursor(cursor.filter().withUntil(read.oldest() - 1), Set.of());
        return MORE;
    }

    private Next end() {
        return new Next.End(
                gaps.isEmpty()
                        ? new Outcome.Drained()
                        : new Outcome.Capped("more events in one second than the relay hands out: " + seconds()));
    }

    /** For people; a relay may claim any number, and any number of them. */
    private String seconds() {
        return gaps.stream()
                .limit(SHOWN_SECONDS)
                .map(second -> Instant.ofEpochSecond(Math.clamp(second, 0, LAST_SHOWN)))
                .map(Instant::toString)
                .collect(Collectors.joining(", ", "", gaps.size() > SHOWN_SECONDS ? ", …" : ""));
    }
}
