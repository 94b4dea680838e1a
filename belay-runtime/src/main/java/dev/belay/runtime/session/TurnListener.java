package dev.belay.runtime.session;

/**
 * Hears what happens in a turn, in order, on a thread of its own. A listener that throws is logged and hears nothing more. A slow
 * listener misses events and is told of the gap. Neither slows or fails the turn.
 *
 * <p>{@code stream} waits for it: it returns after the listener has heard all events of this process up to the commit of the turn.
 * If {@code stream} throws, the listener may still hear events.
 */
@FunctionalInterface
public interface TurnListener {

    /** Hears of an event. */
    void on(TurnEvent event);
}
