/**
 * Benchmarks, run on demand by {@code ./mvnw verify -Pbench}: a deterministic corpus and a cheap client here, the built
 * service in a process of its own, one table out.
 */
@NullMarked
package dev.graspsync.bench;

import org.jspecify.annotations.NullMarked;
