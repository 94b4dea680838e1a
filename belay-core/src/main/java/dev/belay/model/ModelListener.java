package dev.belay.model;

/** Hears what a model says while it says it. Called on the thread that asked, so it should be quick. */
@FunctionalInterface
public interface ModelListener {

    /** Hears nothing. */
    static ModelListener silent() {
        return event -> {};
    }

    /** Takes the next event; what it throws ends the call. */
    void on(ModelEvent event);
}
