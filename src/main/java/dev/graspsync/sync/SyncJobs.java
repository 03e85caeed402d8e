package dev.graspsync.sync;

import io.quarkus.scheduler.Scheduled;
import io.quarkus.scheduler.Scheduled.ConcurrentExecution;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;

/** What happens by the clock. The decisions are the engine's; here is only when it is asked. */
@ApplicationScoped
class SyncJobs {

    private final SyncManager sync;
    private final HealthTracker health;

    @Inject
    SyncJobs(SyncManager sync, HealthTracker health) {
        this.sync = sync;
        this.health = health;
    }

    /** Reconnects that are due, deadlines that passed, fresh syncs whose random 23 to 25 hours are over. */
    @Scheduled(every = "1s", concurrentExecution = ConcurrentExecution.SKIP)
    void tick() {
        sync.tick();
    }

    /** Relays that nobody names any more. */
    @Scheduled(every = "{grasp.sync.disconnect-check-interval}", concurrentExecution = ConcurrentExecution.SKIP)
    void checkDisconnects() {
        sync.checkDisconnects();
    }

    @Scheduled(every = "10s", concurrentExecution = ConcurrentExecution.SKIP)
    void saveLedger() {
        health.save();
    }
}
