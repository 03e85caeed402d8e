/**
 * The protocol's own types, as the NIPs name them. Nothing enters but values that passed their checks; nothing leaves
 * but immutable values. Knows the JDK only, and the signature libraries in {@link dev.graspsync.nostr.EventVerifier} and
 * {@link dev.graspsync.nostr.EventSigner}.
 */
@NullMarked
package dev.graspsync.nostr;

import org.jspecify.annotations.NullMarked;
