package dev.belay.tests.snippets;

import dev.belay.json.Json;
import dev.belay.runtime.Belay;
import dev.belay.runtime.BelayClient;
import dev.belay.runtime.effect.Resolution;
import dev.belay.runtime.operate.Page;
import dev.belay.runtime.operate.PendingWait;
import dev.belay.runtime.operate.SessionEntry;
import dev.belay.runtime.operate.SessionFilter;
import dev.belay.runtime.operate.VerbResult;
import dev.belay.runtime.store.Actor;
import dev.belay.runtime.store.AuditEntry;
import dev.belay.runtime.store.journal.Doubt;
import dev.belay.store.jdbc.JdbcStore;
import java.nio.file.Path;
import java.util.Optional;

/** The code of {@code docs/operations.md}, and of doubts in {@code docs/operations-repair.md}. */
final class OperatorSnippets {

    private OperatorSnippets() {}

    // region client
    static void look(Path file) {
        try (BelayClient client = Belay.client(JdbcStore.existing(file))) {
            Page<SessionEntry> page = client
                    .sessions(SessionFilter.ALL.label("team", "billing").state(SessionEntry.State.WAITING),
                            null, 50);
            page.items().forEach(entry -> System.out.println(entry.head().id() + " " + entry.waits()));
            client.session("order-42").turn("Where is my parcel?").submit(); // a worker on the same file answers
        }
    }
    // endregion

    // region pending
    static void answerForAnna(BelayClient client) {
        Page<PendingWait> page = client.pending(null, 100); // the longest first; page.next() begins the next page
        for (PendingWait wait : page.items()) {
            if ("ask_person".equals(wait.tool())) {
                String key = client.reissue(wait.keyId()).token(); // the key that was handed out first
                client.resolve(key, Resolution.ok(Json.string("yes")));
            }
        }
    }
    // endregion

    // region verbs
    static String giveUp(BelayClient client) {
        BelayClient anna = client.as(new Actor("anna", "command"));
        VerbResult result = anna.abandon(anna.session("order-42").id(), 7, "the customer called");
        for (AuditEntry entry : client.audit(0, 100)) {
            System.out.println(entry.at() + " " + entry.note()); // who, by which door, what, to what, why
        }
        return switch (result) {
            case VerbResult.Done done -> "abandoned";
            case VerbResult.Already already -> "it had ended before";
            case VerbResult.NotPossible(String reason) -> reason;
        };
    }
    // endregion

    // region withdraw
    static String takeBack(BelayClient client, String session, String input) {
        return switch (client.session(session).withdraw(input)) {
            case VerbResult.Done done -> "no further round takes it";
            case VerbResult.Already already -> "it was asked back before";
            case VerbResult.NotPossible(String reason) -> reason;
        };
    }
    // endregion

    // region ask
    static void askAgain(Belay belay) {
        for (Doubt doubt : belay.doubts().open(0, 50)) {
            if (belay.doubts().ask(doubt.id()) instanceof VerbResult.NotPossible(String reason)) {
                System.err.println(doubt.about().call().name() + " stays in doubt: " + reason);
            }
        }
    }
    // endregion

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
