/**
 * What a test of tools needs: {@link dev.belay.testkit.FakeTime} in place of the machine's time, and
 * {@link dev.belay.testkit.ToolHarness} to call one tool as the runtime would. The crash kit is next door, in
 * {@link dev.belay.testkit.crash}.
 */
@NullMarked
package dev.belay.testkit;

import org.jspecify.annotations.NullMarked;

