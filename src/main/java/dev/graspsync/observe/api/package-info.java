/**
 * The status API under {@code /api}: what is here, what is wanted of whom, and why something is not here. Questions
 * enter over HTTP, JSON leaves; {@code GET} changes nothing. Reads counters, copies and the store, and never waits for
 * the sync engine. The contract is described by {@code /api/openapi}.
 */
@NullMarked
package dev.graspsync.observe.api;

import org.jspecify.annotations.NullMarked;
