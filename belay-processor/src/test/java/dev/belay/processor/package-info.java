/** Tests of the processor: each compiles small sources in memory. */
@org.jspecify.annotations.NullMarked
package dev.belay.processor;
