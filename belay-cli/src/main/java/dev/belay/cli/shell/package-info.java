/**
 * What every command uses: streams and terminals ({@link dev.belay.cli.shell.Shell}), tables, exit codes
 * ({@link dev.belay.cli.shell.ExitCode}) and the problems that end a command. No command is here.
 */
@NullMarked
package dev.belay.cli.shell;

import org.jspecify.annotations.NullMarked;
