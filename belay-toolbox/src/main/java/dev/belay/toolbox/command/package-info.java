/**
 * Programs as tools: {@code run_command} ({@link dev.belay.toolbox.command.CommandTools}) and a project's own executables
 * ({@link dev.belay.toolbox.command.ProjectTools}). Both start a program with an environment made from nothing, bound its time
 * and its output, and end everything it started.
 */
@org.jspecify.annotations.NullMarked
package dev.belay.toolbox.command;
