/**
 * Belay beside its peers, measured in one run: {@link dev.belay.benchmarks.DispatchTable} for one typed call,
 * {@link dev.belay.benchmarks.StartupTable} for a thousand tools in a fresh process. Both print one table; {@code docs/benchmarks.md}
 * says how to run them and shows results.
 */
@org.jspecify.annotations.NullMarked
package dev.belay.benchmarks;
