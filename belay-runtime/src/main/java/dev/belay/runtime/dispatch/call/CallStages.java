package dev.belay.runtime.dispatch.call;

import dev.belay.json.Json;
import dev.belay.json.JsonLimits;
import dev.belay.runtime.dispatch.CallHooks;
import dev.belay.runtime.dispatch.CallView;
import dev.belay.runtime.dispatch.body.Fatal;
import dev.belay.runtime.dispatch.record.Preparation;
import dev.belay.tool.ToolDefinition;
import dev.belay.tool.ToolFailure;
import dev.belay.tool.ToolOutcome;
import dev.belay.tool.call.Arguments;
import dev.belay.tool.call.PrepareCall;
import java.util.Objects;
import java.util.function.BiFunction;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Stages 1 to 6 of a call. {@link AttemptEffect} runs them if nothing of the call is recorded. Confined to the call's thread. */
final class CallStages {

    private static final Logger LOG = LoggerFactory.getLogger("dev.belay.tool.hook");

    private final OneCall one;

    CallStages(OneCall one) {
        this.one = one;
    }

    /** Takes the call up to its gate; each stage may end it. */
    OneCall.Ready run() throws CallEnded {
        new GateStage(one, this).guard();
        ToolDefinition definition = admit();
        Arguments decoded = decode(definition);
        Hooked hooked = beforeHooks(definition, decoded);
        Arguments.Valid valid = validate(hooked.arguments());
        OneCall.Ready prepared = prepare(definition, valid, hooked.edited());
        return new GateStage(one, this).gate(prepared);
    }

    /** 1: the name is offered. */
    ToolDefinition admit() throws CallEnded {
        return one.tools().admit(one.call().name());
    }

    /** 2: the text is JSON. A typed tool is checked in the same pass; what is wrong with it is said at stage 4. */
    private Arguments decode(ToolDefinition definition) throws CallEnded {
        Arguments decoded = one.tools().provider() instanceof DispatchSettings.DecodedTool tool
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

    /** 3: plugins may edit the arguments or end the call. Their decision is recorded with the first attempt. */
    private Hooked beforeHooks(ToolDefinition definition, Arguments decoded) throws CallEnded {
        CallHooks hooks = one.dispatch().hooks();
        if (hooks.equals(CallHooks.NONE)) {
            return new Hooked(decoded, false);
        }
        String text = one.call().arguments();
        Json arguments = text.isBlank() ? Json.EMPTY_OBJECT : Json.of(text, JsonLimits.ARGUMENTS);
        return switch (verdict(definition, arguments, one.hooks().before(definition))) {
            case CallHooks.Verdict.End(ToolOutcome outcome) -> throw new CallEnded(outcome);
            case CallHooks.Verdict.Proceed(Json same) when same.equals(arguments) ->
                new Hooked(decoded, false);
            case CallHooks.Verdict.Proceed(Json edited) ->
                new Hooked(Arguments.of(definition, edited), true);
        };
    }

    private CallHooks.Verdict verdict(ToolDefinition definition, Json arguments, CallHooks.Site site)
            throws CallEnded {
        return verdict(definition, arguments, site, one.dispatch().hooks()::before);
    }

    CallHooks.Verdict verdict(ToolDefinition definition, Json arguments, CallHooks.Site site,
            BiFunction<CallView, CallHooks.Site, CallHooks.Verdict> hooks) throws CallEnded {
        try {
            return Objects.requireNonNull(hooks.apply(
                    new CallView(one.events().call(), definition.manifest(), arguments, null), site),
                    "a hook returned null");
        } catch (Throwable e) {
            Fatal.rethrow(e);
            LOG.warn("A hook threw before tool {}", definition.name(), e);
            throw new CallEnded(CallHooks.failedBefore(definition));
        }
    }

    /** The arguments after the hooks, and whether these have edited them. */
    private record Hooked(Arguments arguments, boolean edited) {}

    /** 4: the arguments fit the schema. */
    Arguments.Valid validate(Arguments arguments) throws CallEnded {
        return switch (arguments) {
            case Arguments.Valid valid -> valid;
            case Arguments.Invalid(ToolFailure failure) -> throw new CallEnded(failure);
            case Arguments.Malformed(ToolFailure failure) -> throw new CallEnded(failure);
        };
    }

    /** 5: the provider may replace arguments and freeze a payload. */
    OneCall.Ready prepare(ToolDefinition definition, Arguments.Valid valid, boolean edited)
            throws CallEnded {
        PrepareCall.Prepared prepared;
        Arguments.Valid effective;
        try {
            prepared = one.tools()
                    .provider()
                    .prepare(new PrepareCall(definition, one.call().id(), valid,
                            one.dispatch().owner().inputs()));
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
}
