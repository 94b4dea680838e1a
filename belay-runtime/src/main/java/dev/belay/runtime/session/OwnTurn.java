package dev.belay.runtime.session;

import dev.belay.BelayException;
import dev.belay.json.Json;
import dev.belay.model.Generation;
import dev.belay.model.Message;
import dev.belay.model.Message.AssistantMessage;
import dev.belay.model.MessageLog;
import dev.belay.model.ModelEvent;
import dev.belay.model.ModelException;
import dev.belay.model.ModelListener;
import dev.belay.model.ModelRequest;
import dev.belay.model.ModelResponse;
import dev.belay.runtime.dispatch.CallReference;
import dev.belay.runtime.dispatch.ToolDispatcher;
import dev.belay.runtime.effect.ChildCommand;
import dev.belay.runtime.effect.EffectKey;
import dev.belay.runtime.effect.EffectScope;
import dev.belay.runtime.effect.ScopeInput;
import dev.belay.runtime.effect.ScopeState;
import dev.belay.runtime.store.Arrival;
import dev.belay.tool.FramedHash;
import dev.belay.tool.HostValues;
import dev.belay.tool.IdempotencyKey;
import dev.belay.tool.StaticToolProvider;
import dev.belay.tool.ToolOutcome;
import dev.belay.toolset.HostedLoop;
import dev.belay.toolset.LoopHost;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A turn whose loop a program owns: asks and runs what that loop wants, through the same records as the runtime's own loop.
 *
 * <p><b>Concurrency.</b> Questions and commits are done by the thread of the scope, for the one thread of the loop; calls are run
 * for any number of threads. <b>Durability.</b> As {@link SessionTurn}; what a program answers to calls without running them is recorded
 * with the next round. <b>Recovery.</b> The program runs its loop again from the top; what is recorded is answered.
 */
final class OwnTurn extends SessionTurn implements LoopHost {

    private final OpenSeat seat;
    private final HostedLoop loop;
    private final Map<Integer, Running> running = new ConcurrentHashMap<>();
    /** Hash of the record before each round, from the first on. */
    private final List<String> hashes = new ArrayList<>(List.of(""));
    private volatile @Nullable EffectScope scope;
    private volatile String recorded = "";
    private volatile @Nullable Asking asking;
    private @Nullable List<Told> told;
    private volatile boolean heardAny;
    private int rounds;
    private int applied;
    private int sizeWhenAsked;
    private volatile @Nullable TurnEnd stopped;
    private volatile boolean committed;
    private volatile boolean parked;

    private record Asking(ModelRequest request, ModelListener listener) {}

    private record Running(ChildCommand command, ToolDispatcher dispatcher, HostValues host) {}

    OwnTurn(SessionEngine engine, TurnStart start, long fence) {
        super(engine, start, fence);
        seat = new OpenSeat(fence);
        loop = new HostedLoop(this, modelName(), state().messages());
    }

    HostedLoop loop() {
        return loop;
    }

    OpenSeat seat() {
        return seat;
    }

    /** Does what the loop asks. The scope's own thread. */
    Json serve(EffectScope entered) {
        scope = entered;
        for (int n = 1; n <= rounds; n++) { // answered: effects are asked in their order on every entry
            entered.run(new RoundEffect(this, n, hashes.get(n - 1)));
        }
        return seat.serve(entered);
    }

    @Override
    public Asked ask(ModelRequest request, ModelListener listener) {
        requireOpen();
        forgetLeft();
        RoundRecord record = round(new Asking(request, listener));
        rounds++;
        hashes.add(recorded);
        told = null;
        running.clear();
        List<Message> joined = state().join(record);
        if (applied == rounds) {
            tell(new TurnEvent.RoundEnded(start().turn(), rounds, record.usage()));
        } else {
            commands(record.joined());
        }
        sizeWhenAsked = loop.messages().size() + joined.size();
        TurnEnd end = record.end();
        if (end != null) {
            stopped = end;
            throw new BelayException("turn_cancelled", end.summary()
                    + "; close the turn, which commits it as cancelled");
        }
        return new Asked(rounds, joined,
                Objects.requireNonNull(record.reply(), "a round has a reply or an end"));
    }

