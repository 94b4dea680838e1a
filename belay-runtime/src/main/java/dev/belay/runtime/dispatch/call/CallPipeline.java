package dev.belay.runtime.dispatch.call;

import dev.belay.BelayException;
import dev.belay.json.Json;
import dev.belay.runtime.dispatch.CallGate;
import dev.belay.runtime.dispatch.body.Fatal;
import dev.belay.runtime.effect.EffectScope;
import dev.belay.tool.ToolDefinition;
import dev.belay.tool.ToolException;
import dev.belay.tool.ToolFailure;
import dev.belay.tool.ToolOutcome;
import dev.belay.tool.call.Arguments;
import dev.belay.tool.call.PrepareCall;
import java.util.Objects;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One call, from what the model said to how it ended.
 *
 * <p><b>Concurrency.</b> Confined to the thread of the call's scope. <b>Durability.</b> Stages 1 to 6 run inside the first
 * attempt's effect, so that what they decide is recorded with it and asked once. <b>Recovery.</b> The whole line is entered
 * again from the top; what is recorded is answered, and an answer leads to the same next effect.
 */
public final class CallPipeline {

    private static final Logger LOG = LoggerFactory.getLogger("dev.belay.dispatch");

    private final OneCall one;

    public CallPipeline(OneCall one) {
        this.one = one;
    }

    /** Takes the call through its stages; each may end it. */
    public ToolOutcome run() {
        AttemptRecord attempted = attempt();
        ToolOutcome outcome = afterHooks(attempted);
        return project(outcome);
    }

    /** Stages 1 to 6, if nothing of the call is recorded. */
    private OneCall.Ready upToTheGate() throws CallEnded {
        ToolDefinition definition = admit();
        Arguments decoded = decode(definition);
        BeforeHooks.Hooked hooked = beforeHooks(definition, decoded);
        Arguments.Valid valid = validate(hooked.arguments());
        OneCall.Ready prepared = prepare(definition, valid, hooked.edited());
        return gate(prepared);
    }

    /** 1: the name is offered. */
    private ToolDefinition admit() throws CallEnded {
        return one.settings().offered().admit(one.call().name());
    }

    /** 2: the text is JSON. A typed tool is checked in the same pass; what is wrong with it is said at stage 4. */
    private Arguments decode(ToolDefinition definition) throws CallEnded {
        Arguments decoded = one.settings().provider() instanceof DispatchSettings.DecodedTool tool
                ? tool.decoded()
                : null;
        if (decoded != null) {
            return decoded;
        }
        Arguments read = one.call().cut()
                ? Arguments.cut(definition.name())
                : definition.arguments(one.call().arguments());
        if (read instanceof Arguments.Malformed(ToolFailure failure)) {
            throw new CallEnded(failure);
        }
        return read;
    }

    /** 3: plugins may edit the arguments or end the call. */
    private BeforeHooks.Hooked beforeHooks(ToolDefinition definition, Arguments decoded) throws CallEnded {
        return BeforeHooks.apply(one, definition, decoded);
    }

    /** 4: the arguments fit the schema. */
    private Arguments.Valid validate(Arguments arguments) throws CallEnded {
        return switch (arguments) {
            case Arguments.Valid valid -> valid;
            case Arguments.Invalid(ToolFailure failure) -> throw new CallEnded(failure);
            case Arguments.Malformed(ToolFailure failure) -> throw new CallEnded(failure);
        };
    }

    /** 5: the provider may replace arguments and freeze a payload. */
    private OneCall.Ready prepare(ToolDefinition definition, Arguments.Valid valid, boolean edited)
            throws CallEnded {
        PrepareCall.Prepared prepared;
        Arguments.Valid effective;
        try {
            prepared = one.prepare(definition, valid);
            Json replaced = prepared.replaced();
            effective = replaced == null ? valid : Arguments.require(definition, replaced);
        } catch (Throwable e) {
            Fatal.rethrow(e);
            throw new CallEnded(OneCall.contained(definition, () -> {
                throw e instanceof Exception exception ? exception : new IllegalStateException(e);
            }));
        }
        boolean decided = edited || prepared.replaced() != null || prepared.payload() != null;
        return new OneCall.Ready(definition, effective, new Preparation(definition.id(),
                definition.fingerprint(), effective.json(), prepared.payload()), decided);
    }

