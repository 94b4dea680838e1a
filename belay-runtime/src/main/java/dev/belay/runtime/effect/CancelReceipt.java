package dev.belay.runtime.effect;

import dev.belay.json.Json;

/** What became of a request to cancel a scope. It is ordered against the scope's end: one of them was first. */
public sealed interface CancelReceipt {

    /** It is written down; the scope will end soon, with outcomes for all its calls. */
    record Requested() implements CancelReceipt {}

    /**
     * Somebody asked before.
     *
     * @param reason why
     */
    record AlreadyRequested(String reason) implements CancelReceipt {}

    /**
     * The scope had ended.
     *
     * @param result its result
     */
    record AlreadyEnded(Json result) implements CancelReceipt {}

    /** There is no such scope. */
    record Unknown() implements CancelReceipt {}
}
