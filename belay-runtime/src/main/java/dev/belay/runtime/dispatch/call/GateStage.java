package dev.belay.runtime.dispatch.call;

import dev.belay.json.Json;
import dev.belay.runtime.dispatch.CallHooks;
import dev.belay.runtime.dispatch.body.Fatal;
import dev.belay.runtime.dispatch.gate.Gate;
import dev.belay.runtime.dispatch.gate.Gating;
import dev.belay.runtime.dispatch.record.AttemptRecord;
import dev.belay.runtime.dispatch.record.Preparation;
import dev.belay.runtime.effect.Effect;
import dev.belay.runtime.policy.ApprovalAnswer.Choice;
import dev.belay.runtime.policy.ApprovalMode;
import dev.belay.runtime.policy.ApprovalRequest;
import dev.belay.runtime.policy.DecidingRule;
import dev.belay.runtime.policy.PolicyDecision;
import dev.belay.schema.JsonSchema;
import dev.belay.tool.ToolDefinition;
import dev.belay.tool.ToolFailure;
import dev.belay.tool.ToolOutcome;
import dev.belay.tool.call.Arguments;
import dev.belay.tool.call.RecordedCall;
import dev.belay.tool.option.Approval;
import dev.belay.tool.option.RetryAdvice;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Stage 6 of a call, and what it does again after a person has answered. It suspends nothing: a call that asks is {@link OneCall.Ready} with
 * its request, which {@link AttemptEffect} records. Confined to the call's thread.
 *
 * @param one the call
 * @param stages run again for arguments that a person has sent
 */
record GateStage(OneCall one, CallStages stages) {

    private static final Logger LOG = LoggerFactory.getLogger("dev.belay.dispatch");
    /** What is offered for a call that may have done something: no other arguments, and no grant. */
    private static final Set<Choice> AFTER_START = Set.of(Choice.ONCE, Choice.ANSWER, Choice.DENY);
    /** So many previews that differ from the one before end a call that would be asked about for ever. */
    private static final int MOST_PREVIEWS = 3;

    /** Guards come before every stage and every policy: a call that does not work is not made again and again. */
    void guard() throws CallEnded {
        Optional<ToolFailure> repeated = one.settings().gate().repeated(one.events().call(), gating());
        if (repeated.isPresent()) {
            throw new CallEnded(repeated.get());
        }
    }

    private Gating gating() {
        return one.dispatch().owner().gating();
    }

    /** 6: the policy allows it. The resource key is made here, before anything is recorded. */
    OneCall.Ready gate(OneCall.Ready prepared) throws CallEnded {
        PolicyDecision decided = undenied(prepared);
        prepared.resource();
        if (unanswered(prepared, decided, List.of()).isEmpty()) {
            Gate.log(decided, one.events().call(), decided.verdict() == PolicyDecision.Verdict.ASK);
            return prepared.allowedBy(decided.rule());
        }
        return asking(prepared, decided, null, offered(prepared));
    }

    private List<DecidingRule> unanswered(OneCall.Ready prepared, PolicyDecision decided,
            List<DecidingRule> shown) {
        return one.settings()
                .gate()
                .unanswered(one.view(prepared), prepared.preparation().fingerprint().value(), decided, shown,
                        gating());
    }

    /** A tool that asks before each call asks again each time, whatever was answered before. */
    private static Set<Choice> offered(OneCall.Ready prepared) {
        return prepared.definition().manifest().approval() == Approval.ALWAYS
                ? EnumSet.of(Choice.ONCE, Choice.EDIT, Choice.ANSWER, Choice.DENY)
                : EnumSet.allOf(Choice.class);
    }

    /** What the policies decide; ends the call if they deny it. */
    private PolicyDecision undenied(OneCall.Ready prepared) throws CallEnded {
        PolicyDecision decided = one.settings().gate().decide(one.view(prepared), gating());
        if (decided.verdict() == PolicyDecision.Verdict.DENY) {
            Gate.log(decided, one.events().call(), false);
            throw new CallEnded(new ToolOutcome.Rejected("denied by " + decided.words()))
                    .noted(new Effect.Note("deny", one.where() + ", call " + one.call().id().value(),
                            details(prepared, decided)));
        }
        return decided;
    }

    private static Json details(OneCall.Ready prepared, PolicyDecision decided) {
        Preparation call = prepared.preparation();
        return Json.write(out -> {
            out.beginObject().name("tool").value(prepared.definition().name());
            if (decided.rule() != null) {
                out.name("rule").value(decided.rule());
            }
            out.name("reason")
                    .value(decided.rules()
                            .stream()
                            .map(DecidingRule::reason)
                            .collect(Collectors.joining("; ")));
            out.name("digest")
                    .value(ApprovalRequest.digest(call.fingerprint().value(), call.arguments(),
                            call.payload(), null));
            out.endObject();
        });
    }

