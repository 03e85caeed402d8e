package dev.graspsync.sync;

import dev.graspsync.relay.RelayConfig;
import dev.graspsync.store.RelayLedger;
import dev.graspsync.store.h2.H2RelayLedger;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.Disposes;
import jakarta.enterprise.inject.Produces;

/** Opens the ledger in the data folder, and closes it after everybody who writes to it. */
@ApplicationScoped
class LedgerFile {

    @Produces
    @ApplicationScoped
    RelayLedger open(RelayConfig config) {
        return H2RelayLedger.open(config.dataDir());
    }

    void close(@Disposes RelayLedger ledger) {
        ledger.close();
    }
}
