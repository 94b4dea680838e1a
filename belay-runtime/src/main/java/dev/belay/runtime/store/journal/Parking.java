package dev.belay.runtime.store.journal;

/** What became of a request to park. */
public sealed interface Parking {

    /** The scope waits and has no owner any more. */
    record Parked() implements Parking {}

    /** Something it would wait for has happened; it is still claimed. Read its waits and cancellation again. */
    record Again() implements Parking {}

    /** Nothing was written. */
    record Fenced() implements Parking {}
}
