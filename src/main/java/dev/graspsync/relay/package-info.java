/**
 * The own relay. Events of clients and of remote relays enter; what the acceptance policy takes leaves to the store and
 * to live subscriptions, what it does not take leaves as a refusal that says what is missing.
 */
@NullMarked
package dev.graspsync.relay;

import org.jspecify.annotations.NullMarked;
