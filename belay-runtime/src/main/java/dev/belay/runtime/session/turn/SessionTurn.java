package dev.belay.runtime.session.turn;

import dev.belay.json.FramedHash;
import dev.belay.json.Json;
import dev.belay.model.ModelEvent;
import dev.belay.model.ModelException;
import dev.belay.model.ModelRequest;
import dev.belay.model.ModelResponse;
import dev.belay.model.Usage;
import dev.belay.runtime.dispatch.CallReference;
import dev.belay.runtime.dispatch.ToolDispatcher;
import dev.belay.runtime.dispatch.call.Aftermath;
import dev.belay.runtime.effect.EffectScope;
import dev.belay.runtime.effect.ScopeInput;
import dev.belay.runtime.session.TurnEnd;
import dev.belay.runtime.session.TurnEvent;
import dev.belay.runtime.session.TurnResult;
import dev.belay.runtime.session.TurnSettings;
import dev.belay.runtime.session.body.CallChildren;
import dev.belay.runtime.session.hosted.HostedTurn;
import dev.belay.runtime.session.inbox.SessionCommand;
import dev.belay.runtime.session.inbox.SessionImage;
import dev.belay.runtime.session.inbox.ToolCommand;
import dev.belay.runtime.session.stream.SessionStream;
import dev.belay.runtime.store.Arrival;
import dev.belay.runtime.store.Arrived;
import dev.belay.runtime.store.TurnCommit;
import dev.belay.runtime.store.journal.ClaimedScope;
import dev.belay.runtime.store.journal.OutcomeJson;
import dev.belay.tool.ToolOutcome;
import dev.belay.tool.context.HostValues;
import dev.belay.tool.context.IdempotencyKey;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * One turn, whoever owns its loop: what it starts from, what it has so far, and how it is committed. {@link TurnLoop} is the
 * runtime's loop, {@link HostedTurn} stands behind one of yours.
 *
 * <p><b>Concurrency.</b> Confined to the thread of the turn's scope; calls have their own. <b>Durability.</b> Each round is one
 * record, each call has its own, and the commit ends the scope in the same write.
 */
public abstract class SessionTurn {

    private final SessionEngine engine;
    private final TurnStart start;
    private final SessionImage image;
    private final TurnState state;
    private final SessionStream stream;
    private final SavedState saved;
    private final TurnTools tools;
    private final TurnConfig config;
    private final Map<String, Aftermath> left = new ConcurrentHashMap<>();
    private final Set<String> carriedOut = new HashSet<>();
    private final ShownInputs shown;

    public SessionTurn(SessionEngine engine, TurnStart start, long fence) {
        this.engine = engine;
        this.start = start;
        image = engine.images().before(start, fence).instructed(engine.settings().instructions());
        state = new TurnState(start, image);
        stream = engine.streams().of(start.session());
        shown = new ShownInputs(engine.locks(), start.session());
        saved = SavedState.of(image.state());
        tools = new TurnTools(engine.liveTools(start.session()), saved.tools());
        config = new TurnConfig(engine.settings(), saved.settings(), start.input().settings());
    }

    /**
     * What a round asks.
     *
     * @param request what is sent
     * @param choice how it is asked
     * @param generation of what is offered
     * @param offered hash of what is offered
     */
    public record Question(ModelRequest request, ModelChoice choice, long generation, String offered) {

        /** What it takes of the model's context, as far as that can be guessed, with the room that it leaves for an answer. */
        long tokens() {
            return ModelChoice.tokens(request);
        }
    }

    /** The scope it runs in. */
    public abstract EffectScope scope();

    /** What ends the turn before round {@code number} asks a model. */
    public abstract Optional<TurnEnd> stop(int number);

    /** What the coming round asks, after all that has come in. */
    public abstract Question question(List<Arrival> joined);

    /** What became of the round before, if that is not recorded elsewhere. */
    public abstract RoundRecord.@Nullable Before before();

    /** What an answer means for the turn; null if it goes on. */
    public abstract @Nullable TurnEnd meaning(ModelResponse reply);

    /**
     * What it means that there is no answer.
     *
     * @param lost what the requests have cost
     */
    public abstract TurnEnd unanswered(ModelException failure, Usage lost);

    /** What it means that a request is estimated to be longer than the model's context. */
    public TurnEnd tooLong(long estimate, long limit) {
        return Stops.tooLong(estimate, limit);
    }

    /** What requests have cost that are in no record. */
    public Usage unrecorded() {
        return Usage.NONE;
    }

    /** A round is known, from its record or because it was just made. */
    public abstract void recorded(Json record);

