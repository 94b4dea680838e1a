package dev.belay.tests.policy;

import static dev.belay.tests.policy.ApprovalBench.BIG;
import static dev.belay.tests.policy.ApprovalBench.asked;
import static dev.belay.tests.policy.ApprovalBench.call;
import static dev.belay.tests.policy.ApprovalBench.decide;
import static dev.belay.tests.policy.ApprovalBench.once;
import static dev.belay.tests.policy.ApprovalBench.only;
import static dev.belay.tests.session.SessionBench.calls;
import static dev.belay.tests.session.SessionBench.model;
import static dev.belay.tests.session.SessionBench.text;
import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.json.Json;
import dev.belay.model.Message.ToolMessage;
import dev.belay.model.Model;
import dev.belay.model.Part.CallPart;
import dev.belay.runtime.Belay;
import dev.belay.runtime.policy.ApprovalAnswer;
import dev.belay.runtime.policy.DecidingRule;
import dev.belay.runtime.policy.Match;
import dev.belay.runtime.policy.Policy;
import dev.belay.runtime.policy.PolicyDecision.Verdict;
import dev.belay.runtime.policy.PolicyRule;
import dev.belay.runtime.session.InputHandle;
import dev.belay.tests.session.SessionBench;
import dev.belay.tool.option.Approval;
import dev.belay.tool.option.DefinitionChange;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Each rule that asks about a call is answered before the call runs: by a person who was shown it, or by a grant. */
@ApprovalCase.Everywhere
class AskingRulesTest extends ApprovalCase {

    private static final PolicyRule ANY = PolicyRule.ask("refunds").tools("refund");
    private static final Policy BOTH = Policy.rules(ANY, BIG);
    private static final String SMALL = "{\"amount\":5}";
    private static final String HUGE = "{\"amount\":1000000}";

    private static CallPart refund(String id, String arguments) {
        return call(id, arguments);
    }

    private static List<String> rules(Belay belay) {
        return only(belay).request().by().rules().stream().map(DecidingRule::id).toList();
    }

    private Belay worker(Policy policy, String... arguments) {
        return bench.worker(refunding(arguments), builder -> builder.policy(policy));
    }

    /** A model that makes these refunds, one a round, whatever it is told besides. */
    private static Model refunding(String... arguments) {
        return model(request -> {
            int done = (int) request.messages().stream().filter(ToolMessage.class::isInstance).count();
            return done < arguments.length
                    ? calls(List.of(refund("call-" + done, arguments[done])))
                    : text("done: " + SessionBench.lastReplies(request));
        });
    }

    @Test
    void aGrantForABroadRuleDoesNotAnswerANarrowOne() throws Exception {
        Belay belay = worker(BOTH, SMALL, SMALL, HUGE);
        InputHandle input = bench.ask(belay);
        decide(belay, ApprovalAnswer.forSession());
        asked(belay, 1);
        assertThat(bench.refunds).containsExactly(SMALL, SMALL);
        assertThat(rules(belay)).containsExactly("refunds", "big");
        assertThat(only(belay).request().shown())
                .contains("asked by: rule \"refunds\"\nasked by: rule \"big\": over 100\n");
        decide(belay, ApprovalAnswer.deny("too much"));
        assertThat(input.awaitCommit().text()).contains("too much");
        assertThat(bench.refunds).hasSize(2);
    }

    @Test
    void aGrantCoversAllRulesThatWereShownAndTheyAreAudited() throws Exception {
        Belay belay = worker(BOTH, HUGE, "{\"amount\":7000}", SMALL);
        InputHandle input = bench.ask(belay);
        decide(belay, ApprovalAnswer.forSession());
        input.awaitCommit();
        assertThat(bench.refunds).containsExactly(HUGE, "{\"amount\":7000}", SMALL);
        assertThat(belay.session("s").grants().list()).singleElement()
                .satisfies(grant -> assertThat(grant.rules()).extracting(DecidingRule::id)
                        .containsExactly("refunds", "big"));
        assertThat(belay.audit(0, 9).getFirst().note().details().get("rule"))
                .contains(Json.string("refunds, big"));
    }

    @Test
    void aRuleOfAChildDoesNotHideOneOfTheSessionAbove() throws Exception {
        bench.delegatingTo("clerk");
        Belay belay = bench.worker(once(SessionBench.call("d", "delegate")),
                builder -> builder.policy(Policy.rules(BIG))
                        .agent("clerk", clerk -> clerk.model(refunding(SMALL, HUGE))
                                .policy(Policy.rules(ANY))
                                .tools(bench.refunding())));
        InputHandle input = bench.submitBeside(belay);
        asked(belay, 1);
        assertThat(rules(belay)).containsExactly("refunds");
        decide(belay, ApprovalAnswer.forSession());
        asked(belay, 1);
        assertThat(bench.refunds).containsExactly(SMALL);
        assertThat(rules(belay)).containsExactly("refunds", "big");
        decide(belay, ApprovalAnswer.deny(""));
        input.awaitCommit();
        assertThat(bench.refunds).hasSize(1);
    }

