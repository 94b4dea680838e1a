package dev.belay.runtime.session;

/** A loop of your own that goes on with turns which wait for it. Called by many threads, one for each turn. */
@FunctionalInterface
public interface OpenTurnLoop {

    /**
     * Goes on with a turn, from the top: steps and calls that are recorded are answered. Return when the turn is finished or
     * parked. A turn that is neither stays open and is not given to this loop again; what is thrown is tried again some times, and
     * then the turn is stuck.
     */
    void run(OpenTurn turn) throws Exception;
}
