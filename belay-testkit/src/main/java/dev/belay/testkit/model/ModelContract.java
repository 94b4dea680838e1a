package dev.belay.testkit.model;

import dev.belay.model.Model;

/**
 * What every {@link Model} that speaks HTTP keeps. Extend it and give it a fixture; every test is inherited:
 *
 * <pre>{@code
 * class MyModelTest extends ModelContract {
 *     protected ModelFixture fixture() {
 *         return new MyFixture();
 *     }
 * }
 * }</pre>
 *
 * <p>It checks answers (streamed, whole, cut at every byte, mixed, packed, broken), requests (tools, choices, schemas, pictures,
 * exact replay), failures (their kinds and sentences, what is tried again) and connections (threads, cancellation, timeouts,
 * proxy). A test of something that the protocol does not have is skipped and says so.
 */
public abstract class ModelContract extends ConnectionChecks {

    /** For subclasses. */
    protected ModelContract() {}
}