    /** The dispatcher of a call. */
    public abstract ToolDispatcher dispatcher(ScopeInput call);

    /** Something has arrived from the model; what is thrown here ends the asking. */
    public void heard(ModelEvent event) {}

    /** Whether a model that failed may be asked again within the round. */
    public boolean mayAskAgain() {
        return true;
    }

    /** What the body of a call is supplied with, if that is not what the runtime supplies. */
    public @Nullable HostValues hostValues(CallReference call) {
        return null;
    }

    /** The turn was committed. */
    public void ended() {}

    /** A call leaves something behind; told again on every entry. */
    public void note(CallReference call, Aftermath aftermath) {
        left.put(call.round() + "/" + call.index(), aftermath);
    }

    /** Applies what the call at a place of the message has changed and spent, and says what else it has left. */
    public Aftermath applyLeft(long round, int index) {
        Aftermath found = left.remove(round + "/" + index);
        Aftermath aftermath = found == null ? Aftermath.NONE : found;
        for (Json change : aftermath.changes()) {
            if (!state.spending().add(change)) {
                tools.apply(ToolCommand.of(change));
            }
        }
        return aftermath;
    }

    /**
     * Runs one of the calls, as a child of the scope. What it has begun ends with one that was stopped; said on every entry,
     * because the process that ran its body may be gone.
     */
    public Json call(EffectScope child, ScopeInput input) {
        ToolOutcome outcome = dispatcher(input).call(child, input);
        CallChildren.whyStopped(child, outcome).ifPresent(reason -> {
            IdempotencyKey.Place place = ToolDispatcher.place(input);
            CallChildren.of(engine, child.id(), place.round(), place.position()).stop(reason);
        });
        return OutcomeJson.of(outcome);
    }

    /** Makes the turn's end the end of its scope; what is returned is the scope's result. */
    public Json commit(TurnEnd end) {
        Json changed = tools.saved();
        return commit(end, state, changed == null && !config.isChanged()
                ? null
                : new SavedState(changed == null ? saved.tools() : changed, config.session()).toJson());
    }

    /**
     * The same with another account of the turn.
     *
     * @param changed the session's new state, or null for the one it has
     */
    public Json commit(TurnEnd end, TurnState of, @Nullable Json changed) {
        of.spending().add(config.modelName(), unrecorded(), engine.settings().models());
        TurnResult result = TurnCommits.result(start, of, end);
        TurnCommit commit = TurnCommits.of(start, of, result, changed);
        for (String token : of.settles()) {
            notify(token, commit.result());
        }
        ClaimedScope.of(scope()).endWith((claim, ignored, at) -> {
            boolean done = engine.commit(claim, commit, at, () -> {
                Json kept = commit.state() == null ? image.state() : commit.state();
                engine.images()
                        .put(start.session(),
                                image.after(of.messages(), kept, result.isReadAsIs() ? result : null));
                stream.tell(new TurnEvent.Committed(start.turn(), result));
            });
            if (done) {
                ended();
            }
            return done;
        });
        return commit.result();
    }

    /** Tells whoever waits for the turn, before it commits. */
    public void notify(String token, Json result) {
        scope().run(new NotifyEffect(engine.host(), token, result));
    }

    /** What the session was before. */
    public SessionImage image() {
        return image;
    }

    /** Carries out the commands among what has come in, once each. */
    public void commands(List<Arrival> joined) {
        for (Arrival arrival : joined) {
            if (arrival.kind() == Arrival.Kind.COMMAND && carriedOut.add(arrival.id())) {
                switch (SessionCommand.of(arrival.content())) {
                    case ToolCommand about -> tools.apply(about);
                    case SessionCommand.Settings(TurnSettings settings) -> config.apply(settings);
                }
            }
        }
    }

    public static String hash(Json record) {
        return new FramedHash().add(record.text()).hex();
    }

    public SessionEngine engine() {
        return engine;
    }

    public TurnStart start() {
        return start;
    }

    public TurnState state() {
        return state;
    }

    public TurnTools tools() {
        return tools;
    }

    public TurnConfig config() {
        return config;
    }

    public SessionStream stream() {
        return stream;
    }

    public Instant now() {
        return engine.now();
    }

    public void tell(TurnEvent event) {
        stream.tell(event);
    }

    public boolean isClosing() {
        return engine.host().isClosing();
    }

    public void pause(Duration wait) {
        engine.pause(wait);
    }

    public List<Arrived> waiting() {
        return engine.store().waiting(start.session());
    }

    public ShownInputs shown() {
        return shown;
    }
}
