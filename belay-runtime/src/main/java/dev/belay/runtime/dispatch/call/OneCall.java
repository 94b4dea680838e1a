package dev.belay.runtime.dispatch.call;

import dev.belay.BelayException;
import dev.belay.runtime.dispatch.CallView;
import dev.belay.runtime.dispatch.body.BodyCall;
import dev.belay.runtime.dispatch.record.Aftermath;
import dev.belay.runtime.dispatch.record.AttemptRecord;
import dev.belay.runtime.dispatch.record.PlacedCall;
import dev.belay.runtime.dispatch.record.Preparation;
import dev.belay.runtime.dispatch.record.RecordedDoubts;
import dev.belay.runtime.dispatch.record.RecordedOutcome;
import dev.belay.runtime.effect.EffectScope;
import dev.belay.runtime.effect.Resolution;
import dev.belay.runtime.effect.WaitName;
import dev.belay.runtime.policy.ApprovalRequest;
import dev.belay.runtime.policy.ShownText;
import dev.belay.tool.ToolDefinition;
import dev.belay.tool.ToolFailure;
import dev.belay.tool.ToolOutcome;
import dev.belay.tool.call.Arguments;
import dev.belay.tool.call.BodyRunner;
import dev.belay.tool.context.Cancellation;
import dev.belay.tool.context.HostSupplied;
import dev.belay.tool.option.ExclusiveTemplate;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One call in one entry of its scope.
 *
 * @param dispatch how it is run
 * @param scope where it is recorded
 * @param call what was asked for
 * @param events of the call, on their way to the listener
 * @param hooks what hooks leave behind
 */
record OneCall(Dispatch dispatch, EffectScope scope, PlacedCall call, CallEvents events, HookSite hooks) {

    /** So many characters of the arguments stand in a line of the log. */
    private static final int LONGEST = 200;
    private static final Logger LOG = LoggerFactory.getLogger("dev.belay.policy");

    DispatchSettings settings() {
        return dispatch.settings();
    }

    Offered tools() {
        return dispatch.tools();
    }

    /** What running its body needs. */
    BodyCall body(Ready ready) {
        ToolDefinition definition = ready.definition();
        return new BodyCall(definition, call, scope, settings().total(definition), settings().bodies(),
                dispatch.owner(), new Doubted(this, ready), new HostSupplied.Frozen(definition.id(),
                        ready.preparation().arguments(), ready.preparation().payload()),
                events::progress);
    }

    private record Doubted(OneCall call, Ready ready) implements BodyCall.Doubted {

        @Override
        public String guard() {
            return call.guard(ready.preparation());
        }

        @Override
        public @Nullable String resource() {
            return ready.knownResource();
        }

        @Override
        public void opened(String doubt, boolean holds) {
            call.doubted(doubt, holds);
        }
    }

    /**
     * What a person is asked about a call.
     *
     * @param request what the person is shown
     * @param differed how often its preview was another one after an approval
     */
    record Asks(ApprovalRequest request, int differed) {}

    /**
     * A call that its body may run with.
     *
     * @param definition the tool of today
     * @param arguments the final ones
     * @param preparation what is recorded of it
     * @param decided whether a hook, a provider or a person decided more than the request says; recorded before the body then
     * @param asks what a person is asked before its body runs, or null
     */
    record Ready(ToolDefinition definition, Arguments.Valid arguments, Preparation preparation,
            boolean decided, @Nullable Asks asks) {

        /** A call that asks no person. */
        Ready(ToolDefinition definition, Arguments.Valid arguments, Preparation preparation,
                boolean decided) {
            this(definition, arguments, preparation, decided, null);
        }

        /** The same after a person is asked. */
        Ready asking(Asks request) {
            return new Ready(definition, arguments, preparation, decided, request);
        }

        /** The same, allowed by a rule, or by none for null. */
        Ready allowedBy(@Nullable String rule) {
            return rule == null
                    ? this
                    : new Ready(definition, arguments, preparation.allowedBy(rule), decided, null);
        }

        /** The resource that a body takes, or null for none; ends the call if a field is missing. */
        @Nullable
        String resource() throws CallEnded {
            ExclusiveTemplate exclusive = definition.manifest().exclusive();
            try {
                return exclusive == null ? null : exclusive.resolve(preparation.arguments());
            } catch (BelayException e) {
                throw new CallEnded(ToolFailure.ofRuntime(ToolFailure.Kind.INVALID_REQUEST, e.code(),
                        String.valueOf(e.getMessage())));
            }
        }

        /** The same; null if a field is missing. */
        @Nullable
        String knownResource() {
            try {
                return resource();
            } catch (CallEnded missing) {
                return null;
            }
        }
    }

