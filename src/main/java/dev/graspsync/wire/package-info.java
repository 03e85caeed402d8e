/**
 * JSON text to and from the protocol's types. Bytes enter and values leave, or values enter and bytes leave; text that
 * breaks a rule leaves as a {@link dev.graspsync.wire.ReadResult.Malformed}, never as an exception.
 */
@NullMarked
package dev.graspsync.wire;

import org.jspecify.annotations.NullMarked;
