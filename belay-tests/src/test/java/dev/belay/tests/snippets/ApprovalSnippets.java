package dev.belay.tests.snippets;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.Wait;
import dev.belay.model.script.ScriptedModel;
import dev.belay.runtime.Belay;
import dev.belay.runtime.BelayClient;
import dev.belay.runtime.operate.OpenApproval;
import dev.belay.runtime.operate.VerbResult;
import dev.belay.runtime.policy.ApprovalAnswer;
import dev.belay.runtime.session.TurnResult;
import dev.belay.runtime.store.Actor;
import dev.belay.store.jdbc.JdbcStore;
import dev.belay.tool.Tool;
import dev.belay.tool.ToolContext;
import dev.belay.tool.ToolEffect;
import dev.belay.tool.option.Approval;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The code of {@code docs/guides/approvals.md} that no rule needs. */
final class ApprovalSnippets {

    private ApprovalSnippets() {}

    /** A bank that keeps what it was asked. */
    static final class Bank {

        final List<String> paid = new ArrayList<>();

        String pay(long order, int cents, String key) {
            paid.add(order + " " + cents + " " + key);
            return "R-1";
        }
    }

    // region always
    record Desk(Bank bank) {

        /** Pays an order back. */
        @Tool(effect = ToolEffect.IDEMPOTENT, approval = Approval.ALWAYS)
        String refund(long order, int cents, ToolContext call) {
            return bank.pay(order, cents, call.idempotencyKey().value());
        }
    }
    // endregion

    // region person
    static void answer(Path file, String anna) {
        try (BelayClient client = Belay.client(JdbcStore.existing(file))) { // no tools, no model
            for (OpenApproval open : client.approvals().open(null, 50).items()) {
                System.out.println(open.request().shown()); // the whole call, with hidden characters escaped
                VerbResult result = client.as(new Actor(anna, "web"))
                        .approvals()
                        .decide(open.keyId(), open.request().digest(), ApprovalAnswer.once());
                if (result instanceof VerbResult.NotPossible(String reason)) {
                    System.out.println(reason); // such as: it was denied by ben (web)
                }
            }
        }
    }
    // endregion

    static void test() throws InterruptedException {
        // region test
        var bank = new Bank();
        var model = new ScriptedModel()
                .call("refund", "{\"order\": 42, \"cents\": 8950}")
                .reply("It is refunded.");
        try (var belay = Belay.builder().model(model).toolMethods(new Desk(bank)).build()) {
            TurnResult result = belay.session("order-42").turn("Refund order 42.").run();

            var resting = (TurnResult.Resting) result; // it asks, and nothing was paid
            Wait wait = resting.waits().getFirst();
            assertThat(wait.tool()).isEqualTo("refund");
            assertThat(bank.paid).isEmpty();

            belay.approvals().decide(wait.keyId(), wait.digest(), ApprovalAnswer.once());

            assertThat(resting.await().answer()).isEqualTo("It is refunded.");
            assertThat(bank.paid).hasSize(1);
        }
        // endregion
    }
}
