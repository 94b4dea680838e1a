/**
 * Programs as tools: {@code run_command} ({@link dev.belay.toolbox.command.CommandTools}) and a project's own executables
 * ({@link dev.belay.toolbox.command.ProjectTools}). Both start a program with an environment of its own, bound its time and its
 * output, and end every process that it started, also if the process of the host dies. Files are in {@code dev.belay.toolbox.file}, web pages in
 * {@code dev.belay.toolbox.http}.
 */
@org.jspecify.annotations.NullMarked
package dev.belay.toolbox.command;
