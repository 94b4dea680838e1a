package dev.belay.toolset;

/**
 * Hears the events of a step, on the thread that runs it, in order. A stream is a listener: the same code runs and the same step
 * comes out with and without one.
 */
@FunctionalInterface
public interface StepListener {

    /** Hears nothing. */
    StepListener SILENT = event -> {};

    /** Hears one event. What it throws ends the step: {@code step_stopped} for {@link #stop()}, else {@code listener_failed}. */
    void on(StepEvent event);

    /** Throw this to end the step and the model's stream: <code>throw StepListener.stop();</code>. */
    static RuntimeException stop() {
        return new Stop();
    }

    /** The wish to end a step. */
    final class Stop extends RuntimeException {

        private static final long serialVersionUID = 1L;

        private Stop() {
            super("the listener stopped the step", null, false, false);
        }
    }
}