    @Test
    void aGrantForCallsThatNoRuleOfAChildIsAboutDoesNotAnswerThoseAboutWhichNoRuleAboveIs() throws Exception {
        bench.delegatingTo("clerk");
        Policy above = Policy.rules(PolicyRule.allow("small").where("/amount", Match.below(100)),
                PolicyRule.allow("delegate").tools("delegate")).otherwise(Verdict.ASK);
        Belay belay = bench.worker(once(SessionBench.call("d", "delegate")),
                builder -> builder.policy(above)
                        .agent("clerk", clerk -> clerk.model(refunding(SMALL, HUGE))
                                .policy(Policy.rules().otherwise(Verdict.ASK))
                                .tools(bench.refunding())));
        InputHandle input = bench.submitBeside(belay);
        asked(belay, 1);
        decide(belay, ApprovalAnswer.forSession());
        asked(belay, 1);
        assertThat(bench.refunds).containsExactly(SMALL);
        decide(belay, ApprovalAnswer.deny(""));
        input.awaitCommit();
        assertThat(bench.refunds).hasSize(1);
    }

    @Test
    void anEditAboutWhichAnotherRuleAsksAsksAgain() throws Exception {
        Belay belay = bench.worker(once(refund("a", SMALL)), builder -> builder.policy(BOTH));
        InputHandle input = bench.ask(belay);
        decide(belay, ApprovalAnswer.edit(Json.of(HUGE)));
        asked(belay, 1);
        assertThat(bench.refunds).isEmpty();
        assertThat(only(belay).request().call().arguments()).isEqualTo(Json.of(HUGE));
        assertThat(only(belay).request().shown()).contains("""
                asked by: rule "big": over 100
                asked again: not approved yet: rule "big": over 100
                """, "refunds 1000000");
        decide(belay, ApprovalAnswer.once());
        assertThat(input.awaitCommit().text()).isEqualTo("done: refunded 1000000");
        assertThat(bench.keys).hasSize(1);
    }

    @Test
    void anEditAboutWhichTheRulesAskThatWereShownRuns() throws Exception {
        Belay belay = bench.worker(once(refund("a", HUGE)), builder -> builder.policy(BOTH));
        InputHandle input = bench.ask(belay);
        decide(belay, ApprovalAnswer.edit(Json.of("{\"amount\":7000}")));
        assertThat(input.awaitCommit().text()).isEqualTo("done: refunded 7000");
    }

    @Test
    void anEditAboutWhichARuleAsksThatIsGrantedRuns() throws Exception {
        Belay belay = worker(Policy.rules(ANY.where("/amount", Match.below(100)), BIG),
                HUGE, SMALL);
        InputHandle input = bench.ask(belay);
        decide(belay, ApprovalAnswer.forSession());
        asked(belay, 1);
        assertThat(rules(belay)).containsExactly("refunds");
        decide(belay, ApprovalAnswer.edit(Json.of(HUGE)));
        input.awaitCommit();
        assertThat(bench.refunds).containsExactly(HUGE, HUGE);
    }

    @Test
    void aRuleThatIsNewWhenTheCallGoesOnAsksAgain() throws Exception {
        Belay first = bench.worker(once(refund("a", HUGE)), builder -> builder.policy(Policy.rules(ANY)));
        bench.ask(first);
        first.close();
        decide(bench.stores.client(), ApprovalAnswer.once());
        Belay second = bench.worker(once(refund("a", HUGE)), builder -> builder.policy(BOTH));
        asked(second, 1);
        assertThat(bench.refunds).isEmpty();
        assertThat(only(second).request().shown())
                .contains("asked again: not approved yet: rule \"big\": over 100\n");
        decide(second, ApprovalAnswer.once());
        assertThat(second.session("s").input("in-1").orElseThrow().awaitCommit().text())
                .isEqualTo("done: refunded 1000000");
    }

    @Test
    void aRuleThatHasChangedWhenTheCallGoesOnAsksAgain() throws Exception {
        Belay first = bench.worker(once(refund("a", HUGE)), builder -> builder.policy(Policy.rules(BIG)));
        bench.ask(first);
        first.close();
        decide(bench.stores.client(), ApprovalAnswer.once());
        Belay second = bench.worker(once(refund("a", HUGE)),
                builder -> builder.policy(Policy.rules(BIG.reason("needs the head of accounting"))));
        asked(second, 1);
        assertThat(only(second).request().shown()).contains("needs the head of accounting");
        assertThat(bench.refunds).isEmpty();
    }

    @Test
    void aToolThatAlwaysAsksShowsTheRulesToo() {
        bench.refund = bench.refund.approval(Approval.ALWAYS);
        Belay belay = worker(BOTH, HUGE);
        bench.ask(belay);
        assertThat(only(belay).request().shown()).contains("""
                asked by: rule "refunds"
                asked by: rule "big": over 100
                asked by: no rule: the tool asks before each call
                """);
    }

    @Test
    void aToolThatHasChangedShowsTheRulesThatAskAboutItsCall() {
        bench.refund = bench.refund.onDefinitionChanged(DefinitionChange.ASK);
        Belay first = bench.worker(once(refund("a", HUGE)), builder -> builder.policy(Policy.rules(ANY)));
        bench.ask(first);
        first.close();
        decide(bench.stores.client(), ApprovalAnswer.once());
        bench.refund = bench.refund.version(2);
        Belay second = bench.worker(once(refund("a", HUGE)), builder -> builder.policy(BOTH));
        asked(second, 1);
        assertThat(only(second).request().shown()).contains("the tool has changed",
                "asked by: rule \"big\": over 100\n");
        assertThat(bench.refunds).isEmpty();
    }
}
