package dev.belay.testkit.crash;

/**
 * What {@link CrashKit#verify} did.
 *
 * @param records how many records an uninterrupted run writes
 * @param crashes how many runs died before, inside or after one of them, and came to the right end
 * @param interleavings how many runs of several batches at once died at a moment drawn from a seed, and did the same
 * @param seed the first of these seeds; the others follow it
 */
public record CrashReport(int records, int crashes, int interleavings, long seed) {}
