/** What operators see. It reads what the other packages count and know; nobody depends on it. */
@NullMarked
package dev.graspsync.observe;

import org.jspecify.annotations.NullMarked;
