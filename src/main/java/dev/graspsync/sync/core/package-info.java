/**
 * All decisions of the sync, pure: no clock, thread, randomness, logging or framework. What happened enters as a
 * {@link dev.graspsync.sync.core.SyncInput}, each with its time; what is to be done leaves as
 * {@link dev.graspsync.sync.core.SyncAction}s. The same inputs always give the same actions.
 */
@NullMarked
package dev.graspsync.sync.core;

import org.jspecify.annotations.NullMarked;
