package dev.belay.runtime.dispatch;

/**
 * Hears what happens to calls. The events of one call come in order, on a thread of their own, a moment after they happened;
 * those of several calls come side by side. A listener that throws is logged; a listener that blocks misses progress of that
 * call. Neither harms the call.
 */
@FunctionalInterface
public interface DispatchListener {

    /** Hears nothing. */
    DispatchListener SILENT = event -> {};

    /** Whether it returns at once and never throws; then it is told on the thread on which things happen. */
    default boolean isPrompt() {
        return false;
    }

    /** Hears of something. */
    void on(CallEvent event);
}
