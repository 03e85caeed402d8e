package dev.graspsync.sync.core;

import dev.graspsync.nostr.RelayUrl;
import dev.graspsync.nostr.RepoAddress;
import dev.graspsync.sync.core.ConnectionState.Connected;
import dev.graspsync.sync.core.ConnectionState.Connecting;
import dev.graspsync.sync.core.ConnectionState.Disconnected;
import dev.graspsync.sync.core.RelayView.Connection;
import dev.graspsync.sync.core.RelayView.Phase;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The engine's state as observers see it. To look again costs in proportion to what changed since the last time. */
final class EngineObservation {

    private final SyncSettings settings;
    private final RelaySyncIndex relays;
    private final RepoSyncIndex repos;
    private final Set<RelayState> changedRelays = new LinkedHashSet<>();
    private final Set<RepoSyncNeeds> changedRepos = new LinkedHashSet<>();
    private final Map<RelayUrl, RelayView> views = new LinkedHashMap<>();
    private final Map<RepoAddress, Integer> roots = new LinkedHashMap<>();
    private int rootSum;

    EngineObservation(SyncSettings settings, RelaySyncIndex relays, RepoSyncIndex repos) {
        this.settings = settings;
        this.relays = relays;
        this.repos = repos;
    }

    void changed(RelayState relay) {
        changedRelays.add(relay);
    }

    void changed(RepoSyncNeeds repo) {
        changedRepos.add(repo);
        for (RelayUrl url : repo.relays()) {
            RelayState relay = relays.get(url);
            RepoAtRelay here = relay == null ? null : relay.repos.get(repo);
            if (relay != null && here != null) {
                here.changed();
                changedRelays.add(relay);
            }
        }
    }

    EngineChanges look(Instant now) {
        List<RelayView> seenRelays = new ArrayList<>();
        List<RelayUrl> goneRelays = new ArrayList<>();
        for (RelayState relay : changedRelays) {
            if (relays.get(relay.url) == relay) {
                RelayView view = view(relay, now);
                views.put(relay.url, view);
                seenRelays.add(view);
            } else if (relays.get(relay.url) == null) {
                views.remove(relay.url);
                goneRelays.add(relay.url);
            }
        }
        changedRelays.clear();
        List<RepoView> seenRepos = new ArrayList<>();
        List<RepoAddress> goneRepos = new ArrayList<>();
        for (RepoSyncNeeds repo : changedRepos) {
            RepoAddress address = repo.address();
            RepoSyncNeeds present = repos.get(address);
            if (present == repo) {
                seenRepos.add(view(repo));
                countRoots(address, repo.roots());
            } else if (present == null) {
                goneRepos.add(address);
                countRoots(address, 0);
            }
        }
        changedRepos.clear();
        return new EngineChanges(sums(), seenRelays, goneRelays, seenRepos, goneRepos);
    }

    private void countRoots(RepoAddress repo, int now) {
        Integer before = now == 0 ? roots.remove(repo) : roots.put(repo, now);
        rootSum += now - (before == null ? 0 : before);
    }

    private EngineView sums() {
        long wanted = 0;
        long confirmed = 0;
        long underWay = 0;
        int connected = 0;
        int degraded = 0;
        int dead = 0;
        boolean first = false;
        boolean waiting = false;
        for (RelayView view : views.values()) {
            wanted += view.items();
            confirmed += view.confirmed();
            underWay += isRead(view) ? view.items() - view.confirmed() : 0;
            connected += view.connection() == Connection.CONNECTED ? 1 : 0;
            degraded += view.health() == RelayHealth.Status.DEGRADED ? 1 : 0;
            dead += view.health() == RelayHealth.Status.DEAD ? 1 : 0;
            first |= view.phase() == Phase.SYNCING && !view.catchingUp();
            waiting |= view.phase() == Phase.WAITING || view.phase() == Phase.UNREACHABLE;
        }
        EngineView.Phase phase;
        if (!repos.isDrained()) {
            phase = EngineView.Phase.STARTING;
        } else if (first) {
            phase = EngineView.Phase.FIRST_SYNC;
        } else {
            phase = waiting ? EngineView.Phase.WAITING : EngineView.Phase.COMPLETE;
        }
        return new EngineView(
                phase,
                wanted,
                confirmed,
                underWay,
                repos.size(),
                rootSum,
                views.size(),
                connected,
                degraded,
                dead,
                relays.leftOut());
    }

    private static boolean isRead(RelayView view) {
        return view.phase() == Phase.SYNCING || view.phase() == Phase.FRESH_SYNC;
    }

