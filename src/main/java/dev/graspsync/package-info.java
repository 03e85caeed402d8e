/** grasp-sync: a NIP-34 relay that keeps itself complete. docs/architecture.md follows the data through the packages. */
@NullMarked
package dev.graspsync;

import org.jspecify.annotations.NullMarked;
