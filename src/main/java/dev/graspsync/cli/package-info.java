/**
 * The command line. Arguments enter, an exit code leaves; {@link dev.graspsync.cli.Commands} is the way in. Only
 * {@code serve} starts the service; the other commands open no port, and where they need the relay's parts they put
 * them together themselves.
 */
@NullMarked
package dev.graspsync.cli;

import org.jspecify.annotations.NullMarked;
