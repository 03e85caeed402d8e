/**
 * Where accepted events are kept. Verified and accepted events enter in batches; stored events leave newest first, or
 * in the order in which they were committed. The port is {@link dev.graspsync.store.EventStore}. Beside it,
 * {@link dev.graspsync.store.RelayLedger} keeps what was learned of other relays.
 */
@NullMarked
package dev.graspsync.store;

import org.jspecify.annotations.NullMarked;
