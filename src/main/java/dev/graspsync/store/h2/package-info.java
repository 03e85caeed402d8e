/**
 * The embedded store: one H2 MVStore file. Events lie in a map by seq, in the order of commits. Everything that is
 * looked up goes through one sorted index of (term, order, id prefix) → seq, kept as immutable runs that each batch adds
 * to and that are merged as they grow, so that writing an event costs the same in a large store as in a small one.
 */
@NullMarked
package dev.graspsync.store.h2;

import org.jspecify.annotations.NullMarked;
