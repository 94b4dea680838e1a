package dev.belay.testkit.crash;

/**
 * The result of {@link CrashKit#verify}.
 *
 * @param records how many records a run without a crash writes
 * @param crashes how many runs died before, inside or after one of them, and kept every promise
 * @param interleavings how many runs of several batches died at a moment drawn from a seed, and kept every promise
 * @param seed the first of these seeds; the others follow it
 */
public record CrashReport(int records, int crashes, int interleavings, long seed) {}
