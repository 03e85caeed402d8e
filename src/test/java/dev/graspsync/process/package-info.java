/**
 * The built service in processes of its own, as integration tests and benchmarks drive it: signed events and cheap
 * clients here, what the processes answer and log out.
 */
@NullMarked
package dev.graspsync.process;

import org.jspecify.annotations.NullMarked;
