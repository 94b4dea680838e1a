package dev.belay.runtime.session;

/**
 * Hears what happens in a turn, in order, on a thread of its own. One that throws is logged and hears nothing more; one that is
 * slow misses events and is told of the gap. Neither does any harm to the turn.
 */
@FunctionalInterface
public interface TurnListener {

    /** Hears of something. */
    void on(TurnEvent event);
}
