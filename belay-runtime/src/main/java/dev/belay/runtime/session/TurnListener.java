package dev.belay.runtime.session;

/**
 * Hears what happens in a turn, in order, on a thread of its own. A listener that throws is logged and hears nothing more. A slow
 * listener misses events and is told of the gap. Neither slows or fails the turn.
 */
@FunctionalInterface
public interface TurnListener {

    /** Hears of an event. */
    void on(TurnEvent event);
}
