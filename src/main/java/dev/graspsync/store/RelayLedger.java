package dev.graspsync.store;

import dev.graspsync.nostr.RelayUrl;
import java.util.Map;

/**
 * What is remembered of other relays across restarts, as named values. Only a memory: without it everything is learned
 * again. Calls may block on the disk; they may come from several threads.
 */
public interface RelayLedger extends AutoCloseable {

    /** Everything remembered. */
    Map<RelayUrl, Map<String, String>> load();

    /** Replaces what is remembered of these relays, all at once; when it returns, a crash loses none of it. */
    void save(Map<RelayUrl, Map<String, String>> changed);

    /** Forgets this relay. */
    void remove(RelayUrl relay);

    @Override
    void close();
}
