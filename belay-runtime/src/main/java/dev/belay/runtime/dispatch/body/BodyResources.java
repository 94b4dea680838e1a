package dev.belay.runtime.dispatch.body;

import dev.belay.runtime.effect.TimeSource;
import dev.belay.tool.context.HostValues;
import java.util.concurrent.ThreadFactory;
import java.util.random.RandomGenerator;

/**
 * What all bodies of a dispatcher share. Thread-safe.
 *
 * @param time clock and alarms
 * @param threads makes the threads of bodies and of listeners
 * @param random for delays, random steps and incarnations
 * @param slots places for running bodies
 * @param carriers of context from thread to thread
 * @param hostValues for parameters marked {@code @FromHost}
 */
public record BodyResources(TimeSource time, ThreadFactory threads, RandomGenerator random, Slots slots,
        Carriers carriers, HostValues hostValues) {}
