/**
 * The contract of a {@link dev.belay.model.Model} that speaks HTTP, as tests.
 *
 * <p>Extend {@link dev.belay.testkit.model.ModelContract} and supply a {@link dev.belay.testkit.model.ModelFixture}: how your
 * protocol writes an answer, how it writes a failure, and how to read a request. The suite plays the traffic over a
 * {@link dev.belay.testkit.model.WireServer} on loopback, whole and cut at every byte, and needs no network.
 */
@org.jspecify.annotations.NullMarked
package dev.belay.testkit.model;