    /** A recorded call with the tool of today; ends the call if they do not fit any more. */
    Ready restore(Preparation recorded, boolean started) throws CallEnded {
        ToolDefinition definition = tools().today(recorded, started);
        return switch (Arguments.of(definition, recorded.arguments())) {
            case Arguments.Valid valid -> new Ready(definition, valid, recorded, false);
            case Arguments.Invalid invalid -> throw new CallEnded(
                    started ? invalid.failure().thatMayHaveHappened() : invalid.failure());
            case Arguments.Malformed malformed -> throw new CallEnded(malformed.failure());
        };
    }

    /** Equal for calls of one family of sessions that would do the same. */
    String guard(Preparation prepared) {
        String family = dispatch.owner().lineage().family();
        return RecordedDoubts.guard(family == null ? call.place().incarnation().toString() : family,
                prepared);
    }

    /** What was accepted for the key of the call, if that was handed out. */
    Optional<ToolOutcome> accepted() {
        return scope.settled(AttemptRecord.COMPLETION).flatMap(RecordedOutcome::said);
    }

    /** Waits until another attempt is due, unless an answer was accepted by then: no further attempt runs after that. */
    void pause(AttemptRecord.Retry failed) {
        if (accepted().isEmpty()) {
            scope.sleepUntil(failed.due());
        }
    }

    /** The end of a call whose key was answered before its own end could be recorded. */
    AttemptRecord answered(Preparation recorded, AttemptRecord unrecorded, Resolution answer) {
        return unrecorded
                .answered(AfterHooks.apply(this, recorded, RecordedOutcome.said(answer).orElseThrow()));
    }

    /** Names the turn, or the process or batch, for people. */
    String where() {
        String session = dispatch.owner().lineage().session();
        return session == null || call.place().turn() == 0
                ? scope.id().toString()
                : "turn " + call.place().turn() + " of session " + session;
    }

    /** Tells how an attempt ended, after its record was written. */
    void recorded(AttemptRecord attempted) {
        recorded(attempted, AttemptRecord.COMPLETION);
    }

    /**
     * The same.
     *
     * @param waits for what it waits, if it does
     */
    void recorded(AttemptRecord attempted, WaitName waits) {
        String doubt = attempted instanceof AttemptRecord.Ended ended
                ? ended.aftermath().doubt()
                : attempted instanceof AttemptRecord.Held held ? held.doubt() : null;
        if (doubt != null) {
            doubted(doubt, attempted instanceof AttemptRecord.Held);
        }
        switch (attempted) {
            case AttemptRecord.Asked asked -> waits("an approval", asked.call(), waits,
                    asked.expires());
            case AttemptRecord.Parked parked ->
                waits("a completion", parked.call(), waits, parked.completion().deadline());
            default -> {
            }
        }
        events.recorded(attempted);
        hooks.told();
    }

    /** Logs that it waits, with the public id of the key that settles it. */
    private void waits(String what, Preparation prepared, WaitName wait, @Nullable Instant until) {
        if (LOG.isInfoEnabled()) {
            String arguments = ShownText.escaped(prepared.arguments().compact());
            LOG.info("Tool {} waits for {}: {} in {}, key {}{}", call.name(), what,
                    arguments.length() <= LONGEST ? arguments : arguments.substring(0, LONGEST) + "...",
                    where(),
                    scope.completionKey(wait).id(), until == null ? "" : ", until " + until);
        }
    }

    /** Tells that it may have happened, after that was recorded. */
    private void doubted(String doubt, boolean holds) {
        RecordedDoubts.warn(call.name(), call.id().value(), where(), doubt);
        events.inDoubt(doubt, holds);
    }

    /** Tells the owner what the call leaves behind; on every entry. */
    void leaves(Aftermath aftermath) {
        if (!aftermath.equals(Aftermath.NONE)) {
            dispatch.owner().note(events.call(), aftermath);
        }
    }

    /** The view of hooks and gate. */
    CallView view(Ready ready) {
        return new CallView(events.call(), ready.definition().manifest(), ready.preparation().arguments(),
                ready.preparation().payload());
    }

    /** Runs code of the tool's author that may throw: a value that fits the output schema, or a failure. */
    static ToolOutcome contained(ToolDefinition definition, Callable<@Nullable Object> code) {
        return switch (BodyRunner.run(definition, Cancellation.NEVER, code)) {
            case BodyRunner.Ended.With(ToolOutcome outcome, var control) -> outcome;
            case BodyRunner.Ended.Parked parked ->
                throw new IllegalArgumentException("only a body can park, found " + parked);
        };
    }
}
