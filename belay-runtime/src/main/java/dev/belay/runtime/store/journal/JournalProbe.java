package dev.belay.runtime.store.journal;

/**
 * Watches a journal at the moments that matter for crashes. For the crash kit; whatever it throws is treated as the death of the
 * process: nothing more is written, and every call of the journal fails with it.
 */
@FunctionalInterface
public interface JournalProbe {

    /** Watches nothing. */
    JournalProbe NONE = (moment, write) -> {};

    /** Where in a write. */
    enum Moment {
        /** Nothing was done yet. */
        BEFORE,
        /** The statements were run, and nothing was committed. */
        INSIDE,
        /** It is durable; nobody was told. */
        AFTER
    }

    /**
     * Called on the journal's writing thread.
     *
     * @param moment where
     * @param write which one, such as {@code effect call/0/attempt/1 STARTED}
     */
    void at(Moment moment, String write);
}
