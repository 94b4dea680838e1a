package dev.belay.runtime.dispatch.call;

import dev.belay.json.Json;
import dev.belay.runtime.dispatch.CallHooks;
import dev.belay.runtime.dispatch.body.Fatal;
import dev.belay.runtime.dispatch.gate.Gate;
import dev.belay.runtime.dispatch.gate.Gating;
import dev.belay.runtime.dispatch.record.Preparation;
import dev.belay.runtime.effect.Effect;
import dev.belay.runtime.policy.ApprovalAnswer.Choice;
import dev.belay.runtime.policy.ApprovalMode;
import dev.belay.runtime.policy.ApprovalRequest;
import dev.belay.runtime.policy.PolicyDecision;
import dev.belay.schema.JsonSchema;
import dev.belay.tool.ToolDefinition;
import dev.belay.tool.ToolFailure;
import dev.belay.tool.ToolOutcome;
import dev.belay.tool.call.Arguments;
import dev.belay.tool.call.RecordedCall;
import dev.belay.tool.option.Approval;
import dev.belay.tool.option.RetryAdvice;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
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
        if (decided.verdict() == PolicyDecision.Verdict.ALLOW) {
            Gate.log(decided, one.events().call(), false);
            return prepared.allowedBy(decided.rule());
        }
        if (one.settings()
                .gate()
                .isGranted(one.view(prepared), prepared.preparation().fingerprint().value(), decided,
                        gating())) {
            Gate.log(decided, one.events().call(), true);
            return prepared.allowedBy(decided.rule());
        }
        return asking(prepared, decided, offered(prepared));
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
            out.name("reason").value(decided.reason());
            out.name("digest")
                    .value(ApprovalRequest.digest(call.fingerprint().value(), call.arguments(),
                            call.payload()));
            out.endObject();
        });
    }

    /** The call with what a person is asked about it; ends it if no person can be asked. */
    private OneCall.Ready asking(OneCall.Ready prepared, PolicyDecision decided, Set<Choice> offered)
            throws CallEnded {
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
        return prepared.asking(ApprovalRequest.of(
                new ApprovalRequest.Call(one.settings().gate().agent(), chain, one.call().place().turn(),
                        one.call().id().value(), definition.name(), definition.manifest().effect(),
                        call.fingerprint().value(), call.arguments(), call.payload()),
                decided, preview(prepared),
                new ApprovalRequest.Schemas(definition.contract().input().kept(),
                        output == null ? null : output.kept()),
                offered));
    }

    /** What the tool says that the call would do; a preview that throws says nothing, and the arguments are shown all the same. */
    private @Nullable String preview(OneCall.Ready prepared) {
        RecordedCall.Preview preview = prepared.definition().preview().orElse(null);
        if (preview == null) {
            return null;
        }
        try {
            return preview.of(prepared.preparation().arguments());
        } catch (Throwable e) {
            Fatal.rethrow(e);
            LOG.warn("The preview of tool {} threw", prepared.definition().name(), e);
            return null;
        }
    }

    /** A call that a person has approved, with the tool and the policy of today. */
    OneCall.Ready approved(Preparation asked) throws CallEnded {
        admit();
        OneCall.Ready today = one.restore(asked, false);
        undenied(today);
        return decided(today);
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
    OneCall.Ready edited(Preparation asked, Json arguments) throws CallEnded {
        ToolDefinition definition = admit();
        one.tools().today(asked, false);
        inspect(definition, arguments);
        OneCall.Ready prepared = stages.prepare(definition,
                stages.validate(Arguments.of(definition, arguments)), true);
        PolicyDecision decided = undenied(prepared);
        prepared.resource();
        Preparation now = prepared.preparation();
        return now.arguments().equals(arguments) && Objects.equals(now.payload(), asked.payload())
                ? decided(prepared)
                : asking(prepared, decided.verdict() == PolicyDecision.Verdict.ASK
                        ? decided
                        : PolicyDecision.ask("edited", "what was prepared is not what was sent"),
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
        undenied(ready);
        return asking(ready, new PolicyDecision(PolicyDecision.Verdict.ASK, null,
                "the tool has changed since this call was recorded", today.fingerprint().value()),
                EnumSet.of(Choice.ONCE, Choice.ANSWER, Choice.DENY));
    }
}
