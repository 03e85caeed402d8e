/**
 * Where accepted events are kept. Verified and accepted events enter in batches; stored events leave newest first, or
 * in the order in which they were committed. The port is {@link dev.graspsync.store.EventStore}.
 */
@NullMarked
package dev.graspsync.store;

import org.jspecify.annotations.NullMarked;