    /** 6: the policy allows it. The resource key is made here, before anything is recorded. */
    private OneCall.Ready gate(OneCall.Ready prepared) throws CallEnded {
        CallGate.Verdict verdict;
        try {
            verdict = Objects.requireNonNull(one.settings().gate().decide(one.view(prepared)),
                    "a gate returned null");
        } catch (Throwable e) {
            Fatal.rethrow(e);
            LOG.warn("The gate threw at tool {}; the call is refused", prepared.definition().name(), e);
            verdict = new CallGate.Verdict.Refuse(
                    new ToolOutcome.Rejected("nobody could decide whether this call is allowed"));
        }
        prepared.resource();
        return switch (verdict) {
            case CallGate.Verdict.Refuse(ToolOutcome outcome) -> throw new CallEnded(outcome);
            case CallGate.Verdict.Allow(boolean approved) -> new OneCall.Ready(prepared.definition(),
                    prepared.arguments(), prepared.preparation(), prepared.decided() || approved);
        };
    }

    /** 7: the body, as often as it takes. */
    private AttemptRecord attempt() {
        AttemptRecord.Retry failed = null;
        for (int number = 1;; number++) {
            var effect = new AttemptEffect(one, number, failed, this::upToTheGate);
            AttemptRecord attempted = recorded(effect);
            if (attempted instanceof AttemptRecord.Entered entered) {
                return new ResumableBody(one, entered, effect.held()).run();
            }
            if (!(attempted instanceof AttemptRecord.Retry retry)) {
                return attempted;
            }
            one.scope().sleepUntil(retry.due());
            failed = retry;
        }
    }

    /** An attempt in doubt is recorded as a failure of the effect itself. */
    private AttemptRecord recorded(AttemptEffect effect) {
        try {
            AttemptRecord attempted = one.scope().run(effect);
            one.settings().told().forgetStart(one.events().call());
            return attempted;
        } catch (ToolException doubt) {
            var outcome = new ToolOutcome.Failure(doubt.failure());
            if (effect.performed()) {
                one.events().finished(outcome);
            }
            return new AttemptRecord.Ended(outcome);
        } catch (BelayException unwritten) {
            EffectScope.Held held = effect.held();
            if (held != null) {
                held.release().run();
            }
            throw unwritten;
        }
    }

    /** 8: plugins may replace the result. Those of a body that returned have done so within its attempt. */
    private ToolOutcome afterHooks(AttemptRecord attempted) {
        return switch (attempted) {
            case AttemptRecord.Ended ended -> one.ended(ended);
            case AttemptRecord.Parked parked -> {
                ToolOutcome outcome = new Completion(one, parked).await();
                if (one.settings().told().first(one.events().call())) {
                    one.events().finished(outcome);
                }
                yield outcome;
            }
            case AttemptRecord.Retry retry -> throw new IllegalStateException("attempts go on: " + retry);
            case AttemptRecord.Entered entered ->
                throw new IllegalStateException("a body goes on: " + entered);
        };
    }

    /** 9: what the caller sees of it. */
    private ToolOutcome project(ToolOutcome outcome) {
        try {
            return Objects.requireNonNull(
                    one.settings().projection().project(one.events().call(), outcome),
                    "a projection returned null");
        } catch (Throwable e) {
            Fatal.rethrow(e);
            LOG.warn("A projection threw at tool {}; the whole outcome is shown", one.call().name(), e);
            return outcome;
        }
    }
}
