package dev.belay.runtime.store.journal;

/**
 * Watches a journal at the moments that matter for crashes. For the crash kit; whatever it throws is treated as the death of the
 * process: nothing more is written, and every call of the journal fails with it.
 *
 * <p>A write is named the same in every store, so that a crash is found again by its name. Journals write {@code submit SCOPE},
 * {@code take SCOPE}, {@code reenter SCOPE}, {@code give-back SCOPE}, {@code effect KEY STATUS}, {@code keep HASH},
 * {@code hold RESOURCE}, {@code release RESOURCE}, {@code park SCOPE}, {@code end SCOPE}, {@code stick SCOPE}, {@code resolve WAIT},
 * {@code due SCOPE}, {@code cancel SCOPE}, {@code late KEY}, {@code retry SCOPE}, {@code abandon SCOPE}, {@code rotate-secret},
 * {@code revoke-secret}, {@code collect outputs} and {@code collect effects}; stores of sessions {@code accept SESSION INPUT},
 * {@code withdraw SESSION INPUT}, {@code commit SESSION TURN}, {@code abandon SESSION TURN}, {@code create SESSION} and
 * {@code delete SESSION}; stores of processes {@code start-process PROCESS}, {@code grant-process PROCESS SESSION},
 * {@code event PROCESS KEY}, {@code signal PROCESS}, {@code watch PROCESS}, {@code end-process PROCESS} and
 * {@code abandon-process PROCESS}.
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
        /** It is durable; the caller was not told. */
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
