package dev.belay.runtime.operate;

import java.time.Duration;
import java.util.Optional;
import java.util.Set;

/**
 * How a runtime is. Made by a small read of the store; asks no model.
 *
 * @param life how far the runtime is
 * @param store how the store is
 * @param agents that are defined here
 * @param sessions whose turns are run here, with those below them; empty for all sessions
 * @param kinds of scopes that are served here
 * @param paused whether a pause of everything is in force
 * @param late how long the oldest work that is ready, served here and not paused waits for a runtime; zero if there is none
 * @param turns how many turns run here
 * @param bodies how many bodies of tools run here
 * @param faults why turns cannot be entered here: the code of each fault of the program with its words; empty if there is none
 */
public record Health(Life life, Store store, Set<String> agents, Set<String> sessions, Set<String> kinds,
        boolean paused,
        Duration late,
        int turns, int bodies, Set<String> faults) {

    /** After this time a failed write does not count any more: a runtime that is given no work must become ready again by itself. */
    private static final Duration FAILURE_COUNTS = Duration.ofMinutes(1);

    /** How far a runtime is. */
    public enum Life {
        /** Built with {@code start(false)}: it accepts, and runs nothing. */
        NOT_STARTED,
        /** It works. */
        WORKING,
        /** It is being closed, and waits for what runs. */
        DRAINING,
        /** It is closed. */
        CLOSED,
        /** One of its own threads has failed: {@code runtime_failed}. */
        FAILED
    }

    /**
     * How a store is.
     *
     * @param answers whether it has answered the read of this question
     * @param fault why not; empty if it has
     * @param sinceWritten how long ago it has answered a write of this runtime; empty if it never has
     * @param sinceFailed how long ago a write of this runtime failed; empty if none has
     */
    public record Store(boolean answers, String fault, Optional<Duration> sinceWritten,
            Optional<Duration> sinceFailed) {

        /** Whether the last write failed, and that not long ago. */
        public boolean failsToWrite() {
            return sinceFailed.filter(failed -> failed.compareTo(FAILURE_COUNTS) < 0
                    && sinceWritten.filter(written -> written.compareTo(failed) <= 0).isEmpty())
                    .isPresent();
        }
    }

    /** Copies the sets. */
    public Health {
        agents = Set.copyOf(agents);
        sessions = Set.copyOf(sessions);
        kinds = Set.copyOf(kinds);
        faults = Set.copyOf(faults);
    }

    /** Whether the process need not be restarted; neither the store nor a model is asked. */
    public boolean isLive() {
        return life != Life.FAILED;
    }

    /** Whether it should be given work: it works, and the store answers and takes writes. An outage of a model, a pause and faults change nothing: other sessions work. */
    public boolean isReady() {
        return life == Life.WORKING && store.answers && !store.failsToWrite();
    }
}