    private RelayView view(RelayState relay, Instant now) {
        Tally tally = relay.count().recount(relay.announcements, changedRepos::add);
        Count announcements = relay.announcements.count().repos();
        List<LayerView> layers = List.of(
                layer(relay, Layer.ANNOUNCEMENTS, announcements),
                layer(relay, Layer.REPOSITORIES, tally.repos()),
                layer(relay, Layer.ROOT_EVENTS, tally.roots()),
                layer(relay, Layer.REFERENCES, tally.references()));
        RelayHealth health = relay.health;
        return new RelayView(
                relay.url,
                relay.bootstrap,
                connection(relay.connection),
                health.status(now, settings),
                phase(relay, now),
                relay.catchUpSince != null,
                since(relay),
                health.failures(),
                health.failingSince(),
                relay.isConnected()
                        ? Optional.empty()
                        : Optional.of(health.nextAttempt()).filter(at -> at.isAfter(Instant.EPOCH)),
                Optional.ofNullable(relay.why),
                relay.repos.size(),
                layers,
                asked(relay),
                relay.budget,
                relay.live.isCoarse(),
                Optional.of(relay.quietUntil).filter(until -> until.isAfter(now)),
                Optional.ofNullable(relay.freshSyncDue),
                relay.lastConnected,
                relay.reliability,
                relay.upOrDownSince);
    }

    /** History is read with one filter at a time, and compared with one. */
    private static RelayView.Asked asked(RelayState relay) {
        int history = relay.pending.open().size();
        return new RelayView.Asked(
                relay.live.size() + history,
                relay.live.filters() + history,
                relay.pending.batches().size());
    }

    private static LayerView layer(RelayState relay, Layer layer, Count count) {
        return LayerView.of(layer, count, relay.count().last(layer));
    }

    private static Connection connection(ConnectionState state) {
        return switch (state) {
            case Connected connected -> Connection.CONNECTED;
            case Connecting connecting -> Connection.CONNECTING;
            case Disconnected disconnected -> Connection.DISCONNECTED;
        };
    }

    private static Instant since(RelayState relay) {
        return switch (relay.connection) {
            case Connected connected -> connected.since();
            case Connecting connecting -> connecting.since();
            case Disconnected disconnected -> disconnected.lostAt().orElse(relay.addedAt);
        };
    }

    private static Phase phase(RelayState relay, Instant now) {
        if (!relay.isConnected()) {
            return Phase.UNREACHABLE;
        }
        if (relay.complete) {
            return Phase.SYNCED;
        }
        boolean idle = relay.pending.isEmpty() && relay.wanted.ready().isEmpty();
        if (idle || relay.quietUntil.isAfter(now)) {
            return Phase.WAITING;
        }
        return relay.freshSyncing ? Phase.FRESH_SYNC : Phase.SYNCING;
    }

    private RepoView view(RepoSyncNeeds repo) {
        int leftOut = (int)
                repo.relays().stream().filter(url -> relays.get(url) == null).count();
        return new RepoView(
                repo.address(),
                repo.roots(),
                repo.relays().size() - leftOut,
                leftOut,
                repo.itemsAtRelays(),
                repo.confirmedAtRelays());
    }

    /** After a look, what was counted piece by piece must be what is there. */
    void check() {
        long items = 0;
        for (RelayState relay : relays.all()) {
            Tally sum = relay.repos.values().stream().map(RepoAtRelay::count).reduce(Tally.NONE, Tally::plus);
            RelayView view = views.get(relay.url);
            long seen = view == null
                    ? -1
                    : view.items() - relay.announcements.count().sum().items();
            long confirmed = view == null
                    ? -1
                    : view.confirmed() - relay.announcements.count().sum().confirmed();
            if (seen != sum.sum().items() || confirmed != sum.sum().confirmed()) {
                throw new IllegalStateException(relay.url + " is seen as " + view + " and has " + sum);
            }
            items += seen;
        }
        long ofRepos =
                repos.all().stream().mapToLong(RepoSyncNeeds::itemsAtRelays).sum();
        if (items != ofRepos) {
            throw new IllegalStateException("relays have " + items + " items of repositories, these have " + ofRepos);
        }
    }

    // One in detail ------------------------------------------------------------------------------------------------

    /** The first repositories of a relay. */
    List<RepoAtRelayView> reposAt(RelayUrl url, int most) {
        RelayState relay = relays.get(url);
        return relay == null
                ? List.of()
                : relay.repos.values().stream()
                        .limit(most)
                        .map(repo -> view(repo, url))
                        .toList();
    }

    /** All relays that a repository names. */
    List<RepoAtRelayView> relaysOf(RepoAddress address) {
        RepoSyncNeeds repo = repos.get(address);
        List<RepoAtRelayView> found = new ArrayList<>();
        if (repo != null) {
            for (RelayUrl url : repo.relays()) {
                RelayState relay = relays.get(url);
                RepoAtRelay here = relay == null ? null : relay.repos.get(repo);
                found.add(
                        here == null
                                ? new RepoAtRelayView(address, url, true, 0, 0, 0, Optional.empty())
                                : view(here, url));
            }
        }
        return found;
    }

    private static RepoAtRelayView view(RepoAtRelay here, RelayUrl url) {
        Count count = here.count().sum();
        return new RepoAtRelayView(
                here.repo().address(), url, false, count.items(), count.confirmed(), count.pending(), here.last());
    }
}
