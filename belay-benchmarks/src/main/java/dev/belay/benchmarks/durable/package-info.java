/**
 * The cost of durability: {@link dev.belay.benchmarks.durable.DurableTable} counts the commits of a call and times journaled calls
 * beside the disk, plain JDBC and the peers; {@link dev.belay.benchmarks.durable.SessionsTable} times turns of sessions.
 */
@org.jspecify.annotations.NullMarked
package dev.belay.benchmarks.durable;