    private RoundRecord round(Asking question) {
        try {
            return inScope(in -> {
                asking = question;
                heardAny = false;
                return in.run(new RoundEffect(this, rounds + 1, hashes.getLast()));
            });
        } catch (ModelCall.HearingFailure e) {
            throw e.thrown();
        }
    }

    @Override
    public Optional<ToolOutcome> run(HostedCall call) {
        requireOpen();
        var place = new IdempotencyKey.Place(start().incarnation(), start().turn(), call.round(),
                call.index());
        ToolDispatcher dispatcher = engine().dispatcher(StaticToolProvider.of(List.of(call.definition()),
                prepared -> call.body().run(prepared.context())), this);
        dispatcher.carry(start().scope());
        ChildCommand command = ToolDispatcher.command(place, call.id(), call.definition().name(),
                call.arguments());
        running.put(call.index(), new Running(command, dispatcher, call.host()));
        EffectScope in = seat.scope();
        if (in == null) {
            throw gone();
        }
        return in.child(command);
    }

    @Override
    public Optional<List<Told>> commit(int round, List<Optional<ToolOutcome>> outcomes) {
        requireOpen();
        List<ToolOutcome> whole = settled(outcomes);
        if (whole == null) {
            return Optional.empty();
        }
        Optional<List<Told>> known = inScope(in -> in.peek(new EffectKey("round/" + (round + 1))))
                .map(RoundRecord::of)
                .map(RoundRecord::before)
                .map(RoundRecord.Before::replies)
                .filter(replies -> replies.size() == whole.size());
        List<Told> replies = known.orElseGet(
                () -> whole.stream().map(outcome -> new Told(outcome.status(), outcome.text())).toList());
        for (int i = 0; i < whole.size(); i++) {
            applyLeft(i);
            state().ended(whole.get(i));
        }
        running.values().forEach(one -> one.dispatcher().ended(start().scope()));
        told = replies;
        return Optional.of(replies);
    }

    /** All outcomes, or null if some calls still wait and the turn was parked. */
    private @Nullable List<ToolOutcome> settled(List<Optional<ToolOutcome>> outcomes) {
        List<Integer> waiting = IntStream.range(0, outcomes.size())
                .filter(index -> outcomes.get(index).isEmpty())
                .boxed()
                .toList();
        List<ToolOutcome> late = List.of();
        if (!waiting.isEmpty()) {
            List<ChildCommand> commands = waiting.stream()
                    .map(index -> Objects.requireNonNull(running.get(index)).command())
                    .toList();
            Optional<List<ToolOutcome>> answers = seat.run(in -> in.children(commands));
            if (answers.isEmpty()) {
                requireParked();
                parked = true;
                return null;
            }
            late = answers.get();
        }
        var whole = new ArrayList<ToolOutcome>(outcomes.size());
        for (int i = 0; i < outcomes.size(); i++) {
            int place = waiting.indexOf(i);
            whole.add(place < 0 ? outcomes.get(i).orElseThrow() : late.get(place));
        }
        return whole;
    }

    /** The scope was left while calls waited: because it was parked, or for a reason that the loop must know. */
    private void requireParked() {
        ScopeState.Status status = engine().host()
                .state(start().scope())
                .map(ScopeState::status)
                .orElse(ScopeState.Status.ENDED);
        if (status == ScopeState.Status.STUCK || status == ScopeState.Status.ENDED) {
            throw gone();
        }
    }

    /** Commits the turn. */
    TurnResult finish(TurnEnd end) {
        requireOpen();
        state().messages(loop.messages());
        return ended(in -> commit(end));
    }

    /** Commits the turn as far as its records say. */
    TurnResult abandon(String reason) {
        if (isOver()) {
            throw over();
        }
        return ended(in -> {
            var books = new AbandonedTurn(start(), engine().store().journal().effects(start().scope()),
                    engine().host().waits(start().scope()), reason);
            TurnState state = books.state(image());
            state.leaveCommands();
            return commit(books.end(), state, null);
        });
    }

    private TurnResult ended(Function<EffectScope, Json> ending) {
        Json[] result = new Json[1];
        seat.end(in -> result[0] = ending.apply(in));
        if (!committed) {
            throw gone();
        }
        return TurnResult.of(Objects.requireNonNull(result[0]));
    }

    /** Lets go of the turn; it stays open. */
    void rest() {
        if (!isOver()) {
            seat.run(in -> {
                in.rest();
                return true;
            });
        }
    }

