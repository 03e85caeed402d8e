/**
 * A simulated world around the sync core: relays with all their faults, the own relay and its ingest, a clock that jumps,
 * and an oracle of what must be home at the end. Everything in a world follows from its seed. See docs/testing.md.
 */
@NullMarked
package dev.graspsync.sync.core.sim;

import org.jspecify.annotations.NullMarked;
