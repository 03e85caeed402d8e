package dev.graspsync.store;

import dev.graspsync.nostr.RelayUrl;
import dev.graspsync.store.h2.H2RelayLedger;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;

/** Saves without end and prints each round once it is saved: {@link RelayLedgerTest} kills it in the middle of that. */
final class LedgerWriter {

    static final int RELAYS = 20;

    private LedgerWriter() {}

    public static void main(String[] args) {
        H2RelayLedger ledger = H2RelayLedger.open(Path.of(args[0]));
        for (long round = Long.parseLong(args[1]); ; round++) {
            Map<RelayUrl, Map<String, String>> all = new LinkedHashMap<>();
            for (int i = 0; i < RELAYS; i++) {
                all.put(relay(i), Map.of("round", Long.toString(round), "filler", "x".repeat(200)));
            }
            ledger.save(all);
            System.out.println(round);
            System.out.flush();
        }
    }

    static RelayUrl relay(int number) {
        return RelayUrl.parse("wss://relay" + number + ".example").orElseThrow();
    }
}
