/**
 * Tests of tools: {@link dev.belay.testkit.FakeTime} replaces the machine's time, {@link dev.belay.testkit.ToolHarness} calls
 * tools as a model would, {@link dev.belay.testkit.ScriptedPerson} answers what asks, and {@link dev.belay.testkit.BelayTest} gives both to a
 * test. {@link dev.belay.testkit.Trap} crashes a write and {@link dev.belay.testkit.Together} starts threads
 * at the same moment, for all suites. The crash kit is in {@link dev.belay.testkit.crash}; the contracts of rows
 * and models are in {@code rows} and {@code model}.
 */
@NullMarked
package dev.belay.testkit;

import org.jspecify.annotations.NullMarked;
