/**
 * The reactive shell around {@link dev.graspsync.sync.core}: what happens on sockets, files and clocks enters the core
 * as inputs, and the actions that leave it are carried out here. Decides nothing of its own but what is safe to dial and
 * when a connection is broken.
 */
@NullMarked
package dev.graspsync.sync;

import org.jspecify.annotations.NullMarked;
