package dev.graspsync.store.h2;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What the writer looked up lately, kept from batch to batch: many events ask about the same repositories and authors.
 * Needs the right to write.
 */
final class RecentLookups {

    private static final int TERMS = 10_000;
    private static final int SEQS_OF_A_TERM = 64;
    private static final int RECORDS = 2_000;
    private static final int BYTES_OF_A_RECORD = 4 << 10;

    private final Map<Long, List<Long>> seqs = bounded(TERMS);
    private final Map<Long, Boolean> presence = bounded(TERMS);
    private final Map<Long, EventRecord> records = bounded(RECORDS);

    private static <T> Map<Long, T> bounded(int most) {
        return new LinkedHashMap<>(16, 0.75f, true) {
            private static final long serialVersionUID = 1L;

            @Override
            protected boolean removeEldestEntry(Map.Entry<Long, T> eldest) {
                return size() > most;
            }
        };
    }

    /** The committed events of a term in the order of their commits. */
    List<Long> seqs(long term, Lookup lookup) {
        List<Long> known = seqs.get(term);
        if (known == null) {
            known = lookup.seqs(term);
            if (known.size() <= SEQS_OF_A_TERM) {
                seqs.put(term, known);
            }
        }
        return known;
    }

    /** Whether any committed event has the term, be it gone. */
    boolean isPresent(long term, Lookup lookup) {
        Boolean known = presence.get(term);
        if (known == null) {
            known = lookup.isPresent(term);
            presence.put(term, known);
        }
        return known;
    }

    @Nullable
    EventRecord record(Long seq, Lookup lookup) {
        EventRecord known = records.get(seq);
        if (known == null) {
            known = lookup.record(seq);
            if (known != null && known.size() <= BYTES_OF_A_RECORD) {
                records.put(seq, known);
            }
        }
        return known;
    }

    void changed(long seq) {
        records.remove(seq);
    }

    /** These are committed now. */
    void committed(Map<Long, List<Long>> added) {
        added.forEach((term, own) -> {
            presence.replace(term, true);
            seqs.computeIfPresent(term, (same, before) -> {
                List<Long> all = new ArrayList<>(before);
                all.addAll(own);
                return all.size() <= SEQS_OF_A_TERM ? all : null;
            });
        });
    }

    /** A batch was undone: its numbers are given out once more. */
    void clear() {
        seqs.clear();
        presence.clear();
        records.clear();
    }
}
