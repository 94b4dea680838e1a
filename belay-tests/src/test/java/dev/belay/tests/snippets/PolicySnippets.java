package dev.belay.tests.snippets;

import dev.belay.config.PolicyFile;
import dev.belay.json.Json;
import dev.belay.model.Model;
import dev.belay.runtime.Belay;
import dev.belay.runtime.BelayBuilder;
import dev.belay.runtime.BelayClient;
import dev.belay.runtime.operate.OpenApproval;
import dev.belay.runtime.operate.VerbResult;
import dev.belay.runtime.policy.ApprovalAnswer;
import dev.belay.runtime.policy.ApprovalMode;
import dev.belay.runtime.policy.Grant;
import dev.belay.runtime.policy.Match;
import dev.belay.runtime.policy.Policy;
import dev.belay.runtime.policy.PolicyCall;
import dev.belay.runtime.policy.PolicyRule;
import dev.belay.runtime.policy.RulePolicy;
import dev.belay.runtime.store.Actor;
import dev.belay.tool.ToolEffect;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** The code of rules in {@code docs/guides/approvals.md}. */
final class PolicySnippets {

    private PolicySnippets() {}

    // region rules
    static RulePolicy rules() {
        return Policy.rules(
                PolicyRule.allow("reads").effects(ToolEffect.READ),
                PolicyRule.ask("big-refunds")
                        .tools("refund")
                        .where("/amount", Match.above(100))
                        .reason("refunds over 100 need a person")
                        .matching(PolicyCall.of("refund", Json.of("{\"amount\": 101}")))
                        .notMatching(PolicyCall.of("refund", Json.of("{\"amount\": 100}"))),
                PolicyRule.deny("other-hosts")
                        .tags("network")
                        .where("/url", Match.not(Match.hostIn(List.of("example.org")))),
                PolicyRule.deny("many-searches").tools("search*").afterCalls(20));
    }
    // endregion

    // region builder
    static BelayBuilder with(BelayBuilder builder, Model model, Path file) {
        return builder.policy(rules()) // for all agents that have no policy of their own
                .agent("lawyer", lawyer -> lawyer.model(model).policy(PolicyFile.read(file)))
                .approvals(ApprovalMode.PARK) // the default; REFUSE where no person can be asked
                .approvalsExpire(Duration.ofDays(2));
    }
    // endregion

    // region explain
    static String explain(BelayClient client) {
        return rules().explain(PolicyCall.of("refund", Json.of("{\"amount\": 250}")),
                client.session("order-42").grants().list()).toString();
    }
    // endregion

    // region decide
    static VerbResult decide(BelayClient client) {
        OpenApproval open = client.approvals().open(null, 50).items().getFirst();
        System.out.println(open.request().shown()); // everything, with hidden characters escaped
        return client.as(new Actor("anna", "web"))
                .approvals()
                .decide(open.keyId(), open.request().digest(),
                        ApprovalAnswer.edit(Json.of("{\"amount\": 90}")));
    }
    // endregion

    // region grants
    static void revoke(Belay belay) {
        for (Grant grant : belay.session("order-42").grants().list()) {
            belay.session("order-42").grants().revoke(grant.id());
        }
    }
    // endregion
}
