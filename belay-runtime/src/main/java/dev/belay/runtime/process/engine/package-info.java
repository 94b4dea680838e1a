/**
 * The engine of processes. {@link dev.belay.runtime.process.engine.ProcessEngine} enters their scopes and makes the doors of
 * {@link dev.belay.runtime.process}.
 *
 * <ul>
 *   <li>{@link dev.belay.runtime.process.engine.KeptProcesses} starts processes and reads those that the store keeps;
 *       {@link dev.belay.runtime.process.engine.Beginning} is the record of a start.
 *   <li>{@link dev.belay.runtime.process.engine.CalledWork} runs tools and bodies as one call,
 *       {@link dev.belay.runtime.process.engine.AwaitedWork} waits for turns and external work.
 *   <li>{@link dev.belay.runtime.process.engine.ProcessEnds} writes ends, tells watchers and leaves notices for sessions.
 *   <li>{@link dev.belay.runtime.process.engine.Signals} and {@link dev.belay.runtime.process.engine.ToldEvents} carry signals in
 *       and events out; {@link dev.belay.runtime.process.engine.CallProcesses} serves the calls of sessions.
 * </ul>
 *
 * <p>Not here: running calls ({@code dev.belay.runtime.dispatch}), rows and writes ({@link dev.belay.runtime.store.Store}),
 * and sessions, which implement {@link dev.belay.runtime.process.engine.SessionWork}.
 */
@NullMarked
package dev.belay.runtime.process.engine;

import org.jspecify.annotations.NullMarked;
