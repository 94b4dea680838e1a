package dev.belay.tests.snippets;

import dev.belay.json.Json;
import dev.belay.runtime.Belay;
import dev.belay.runtime.operate.VerbResult;
import dev.belay.runtime.store.Doubt;
import java.util.Optional;

/** What docs/operations.md shows. */
final class OperatorSnippets {

    private OperatorSnippets() {}

    /** The service behind a tool. */
    interface Payments {

        Optional<String> find(String key);
    }

    // region settle
    static void settle(Belay belay, Payments payments) {
        for (Doubt doubt : belay.doubts().open(0, 50)) {
            String key = doubt.about().call().idempotencyKey();
            Optional<String> receipt = payments.find(key);
            VerbResult result = receipt.isPresent()
                    ? belay.doubts().happened(doubt.id(), Json.string(receipt.get()), "found at the bank")
                    : belay.doubts().didNotHappen(doubt.id(), "the bank has no payment of this key");
            if (result instanceof VerbResult.NotPossible(String reason)) {
                throw new IllegalStateException(reason);
            }
        }
    }
    // endregion
}
