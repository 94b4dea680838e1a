package dev.belay.runtime.effect;

import dev.belay.json.Json;

/** The answer to a request to cancel a scope. The request is ordered against the scope's end: one of the two was first. */
public sealed interface CancelReceipt {

    /** The request is durable; the scope will end soon, with outcomes for all its calls. */
    record Requested() implements CancelReceipt {}

    /**
     * The scope was cancelled before.
     *
     * @param reason of the first request
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
