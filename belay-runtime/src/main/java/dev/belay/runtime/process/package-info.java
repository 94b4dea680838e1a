/**
 * Processes: durable work outside any turn. {@link dev.belay.runtime.process.ProcessStart} describes a start,
 * {@link dev.belay.runtime.process.Processes} starts and finds processes, {@link dev.belay.runtime.process.DurableProcess} is the
 * handle of one. A {@link dev.belay.runtime.process.ProcessBody} is code of yours that a process runs.
 *
 * <p>Not here: running processes ({@code dev.belay.runtime.process.engine}, the next room), their rows
 * ({@link dev.belay.runtime.store.Store}), and sessions.
 */
@NullMarked
package dev.belay.runtime.process;

import org.jspecify.annotations.NullMarked;