    /** The call with what a person is asked about it; ends it if no person can be asked. */
    private OneCall.Ready asking(OneCall.Ready prepared, PolicyDecision decided, @Nullable Again again,
            Set<Choice> offered) throws CallEnded {
        ToolDefinition definition = prepared.definition();
        if (one.settings().gate().mode() == ApprovalMode.REFUSE) {
            throw new CallEnded(new ToolFailure(ToolFailure.Kind.PERMISSION_DENIED, "approval_denied",
                    "tool " + definition.name() + " needs the approval of a person (" + decided.words()
                            + "), and no person can be asked here",
                    ToolFailure.Source.POLICY, RetryAdvice.NEVER))
                    .noted(new Effect.Note("deny", one.where() + ", call " + one.call().id().value(),
                            details(prepared, decided)));
        }
        List<String> chain = new ArrayList<>(gating().above().stream().map(Gating.Above::session).toList());
        String session = gating().session();
        if (session != null) {
            chain.add(session);
        }
        Preparation call = prepared.preparation();
        JsonSchema output = definition.contract().output();
        return prepared.asking(new OneCall.Asks(ApprovalRequest.of(
                new ApprovalRequest.Call(one.settings().gate().agent(), chain, one.call().place().turn(),
                        one.call().id().value(), definition.name(), definition.manifest().effect(),
                        call.fingerprint().value(), call.arguments(), call.payload()),
                decided, again == null ? null : again.why(),
                again == null ? preview(prepared).text() : again.preview(),
                new ApprovalRequest.Schemas(definition.contract().input().kept(),
                        output == null ? null : output.kept()),
                offered), again == null ? 0 : again.differed()));
    }

    /**
     * Why a person is asked once more.
     *
     * @param why in words
     * @param preview what the tool says now, or null
     * @param differed how often that was something else after an approval
     */
    private record Again(String why, @Nullable String preview, int differed) {}

    /**
     * What the tool says that the call would do.
     *
     * @param text null if it says nothing
     * @param threw whether that is because it threw
     */
    private record Preview(@Nullable String text, boolean threw) {}

    /** A preview that throws says nothing; the arguments are shown all the same. */
    private Preview preview(OneCall.Ready prepared) {
        RecordedCall.Preview preview = prepared.definition().preview().orElse(null);
        if (preview == null) {
            return new Preview(null, false);
        }
        try {
            return new Preview(preview.of(prepared.preparation().arguments()), false);
        } catch (Throwable e) {
            Fatal.rethrow(e);
            LOG.warn("The preview of tool {} threw", prepared.definition().name(), e);
            return new Preview(null, true);
        }
    }

    /**
     * A call that a person has approved, with the tool and the policy of today. It asks again if rules ask that the person was not shown, and if its
     * preview is not the one that the person has read; a preview that throws is another one.
     *
     * @param begun whether its body may have run: then its preview may be another one because of that
     * @param at when it was approved, if that is known
     */
    OneCall.Ready approved(AttemptRecord.Asked asked, boolean begun, Optional<Instant> at) throws CallEnded {
        admit();
        OneCall.Ready today = one.restore(asked.call(), false);
        PolicyDecision decided = undenied(today);
        if (begun ? isOld(at) : isOld(at, today, decided)) {
            return askingAgain(today, decided, asked.differed(), begun ? AFTER_START : offered(today));
        }
        return begun
                ? answered(today, decided, asked, AFTER_START)
                : described(today, asked, decided);
    }

    /** Asks again if rules ask that the person was not shown and that no grant covers. */
    private OneCall.Ready answered(OneCall.Ready today, PolicyDecision decided, AttemptRecord.Asked asked,
            Set<Choice> offered) throws CallEnded {
        List<DecidingRule> open = unanswered(today, decided, asked.rules());
        return open.isEmpty()
                ? decided(today)
                : asking(today, decided, new Again("not approved yet: " + new PolicyDecision(
                        PolicyDecision.Verdict.ASK, open).words(),
                        preview(today).text(), asked.differed()), offered);
    }

    /** Whether an approval does not count any more. */
    private boolean isOld(Optional<Instant> at) {
        Instant now = one.settings().bodies().time().now();
        return at.filter(given -> now.isAfter(given.plus(one.settings().gate().holds()))).isPresent();
    }

    /** The same for a call that needs it: a rule asks, and no grant covers the call. */
    private boolean isOld(Optional<Instant> at, OneCall.Ready today, PolicyDecision decided) {
        return isOld(at) && !unanswered(today, decided, List.of()).isEmpty();
    }

    private OneCall.Ready askingAgain(OneCall.Ready today, PolicyDecision decided, int differed,
            Set<Choice> offered) throws CallEnded {
        return asking(today, asks(decided, "age", "the approval was too old"),
                new Again(
                        "it was approved more than " + one.settings().gate().holds()
                                + " before it could begin",
                        preview(today).text(), differed),
                offered);
    }

