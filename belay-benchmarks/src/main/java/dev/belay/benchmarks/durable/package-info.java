/**
 * What durability costs: {@link dev.belay.benchmarks.durable.DurableTable} counts the commits of a call and times journaled calls
 * beside what the disk can do, beside plain JDBC and beside the peers.
 */
@org.jspecify.annotations.NullMarked
package dev.belay.benchmarks.durable;
