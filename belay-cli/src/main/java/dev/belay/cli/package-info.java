/**
 * The {@code belay} command: {@link dev.belay.cli.Main} reads the command line and turns problems into sentences and exit codes.
 * The commands are in the packages below.
 */
@NullMarked
package dev.belay.cli;

import org.jspecify.annotations.NullMarked;
