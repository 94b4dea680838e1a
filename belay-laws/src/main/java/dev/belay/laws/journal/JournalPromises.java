package dev.belay.laws.journal;

/** A part of {@link JournalContract}. */
interface JournalPromises {

    /** The fixture of the test. */
    JournalBench bench();
}
