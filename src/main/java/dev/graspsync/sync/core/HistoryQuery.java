package dev.graspsync.sync.core;

import dev.graspsync.nostr.EventId;
import dev.graspsync.nostr.Filter;
import dev.graspsync.nostr.RelayMessage.Hint;
import dev.graspsync.sync.core.PageRequest.Cursor;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * Reads everything some filters match, page by page, from a relay that cuts answers short without a word (rule 21).
 * Each filter has its own {@code until}, because a relay may cut each filter or the whole answer; and only a page
 * without a single new event, asked for in earnest, is the end.
 */
public final class HistoryQuery {

    /** A relay that invents events could go on for ever. */
    static final int MOST_PAGES = 20_000;

    /** What to do after a page. */
    public sealed interface Next {

        /** Ask for {@link #page}. */
        record More() implements Next {}

        record End(Outcome outcome) implements Next {}
    }

    private static final Next MORE = new Next.More();

    private List<Cursor> cursors;
    /** The page before had nothing new: this one asks for what is strictly older. */
    private boolean probing;

    private List<PageResult.Read> repeated = List.of();
    private final DenseSeconds dense = new DenseSeconds();
    private final Set<Long> gaps = new TreeSet<>();
    private int pages;

    public HistoryQuery(List<Filter> filters) {
        cursors = PageRequest.of(filters).cursors();
    }

    public PageRequest page() {
        return dense.isReading() ? dense.page() : new PageRequest(cursors);
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
            dense.ended(page, gaps);
            return dense.isReading() ? MORE : end();
        }
        if (page.received() == 0 || hint == Hint.FINISH) {
            return dense.start() ? MORE : end();
        }
        if (page.fresh() > 0) {
            if (probing) {
                noteDense();
            }
            probing = false;
            moveOn(page, 0);
        } else if (probing) {
            return dense.start() ? MORE : end();
        } else {
            probing = true;
            repeated = page.read();
            moveOn(page, 1);
        }
        return MORE;
    }

    private Next end() {
        return new Next.End(
                gaps.isEmpty()
                        ? new Outcome.Drained()
                        : new Outcome.Capped("more events in one second than the relay hands out: " + gaps));
    }

    /** Moves each filter's until to its oldest event, less {@code back} seconds; filters without events stay. */
    private void moveOn(PageResult page, long back) {
        List<Cursor> moved = new ArrayList<>(cursors.size());
        for (int i = 0; i < cursors.size(); i++) {
            Cursor cursor = cursors.get(i);
            PageResult.Read read = page.read().get(i);
            if (read.received() == 0) {
                moved.add(cursor);
            } else {
                moved.add(new Cursor(
                        cursor.filter().withUntil(Math.max(0, read.oldest() - back)),
                        back == 0 || read.oldest() == 0 ? seen(cursor, read) : Set.of()));
            }
        }
        cursors = moved;
    }

    /** A second may take several pages; what all of them brought of it is seen. */
    private static Set<EventId> seen(Cursor cursor, PageResult.Read read) {
        if (cursor.filter().until().orElse(-1) != read.oldest()) {
            return read.atOldest();
        }
        Set<EventId> all = new LinkedHashSet<>(cursor.seen());
        all.addAll(read.atOldest());
        return all;
    }

    /** Something older exists, so the page of nothing but known events was one that the relay had cut short. */
    private void noteDense() {
        int cap = repeated.stream().mapToInt(PageResult.Read::received).max().orElse(0);
        for (int i = 0; i < repeated.size(); i++) {
            PageResult.Read read = repeated.get(i);
            if (read.received() > 0) {
                dense.add(cursors.get(i).filter(), read.oldest(), cap);
            }
        }
    }
}
