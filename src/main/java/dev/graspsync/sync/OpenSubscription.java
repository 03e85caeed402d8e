package dev.graspsync.sync;

import dev.graspsync.nostr.EventFields;
import dev.graspsync.nostr.RelayMessage.Hint;
import dev.graspsync.nostr.RelayUrl;
import dev.graspsync.store.Provenance.Way;
import dev.graspsync.sync.core.Page;
import dev.graspsync.sync.core.PageRequest;
import dev.graspsync.sync.core.PageResult;
import dev.graspsync.sync.core.Purpose;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** One REQ that is open: what it brought, and how much of that is still on its way to the store. */
final class OpenSubscription {

    private static final int MOST_IN_A_PAGE = 100_000;
    private static final Duration LONGEST = Duration.ofMinutes(10);

    private final Page page;
    private final Purpose purpose;
    private final boolean coarse;
    private final Instant openedAt;
    private Instant toldAt;
    private int underWay;
    private final GapLog gaps;
    private @Nullable Hint end;
    private boolean told;
    private boolean failed;

    OpenSubscription(RelayUrl relay, PageRequest request, Purpose purpose, Instant now) {
        this.page = new Page(request);
        this.purpose = purpose;
        this.coarse = purpose == Purpose.LIVE && request.isCoarse();
        this.openedAt = now;
        this.toldAt = now;
        this.gaps = new GapLog(relay, purpose);
    }

    Page.Found offer(EventFields event) {
        if (end == null) {
            return page.offer(event);
        }
        return page.asksFor(event) ? Page.Found.FRESH : Page.Found.UNASKED;
    }

    /** A page without an end would never be confirmed: it is taken as cut here, and the next one goes on. */
    boolean isTooLong(Instant now) {
        return end == null && (page.received() >= MOST_IN_A_PAGE || now.isAfter(openedAt.plus(LONGEST)));
    }

    /** What came before EOSE is history, what comes after it is live, whatever it was asked for. */
    Way way() {
        if (end != null) {
            return Way.LIVE;
        }
        return switch (purpose) {
            case LIVE -> Way.LIVE;
            case FIRST_SYNC -> Way.FIRST_SYNC;
            case CATCH_UP -> Way.CATCH_UP;
            case FRESH_SYNC -> Way.FRESH_SYNC;
        };
    }

    /** Whether what it brings has to be matched here (rule 15). */
    boolean isCoarse() {
        return coarse;
    }

    void entered() {
        underWay++;
    }

    void settled() {
        underWay--;
    }

    /** Whether it asks for events by id, as a comparison does. */
    boolean isOfIds() {
        return purpose != Purpose.LIVE && page.isOfIds();
    }

    /** An event could not be stored: the page must not count as read. */
    void fail() {
        failed = true;
    }

    boolean hasFailed() {
        return failed;
    }

    /** Its end was told before something failed: what came live is missing. */
    boolean hasFailedLive() {
        return failed && told && underWay == 0;
    }

    /** Nothing of it is under way to the store. */
    boolean isSettled() {
        return underWay == 0;
    }

    GapLog gaps() {
        return gaps;
    }

    void eose(Hint hint) {
        if (end == null) {
            end = hint;
        }
    }

    /** The hint of its EOSE, once and only after everything it brought is stored or refused. */
    @Nullable
    Hint takeEnd() {
        if (end == null || underWay > 0 || told) {
            return null;
        }
        told = true;
        return end;
    }

    PageResult result() {
        return page.result();
    }

    /** Whether it is time to say that events keep coming. */
    boolean isProgressDue(Instant now, Duration every) {
        if (end != null || now.isBefore(toldAt.plus(every))) {
            return false;
        }
        toldAt = now;
        return true;
    }
}
