package dev.belay.testkit.journal;

/** A part of {@link JournalContract}. */
interface JournalPromises {

    /** What the test works with. */
    JournalBench bench();
}
