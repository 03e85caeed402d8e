/** The command line, as a person uses it. */
@NullMarked
package dev.graspsync.cli;

import org.jspecify.annotations.NullMarked;
