package dev.graspsync.store.h2;

import java.util.BitSet;
import java.util.TreeSet;
import org.h2.mvstore.MVMap;
import org.h2.mvstore.MVStore;

/** The events that are gone but whose entries are still in the index: the next merge over them leaves those out. */
final class GoneSeqs {

    private static final byte[] PRESENT = {};

    private final MVMap<Long, byte[]> map;
    private final TreeSet<Long> seqs = new TreeSet<>();

    GoneSeqs(MVStore store) {
        map = store.openMap("index.gone", Maps.longToBytes());
        reload();
    }

    /** After a rollback: what is in the file counts. */
    void reload() {
        seqs.clear();
        seqs.addAll(map.keySet());
    }

    void add(long seq) {
        if (seqs.add(seq)) {
            map.put(seq, PRESENT);
        }
    }

    boolean contains(long seq) {
        return seqs.contains(seq);
    }

    void forget(long minSeq, long maxSeq) {
        var range = seqs.subSet(minSeq, true, maxSeq, true);
        range.forEach(map::remove);
        range.clear();
    }

    void forget(long seq) {
        if (seqs.remove(seq)) {
            map.remove(seq);
        }
    }

    /** Those of a range, counted from its beginning. */
    BitSet between(long minSeq, long maxSeq) {
        BitSet found = new BitSet();
        seqs.subSet(minSeq, true, maxSeq, true).forEach(seq -> found.set((int) (seq - minSeq)));
        return found;
    }
}
