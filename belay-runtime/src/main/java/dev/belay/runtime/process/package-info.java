/**
 * Processes: durable work outside any turn. {@link dev.belay.runtime.process.ProcessStart} says what is to be done,
 * {@link dev.belay.runtime.process.Processes} starts and finds it, {@link dev.belay.runtime.process.DurableProcess} is what one
 * does with it, and {@link dev.belay.runtime.process.engine.ProcessEngine} runs it, as a scope of the effect host. What is kept of
 * processes is in {@link dev.belay.runtime.store.ProcessStore}. Sessions are not known here; what a process needs of them comes
 * in as {@link dev.belay.runtime.process.engine.SessionWork}.
 */
@NullMarked
package dev.belay.runtime.process;

import org.jspecify.annotations.NullMarked;
