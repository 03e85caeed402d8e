/**
 * NIP-77 set reconciliation, negentropy protocol v1: two sides find out which ids the other one lacks at the cost of the
 * difference, not of the sets. Bytes of messages enter, bytes of messages and ids leave; no clock, no socket, no thread.
 * Whatever the bytes, the work is bounded and the outcome is a value. Knows the JDK only.
 */
@NullMarked
package dev.graspsync.negentropy;

import org.jspecify.annotations.NullMarked;
