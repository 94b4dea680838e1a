package dev.belay.runtime.session;

import dev.belay.json.Json;
import dev.belay.model.Message;
import dev.belay.model.MessageLog;
import dev.belay.model.Model;
import dev.belay.model.ModelRequest;
import dev.belay.model.ModelResponse;
import dev.belay.model.Part.CallPart;
import dev.belay.runtime.catalog.ToolCatalog;
import dev.belay.runtime.dispatch.Aftermath;
import dev.belay.runtime.dispatch.CallReference;
import dev.belay.runtime.dispatch.CallRequest;
import dev.belay.runtime.dispatch.ToolBatch;
import dev.belay.runtime.dispatch.ToolDispatcher;
import dev.belay.runtime.effect.EffectScope;
import dev.belay.runtime.effect.LateResult;
import dev.belay.runtime.effect.OutcomeJson;
import dev.belay.runtime.effect.ScopeInput;
import dev.belay.runtime.process.ProcessNotice;
import dev.belay.runtime.store.Arrival;
import dev.belay.runtime.store.Arrived;
import dev.belay.runtime.store.TurnCommit;
import dev.belay.tool.CallId;
import dev.belay.tool.FramedHash;
import dev.belay.tool.ToolOutcome;
import dev.belay.tool.TurnControl;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * One turn, from its input to its commit: asks the model, runs the calls, and again, until something ends it.
 *
 * <p><b>Concurrency.</b> One object for each entry into the turn's scope, confined to its thread; calls have their own.
 * <b>Durability.</b> Each round is one record, each call has its own, and the commit ends the scope in the same write.
 * <b>Recovery.</b> The whole loop is entered again from the top; what is recorded is answered, so that the same messages come
 * about, and the first thing that is not recorded is done now.
 */
final class TurnLoop {

    private final SessionEngine engine;
    private final EffectScope scope;
    private final TurnStart start;
    private final SessionImage image;
    private final TurnState state;
    private final SessionStream stream;
    private final TurnTools tools;
    private final Map<Integer, Aftermath> left = new ConcurrentHashMap<>();
    private String previous = "";
    private int round;
    /** The last round whose commands were carried out. */
    private int applied;
    private volatile ToolDispatcher dispatcher;

    TurnLoop(SessionEngine engine, EffectScope scope, TurnStart start) {
        this.engine = engine;
        this.scope = scope;
        this.start = start;
        image = engine.images()
                .before(start, scope.fence().value())
                .instructed(engine.settings().instructions());
        state = new TurnState(start, image);
        stream = engine.streams().of(start.session());
        tools = new TurnTools(engine.liveTools(start.session()), image.state());
        dispatcher = engine.dispatcher(tools.catalog(), stream, this);
    }

    /** Runs the turn; what it returns is the scope's result and was committed with it. */
    Json run() {
        while (true) {
            round++;
            RoundRecord record = scope.run(new RoundEffect(this, round, previous));
            state.apply(record);
            if (applied == round) {
                ModelResponse reply = record.reply();
                tell(new TurnEvent.RoundEnded(start.turn(), round,
                        reply == null ? record.lost() : record.lost().plus(reply.usage())));
            } else {
                commands(record.joined());
                dispatcher = engine.dispatcher(tools.catalog(), stream, this);
            }
            TurnEnd end = record.end();
            if (end != null) {
                return commit(end);
            }
            TurnEnd ended = calls();
            if (ended != null) {
                return commit(ended);
            }
        }
    }

    /** Runs the calls of the last message; how one of them ends the turn, or null. */
    private @Nullable TurnEnd calls() {
        left.clear();
        List<CallPart> asked = ((Message.AssistantMessage) state.messages().getLast()).calls();
        var requests = new ArrayList<CallRequest>(asked.size());
        asked.forEach(call -> requests.add(
                new CallRequest(new CallId(call.id()), call.name(), call.arguments())));
        List<ToolOutcome> outcomes = dispatcher.dispatch(scope,
                new ToolBatch(start.incarnation(), start.turn(), round, requests));
        state.apply(outcomes);
        TurnEnd end = null;
        for (int i = 0; i < outcomes.size(); i++) {
            Aftermath aftermath = left.getOrDefault(i, Aftermath.NONE);
            aftermath.changes().forEach(change -> tools.apply(ToolCommand.of(change)));
            if (end == null && aftermath.control() != TurnControl.GO_ON) {
                end = ended(aftermath.control(), asked.get(i).name(), outcomes.get(i));
            }
        }
        return end;
    }

