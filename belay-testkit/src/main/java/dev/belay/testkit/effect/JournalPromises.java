package dev.belay.testkit.effect;

/** A part of {@link JournalContract}. */
interface JournalPromises {

    /** What the test works with. */
    JournalBench bench();
}
