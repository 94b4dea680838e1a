package dev.belay.runtime.store.journal;

import dev.belay.runtime.store.journal.Journal.Written;

/** A record on its way into a journal. */
public interface Writing {

    /** Whether it is decided, so that {@link #await} returns at once. */
    boolean isDone();

    /** Waits until it is durable, or refused, or has failed. Asked once, by any thread. */
    Written await();

    /** One that was written at once. */
    static Writing done(Written written) {
        return new Writing() {

            @Override
            public boolean isDone() {
                return true;
            }

            @Override
            public Written await() {
                return written;
            }
        };
    }
}