    /** How the turn would end now, if the model's last answer ends it; empty if it has said nothing since it was told something. */
    Optional<TurnEnd> conclusion() {
        TurnEnd end = stopped;
        if (end != null) {
            return Optional.of(end);
        }
        return loop.messages().getLast() instanceof AssistantMessage said && said.calls().isEmpty()
                && rounds > 0
                        ? Optional.of(said.refusal()
                                .<TurnEnd>map(TurnEnd.Refused::new)
                                .orElseGet(() -> new TurnEnd.Finished(said.text(), null)))
                        : Optional.empty();
    }

    private <T> T inScope(Function<EffectScope, T> work) {
        return seat.run(work).orElseThrow(this::gone);
    }

    boolean isOver() {
        return committed || parked || seat.isGone();
    }

    private void requireOpen() {
        if (isOver()) {
            throw over();
        }
    }

    private BelayException over() {
        return committed
                ? new BelayException("turn_ended", name() + " was committed; result() says how it ended")
                : parked
                        ? new BelayException("turn_parked", name()
                                + " waits for calls; return, and begin it again when they are settled")
                        : gone();
    }

    private BelayException gone() {
        ScopeState state = engine().host().isClosing()
                ? null
                : engine().host().state(start().scope()).orElse(null);
        if (state != null && state.status() == ScopeState.Status.STUCK) {
            return new BelayException("session_stuck", name() + " cannot go on by itself: "
                    + state.stuckBecause() + "; see stuck() of the runtime, then retry it or abandon it");
        }
        return new BelayException("turn_lost", name()
                + " is not run here any more: it was closed, taken over, deleted, or the runtime is closed;"
                + " begin it again with the same input id");
    }

    private String name() {
        return "turn " + start().turn() + " of session " + start().session();
    }

    @Override
    void ended() {
        committed = true;
    }

    @Override
    public HostValues hostValues() {
        return engine().hostValues();
    }

    @Override
    @Nullable
    HostValues hostValues(CallReference call) {
        Running one = running.get(call.index());
        return one == null ? null : one.host();
    }

    @Override
    EffectScope scope() {
        return Objects.requireNonNull(scope, "nobody is in the scope");
    }

    @Override
    ToolDispatcher dispatcher(ScopeInput call) {
        return Objects
                .requireNonNull(running.get(ToolDispatcher.position(call)), "the loop runs its calls itself")
                .dispatcher();
    }

    @Override
    void recorded(Json record) {
        recorded = hash(record);
    }

    /** A loop of a program's own has bounds of its own; only cancelling ends it. */
    @Override
    Optional<TurnEnd> stop(int number) {
        return scope().cancellation().reason().map(RoundEffect::cancelled);
    }

    @Override
    RoundRecord.@Nullable Before before() {
        if (rounds == 0) {
            return null;
        }
        List<Told> replies = told;
        boolean kept = loop.messages().size() > sizeWhenAsked;
        return new RoundRecord.Before(kept, kept && replies != null ? replies : List.of());
    }

    @Override
    Question question(List<Arrival> joined, List<RoundRecord.LateNote> late) {
        commands(joined);
        applied = rounds + 1;
        ModelRequest wanted = Objects.requireNonNull(asking).request();
        Generation generation = wanted.generation().equals(Generation.PROVIDER_DECIDES)
                ? engine().settings().generation()
                : wanted.generation();
        var offered = new FramedHash();
        wanted.tools().forEach(tool -> offered.add(tool.name()));
        return new Question(new ModelRequest(MessageLog.of(wanted.messages()).append(added(joined, late)),
                wanted.tools(), wanted.toolChoice(), wanted.output(), generation), 0, offered.hex());
    }

    /** What an answer means is for the loop to say. */
    @Override
    @Nullable
    TurnEnd meaning(ModelResponse reply) {
        return null;
    }

    /** That there is no answer is for the loop to know, and not recorded. */
    @Override
    TurnEnd unanswered(ModelException failure) {
        throw failure;
    }

    @Override
    void heard(ModelEvent event) {
        heardAny = true;
        Objects.requireNonNull(asking).listener().on(event);
    }

    /** A listener must not hear two answers to one question. */
    @Override
    boolean mayAskAgain() {
        return !heardAny;
    }
}
