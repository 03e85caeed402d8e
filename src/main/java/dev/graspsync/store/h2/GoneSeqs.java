package dev.graspsync.store.h2;

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
}
