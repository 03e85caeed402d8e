package dev.graspsync.sync;

import dev.graspsync.nostr.ClientMessage;
import dev.graspsync.nostr.Event;
import dev.graspsync.nostr.Filter;
import dev.graspsync.nostr.Kind;
import dev.graspsync.nostr.RelayMessage.Hint;
import dev.graspsync.sync.core.HistoryQuery;
import dev.graspsync.sync.core.Outcome;
import dev.graspsync.sync.core.Page;
import dev.graspsync.sync.core.PageRequest;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;

/**
 * The own relay read once from its beginning to its end, page by page. First the announcements: a root event without its
 * repository is one more that has to wait for it.
 */
final class SelfReading {

    private static final Integer[] OTHERS = Arrays.stream(SelfEvents.KINDS)
            .filter(kind -> kind != Kind.REPO_ANNOUNCEMENT)
            .toArray(Integer[]::new);

    private final int number;
    private final Deque<HistoryQuery> queries = new ArrayDeque<>(List.of(
            new HistoryQuery(Filter.ALL.withKinds(Kind.REPO_ANNOUNCEMENT)),
            new HistoryQuery(Filter.ALL.withKinds(OTHERS))));
    private Page page;
    private PageRequest request;
    private int pages = 1;
    private boolean whole = true;

    SelfReading(int number) {
        this.number = number;
        request = queries.element().page();
        page = new Page(request);
    }

    int number() {
        return number;
    }

    String subscription() {
        return "self-" + number + "-" + pages;
    }

    ClientMessage.Req req() {
        return new ClientMessage.Req(subscription(), request.filters());
    }

    boolean isFresh(Event event) {
        return page.offer(event) == Page.Found.FRESH;
    }

    /** Takes the end of a page; whether there is another to ask for. */
    boolean goesOn(Hint hint) {
        if (queries.element().ended(page.result(), hint) instanceof HistoryQuery.Next.End(Outcome outcome)) {
            whole &= outcome instanceof Outcome.Drained;
            queries.remove();
        }
        if (queries.isEmpty()) {
            return false;
        }
        pages++;
        request = queries.element().page();
        page = new Page(request);
        return true;
    }

    /** Only what was read whole can show that something is no longer there. */
    boolean isWhole() {
        return whole;
    }
}
