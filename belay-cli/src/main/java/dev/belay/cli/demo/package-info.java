/**
 * {@code belay demo}: a {@link dev.belay.cli.demo.DemoWorker} works in processes that are killed, and a story tells what happens.
 * It uses Belay as any program would.
 */
@NullMarked
package dev.belay.cli.demo;

import org.jspecify.annotations.NullMarked;