    /** Asks again if the preview is not the one that the person has read. */
    private OneCall.Ready described(OneCall.Ready today, AttemptRecord.Asked asked, PolicyDecision decided)
            throws CallEnded {
        Preview now = preview(today);
        Preparation call = asked.call();
        if (!now.threw() && ApprovalRequest
                .digest(call.fingerprint().value(), call.arguments(), call.payload(), now.text())
                .equals(asked.digest())) {
            return answered(today, decided, asked, offered(today));
        }
        if (!isPreparedSo(today)) {
            throw mismatch(today, "since a person was asked, what it was prepared with has changed");
        }
        int differed = asked.differed() + 1;
        if (differed == MOST_PREVIEWS) {
            throw mismatch(today,
                    MOST_PREVIEWS + " times a person approved it, and each time it would have done"
                            + " something else than the person had read");
        }
        return asking(today, asks(decided, "preview", "what the call would do is described otherwise"),
                new Again(now.threw()
                        ? "the tool cannot say any more what the call would do"
                        : "what the tool says about the call has changed since it was approved",
                        now.text(), differed),
                offered(today));
    }

    /** Whether the provider would freeze the same today: what a person is asked about again must be able to run. */
    private boolean isPreparedSo(OneCall.Ready today) {
        try {
            Preparation now = stages.prepare(today.definition(), today.arguments(), false).preparation();
            return now.arguments().equals(today.preparation().arguments())
                    && Objects.equals(now.payload(), today.preparation().payload());
        } catch (CallEnded refused) {
            return false;
        }
    }

    private static CallEnded mismatch(OneCall.Ready today, String why) {
        return new CallEnded(ToolFailure.ofRuntime(ToolFailure.Kind.UNAVAILABLE, "prepared_tool_mismatch",
                "tool " + today.definition().name() + " was not run: " + why
                        + "; look again, and make a new call if it is still wanted"));
    }

    /** The decision of rules that ask; if none asks, another reason to ask. */
    private static PolicyDecision asks(PolicyDecision decided, String rule, String reason) {
        return decided.verdict() == PolicyDecision.Verdict.ASK ? decided : PolicyDecision.ask(rule, reason);
    }

    /** The tool is still offered, and no member less: a change of membership that waits for the next round counts here. */
    private ToolDefinition admit() throws CallEnded {
        ToolDefinition definition = stages.admit();
        if (gating().isTaken(definition.name())) {
            throw new CallEnded(ToolFailure.ofRuntime(ToolFailure.Kind.UNAVAILABLE, "tool_unavailable",
                    "tool " + definition.name() + " was taken from the session while a person was asked"));
        }
        return definition;
    }

    private static OneCall.Ready decided(OneCall.Ready ready) {
        return new OneCall.Ready(ready.definition(), ready.arguments(), ready.preparation(), true);
    }

    /** A call that a person has approved with other arguments: it is inspected, prepared and decided about anew. */
    OneCall.Ready edited(AttemptRecord.Asked asked, Json arguments, Optional<Instant> at) throws CallEnded {
        ToolDefinition definition = admit();
        one.tools().today(asked.call(), false);
        inspect(definition, arguments);
        OneCall.Ready prepared = stages.prepare(definition,
                stages.validate(Arguments.of(definition, arguments)), true);
        PolicyDecision decided = undenied(prepared);
        prepared.resource();
        Preparation now = prepared.preparation();
        if (isOld(at, prepared, decided)) {
            return askingAgain(prepared, decided, asked.differed(), offered(prepared));
        }
        return now.arguments().equals(arguments) && Objects.equals(now.payload(), asked.call().payload())
                ? answered(prepared, decided, asked, offered(prepared))
                : asking(prepared, asks(decided, "edited", "what was prepared is not what was sent"), null,
                        offered(prepared));
    }

    /** Lets hooks look at arguments that a person has sent: they may end the call, and change nothing. */
    private void inspect(ToolDefinition definition, Json arguments) throws CallEnded {
        CallHooks hooks = one.dispatch().hooks();
        if (!hooks.equals(CallHooks.NONE)
                && stages.verdict(definition, arguments, one.hooks().inspecting(definition),
                        hooks::inspect) instanceof CallHooks.Verdict.End(ToolOutcome outcome)) {
            throw new CallEnded(outcome);
        }
    }

    /** A call whose tool has changed since it was recorded, with what a person is asked about that. It may have done something, so it is not edited. */
    OneCall.Ready changed(Preparation recorded, ToolDefinition today) throws CallEnded {
        var anew = new Preparation(today.id(), today.fingerprint(), recorded.arguments(), recorded.payload());
        OneCall.Ready ready = new OneCall.Ready(today,
                stages.validate(Arguments.of(today, recorded.arguments())),
                anew, true);
        var changed = new PolicyDecision(PolicyDecision.Verdict.ASK, null,
                "the tool has changed since this call was recorded", today.fingerprint().value());
        return asking(ready, changed.orStricter(undenied(ready)), null, AFTER_START);
    }
}
