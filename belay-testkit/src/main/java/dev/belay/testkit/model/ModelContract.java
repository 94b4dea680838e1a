package dev.belay.testkit.model;

import dev.belay.model.Model;

/**
 * The contract of every {@link Model} that speaks HTTP, as tests. Extend it and supply a fixture; every test is inherited:
 *
 * <pre>{@code
 * class MyModelTest extends ModelContract {
 *     protected ModelFixture fixture() {
 *         return new MyFixture();
 *     }
 * }
 * }</pre>
 *
 * <p>It checks answers (streamed, whole, cut at every byte, mixed, packed, broken, spoiled at random), requests (tools, choices,
 * schemas, pictures, exact replay), failures (their kinds, messages and retries) and connections (threads, cancellation, timeouts,
 * proxy). A test of a feature that the protocol does not have is skipped with a reason.
 */
public abstract class ModelContract extends SpoiledStreamChecks {

    /** For subclasses. */
    protected ModelContract() {}
}
