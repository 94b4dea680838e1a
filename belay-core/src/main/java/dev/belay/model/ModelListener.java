package dev.belay.model;

/** Hears the events of an answer as they arrive. Called on the thread that asked, so it should be quick. */
@FunctionalInterface
public interface ModelListener {

    /** Hears nothing. */
    static ModelListener silent() {
        return event -> {};
    }

    /** Takes the next event; what it throws ends the call. */
    void on(ModelEvent event);
}
