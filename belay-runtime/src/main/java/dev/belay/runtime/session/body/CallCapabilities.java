package dev.belay.runtime.session.body;

import dev.belay.json.Json;
import dev.belay.model.MessageJson;
import dev.belay.model.ModelException;
import dev.belay.model.ModelRequest;
import dev.belay.model.ModelResponse;
import dev.belay.model.Usage;
import dev.belay.runtime.dispatch.CallReference;
import dev.belay.runtime.dispatch.body.CallOwner;
import dev.belay.runtime.dispatch.body.Stoppable;
import dev.belay.runtime.process.ProcessEventsCapability;
import dev.belay.runtime.process.ProcessesCapability;
import dev.belay.runtime.session.SessionsCapability;
import dev.belay.runtime.session.TurnSettings;
import dev.belay.runtime.session.asking.AskedModel;
import dev.belay.runtime.session.asking.ModelChoice;
import dev.belay.runtime.session.state.TurnSpending;
import dev.belay.runtime.session.turn.TurnView;
import dev.belay.tool.ToolContext;
import dev.belay.tool.ToolEffect;
import dev.belay.tool.ToolException;
import dev.belay.tool.context.DirectModel;
import dev.belay.tool.context.DurableEffects;
import dev.belay.tool.context.HostValues;
import dev.belay.tool.context.StateAccess;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The context of a call in a session: the call's own context, and the session around it. Thread-safe, as contexts are; after the
 * call has ended everything throws {@code call_ended}, because the context within does.
 */
final class CallCapabilities extends WrappedContext implements Stoppable {

    private static final String RESPONSE = "response";
    private static final String SPENT = "spent";

    private final SessionBodies around;
    private final TurnView turn;
    private final CallReference call;
    private final CallOwner.Left left;
    private final AtomicInteger questions = new AtomicInteger();
    private final CallSessions sessions;
    private final StateAccess states;
    private final ProcessesCapability processes;

    CallCapabilities(SessionBodies around, TurnView turn, CallReference call, ToolContext within,
            CallOwner.Left left) {
        super(within);
        this.around = around;
        this.turn = turn;
        this.call = call;
        this.left = left;
        states = new CallStates(turn.states().apply(call), within, left);
        sessions = new CallSessions(around, turn, call, this, left);
        processes = around.processes().of(turn.session(), new TurnStarter(around, turn, call, left), within);
    }

    @Override
    public SessionsCapability sessions() {
        within.callId();
        return sessions;
    }

    @Override
    public StateAccess state() {
        within.callId();
        return states;
    }

    @Override
    public ProcessesCapability processes() {
        within.callId();
        return processes;
    }

    @Override
    public ProcessEventsCapability processEvents() {
        within.callId();
        return (type, payload) -> {
            throw CallOwner.noProcess(type);
        };
    }

    @Override
    public void stopped(String reason) {
        sessions.stopped(reason);
    }

    /** Steps, if the body is resumable. */
    @Nullable
    DurableEffects steps() {
        try {
            return within.durable();
        } catch (ToolException e) {
            if (e.failure().code().equals("durable_effects_unavailable")) {
                return null;
            }
            throw e;
        }
    }

    /** Asks a model. Part of the attempt in a plain body; a step in a resumable one. */
    @Override
    public DirectModel model() {
        within.callId();
        return (request, source) -> {
            DurableEffects steps = steps();
            int number = questions.incrementAndGet();
            if (steps == null) {
                ModelResponse response = ask(request);
                spent(request, response.usage());
                return response;
            }
            String key = request.replayKey();
            Json recorded = steps.run(step(key, number),
                    Json.string(source), ToolEffect.READ, unused -> answered(request, ask(request)));
            left.spent(recorded.get(SPENT).orElseThrow());
            return MessageJson.response(recorded.get(RESPONSE).orElseThrow());
        };
    }

    /** An answer as a step records it: with what it cost when it was given. */
    private Json answered(DirectModel.DirectRequest request, ModelResponse response) {
        return Json.write(out -> {
            out.beginObject();
            MessageJson.write(out.name(RESPONSE), response);
            out.name(SPENT).value(spending(request, response.usage())).endObject();
        });
    }

    /** Keys that look like numbers stand apart from the numbers of questions without a key. */
    private static String step(@Nullable String key, int number) {
        if (key == null) {
            return "model/" + number;
        }
        return key.chars().allMatch(Character::isDigit) ? "model/key/" + key : "model/" + key;
    }

    /** Leaves what was used to the turn, with the call. */
    private void spent(DirectModel.DirectRequest request, Usage usage) {
        left.spent(spending(request, usage));
    }

    private Json spending(DirectModel.DirectRequest request, Usage usage) {
        String own = request.model();
        String name = own == null ? turn.config().modelName() : own;
        return TurnSpending.left(name, usage, around.models().cost(name, usage));
    }

    private ModelResponse ask(DirectModel.DirectRequest request) {
        ModelChoice choice = CallSessions.known(() -> turn.config()
                .choice(new TurnSettings(request.model(), request.variant(), request.generation(),
                        OptionalLong.empty(), null, null)));
        var model = CallSessions.known(() -> around.models().model(choice.model()));
        ModelRequest asked = ModelRequest.builder(ShownAttachments.in(request, within.attachments()))
                .output(request.output())
                .generation(choice.generation())
                .build();
        choice.requireFits(asked, around.models().family(choice.model()));
        try {
            return AskedModel.answer(model, asked, request.listener());
        } catch (AskedModel.HearingFailure e) {
            throw e.thrown();
        } catch (ModelException e) {
            if (!e.usage().equals(Usage.NONE)) {
                spent(request, e.usage());
            }
            throw e;
        }
    }

    @Override
    public HostValues hostValues() {
        HostValues own = turn.supplies().apply(call);
        return own == null ? super.hostValues() : own;
    }
}
