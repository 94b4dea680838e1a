package dev.belay.runtime.store.journal;

import dev.belay.runtime.effect.CancelReceipt;
import org.jspecify.annotations.Nullable;

/**
 * What became of a request to cancel.
 *
 * @param receipt what the caller is told
 * @param woken the right to run the scope, if it was parked and the right was asked for
 */
public record Cancelling(CancelReceipt receipt, @Nullable Claim woken) {}
