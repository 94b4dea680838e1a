package dev.belay.testkit.rows;

/** A part of {@link RowsContract}. */
interface RowsPromises {

    /** The fixture of the test. */
    RowsBench bench();
}