    /** The first call in the model's order that wants to end the turn does. */
    private static TurnEnd ended(TurnControl control, String tool, ToolOutcome outcome) {
        if (control == TurnControl.FINISH && outcome instanceof ToolOutcome.Success(Json value)) {
            return new TurnEnd.Finished("", value);
        }
        return new TurnEnd.Stopped(TurnEnd.Cause.TOOL_ERROR, "tool " + tool + " ended the turn: "
                + outcome.text(),
                Json.write(out -> out.beginObject()
                        .name("tool")
                        .value(tool)
                        .name("code")
                        .value(outcome.code().orElse(""))
                        .endObject()));
    }

    /** A call leaves something behind; told again on every entry. */
    void note(CallReference call, Aftermath aftermath) {
        left.put(call.index(), aftermath);
    }

    /** Runs one of the calls, as a child of the scope. */
    Json call(EffectScope child, ScopeInput input) {
        return OutcomeJson.of(dispatcher.call(child, input));
    }

    private Json commit(TurnEnd end) {
        TurnResult result = TurnCommits.result(start, state, end);
        TurnCommit commit = TurnCommits.of(start, state, result, tools.saved());
        for (String token : state.settles()) {
            scope.run(new NotifyEffect(engine.host(), token, commit.result()));
        }
        scope.endWith((claim, ignored, at) -> engine.commit(claim, commit, at, () -> {
            Json left = commit.state() == null ? image.state() : commit.state();
            engine.images().put(start.session(), image.after(state.messages(), left));
            stream.tell(new TurnEvent.Committed(start.turn(), result));
        }));
        return commit.result();
    }

    /** A round is known, from its record or because it was just made. */
    void recorded(Json record) {
        previous = new FramedHash().add(record.text()).hex();
    }

    EffectScope scope() {
        return scope;
    }

    TurnStart start() {
        return start;
    }

    TurnState state() {
        return state;
    }

    TurnTools tools() {
        return tools;
    }

    TurnBounds bounds() {
        return engine.settings().bounds();
    }

    Instant now() {
        return engine.now();
    }

    void tell(TurnEvent event) {
        stream.tell(event);
    }

    boolean isClosing() {
        return engine.host().isClosing();
    }

    void pause(Duration wait) {
        engine.pause(wait);
    }

    List<Arrived> waiting() {
        return engine.store().waiting(start.session());
    }

    String modelName() {
        String own = start.input().model();
        return own == null ? SessionSettings.DEFAULT_MODEL : own;
    }

    Model model() {
        return engine.settings().model(modelName());
    }

    private void commands(List<Arrival> joined) {
        joined.stream()
                .filter(arrival -> arrival.kind() == Arrival.Kind.COMMAND)
                .forEach(arrival -> tools.apply(ToolCommand.of(arrival.content())));
    }

    /** The tools of today, after the commands that the round takes. Calls of this round are run with these. */
    ToolCatalog catalog(List<Arrival> joined) {
        commands(joined);
        applied = round;
        ToolCatalog catalog = tools.catalog();
        dispatcher = engine.dispatcher(catalog, stream, this);
        return catalog;
    }

    ModelRequest request(List<Arrival> joined, List<RoundRecord.LateNote> late, ToolCatalog catalog) {
        MessageLog messages = state.messages();
        for (Arrival arrival : joined) {
            switch (arrival.kind()) {
                case INPUT -> messages = messages.append(TurnInput.of(arrival.content()).message());
                case NOTICE -> messages = messages.append(Message.user(ProcessNotice.text(arrival)));
                case COMMAND -> {
                }
            }
        }
        for (RoundRecord.LateNote note : late) {
            messages = messages.append(Message.user(note.text()));
        }
        return ModelRequest.builder(messages)
                .tools(catalog.specs())
                .generation(engine.settings().generation())
                .build();
    }

    String hash(ModelRequest request) {
        return request.messages() instanceof MessageLog log ? log.hash() : "";
    }

    /** Results that came after their calls were settled, and that the model has not been told of. */
    List<RoundRecord.LateNote> lateNotes() {
        if (!state.mayHaveLate()) {
            return List.of();
        }
        return engine.store()
                .journal()
                .lateResults(start.scope())
                .stream()
                .filter(late -> !state.knows(late.key().value()))
                .map(TurnLoop::note)
                .toList();
    }

    private static RoundRecord.LateNote note(LateResult late) {
        return new RoundRecord.LateNote(late.key().value(), "Note (tool_late): a call that was given up has"
                + " ended after all (" + late.key().value() + "): " + late.result().compact());
    }
}
