package dev.belay.runtime.session.hosted;

import dev.belay.BelayException;
import dev.belay.Wait;
import dev.belay.json.Json;
import dev.belay.json.JsonLimits;
import dev.belay.model.Message;
import dev.belay.model.Message.AssistantMessage;
import dev.belay.model.MessageLog;
import dev.belay.model.ModelEvent;
import dev.belay.model.ModelException;
import dev.belay.model.ModelListener;
import dev.belay.model.ModelRequest;
import dev.belay.model.ModelResponse;
import dev.belay.model.Part.CallPart;
import dev.belay.model.ToolChoice;
import dev.belay.model.ToolSpec;
import dev.belay.model.Usage;
import dev.belay.runtime.dispatch.CallHooks;
import dev.belay.runtime.dispatch.CallReference;
import dev.belay.runtime.dispatch.ToolDispatcher;
import dev.belay.runtime.effect.EffectKey;
import dev.belay.runtime.effect.EffectScope;
import dev.belay.runtime.effect.ReplayMismatchException;
import dev.belay.runtime.effect.Resolution;
import dev.belay.runtime.effect.ScopeInput;
import dev.belay.runtime.operate.RestingScopes;
import dev.belay.runtime.plugin.engine.CallHookChain;
import dev.belay.runtime.plugin.engine.Prompt;
import dev.belay.runtime.plugin.engine.RoundHooks;
import dev.belay.runtime.plugin.engine.StateValues;
import dev.belay.runtime.policy.AskedArguments;
import dev.belay.runtime.session.TurnCall;
import dev.belay.runtime.session.TurnEnd;
import dev.belay.runtime.session.TurnEvent;
import dev.belay.runtime.session.TurnResult;
import dev.belay.runtime.session.TurnSettings;
import dev.belay.runtime.session.archive.AbandonedTurn;
import dev.belay.runtime.session.asking.AskedModel;
import dev.belay.runtime.session.asking.ModelChoice;
import dev.belay.runtime.session.asking.Outage;
import dev.belay.runtime.session.inbox.TurnStart;
import dev.belay.runtime.session.state.Question;
import dev.belay.runtime.session.state.RoundRecord;
import dev.belay.runtime.session.state.TurnOutputs;
import dev.belay.runtime.session.state.TurnState;
import dev.belay.runtime.session.state.TurnTools;
import dev.belay.runtime.session.turn.RoundEffect;
import dev.belay.runtime.session.turn.RoundTries;
import dev.belay.runtime.session.turn.SessionTurn;
import dev.belay.runtime.session.turn.TurnCalls;
import dev.belay.runtime.session.turn.TurnRecords;
import dev.belay.runtime.session.turn.TurnServices;
import dev.belay.runtime.session.turn.TurnStops;
import dev.belay.runtime.store.Arrival;
import dev.belay.tool.ToolOutcome;
import dev.belay.tool.context.HostValues;
import dev.belay.tool.option.OutputBudget;
import dev.belay.toolset.loop.HostedLoop;
import dev.belay.toolset.loop.LoopHost;
import dev.belay.toolset.loop.LoopHost.HostedCall;
import dev.belay.toolset.loop.ToolEntry;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A turn whose loop a program owns: asks and runs what that loop wants, through the same records as the runtime's own loop.
 *
 * <p><b>Concurrency.</b> Questions and commits are done by the thread of the scope, for the one thread of the loop; any number of
 * threads may run calls. <b>Durability.</b> As {@link SessionTurn}; what a program answers to calls without running them is recorded
 * with the next round. <b>Recovery.</b> The program runs its loop again from the top; what is recorded is answered.
 */
public final class HostedTurn extends SessionTurn implements LoopHost {

    private final TurnHandoff handoff;
    private final HostedLoop loop;
    private final HostedCalls calls = new HostedCalls(this);
    private final HostedHooks hooks = new HostedHooks(this);
    /** The names of the tools that plugins leave out of the newest question. */
    private volatile Set<String> hidden = Set.of();
    /** The calls of the newest round. */
    private volatile List<CallPart> parts = List.of();
    /** Hash of the record before each round, from the first on. */
    private final List<String> hashes = new ArrayList<>(List.of(""));
    private volatile @Nullable EffectScope scope;
    private volatile String recorded = "";
    private volatile @Nullable Asking asking;
    private RoundRecord.@Nullable Before told;
    private int rounds;
    private int applied;
    private int sizeWhenAsked;
    private volatile @Nullable TurnEnd stopped;
    private volatile boolean committed;
    private volatile boolean parked;
    private volatile boolean abandoning;
    /** Whether the round after the newest one is recorded: then the newest one has all its records. */
    private volatile boolean followed;
    private volatile Usage unrecorded = Usage.NONE;
    private List<Message> joinedLast = List.of();
    /** When the model of the coming round may be asked again; null if it does not fail. */
    private volatile @Nullable Instant waitsUntil;
    /** Whether the newest question has no answer. */
    private boolean unanswered;

    private record Asking(ModelRequest request, ModelListener listener) {}

    HostedTurn(TurnServices services, TurnStart start, long fence) {
        super(services, start, fence);
        handoff = new TurnHandoff(fence);
        loop = new HostedLoop(this, config().modelName(), state().messages());
    }

    public HostedLoop loop() {
        return loop;
    }

    public TurnHandoff handoff() {
        return handoff;
    }

    /** Does what the loop asks. The scope's own thread. */
    Json serve(EffectScope entered) {
        scope = entered;
        for (int n = 1; n <= rounds; n++) { // answered from records: effects keep their order on every entry
            entered.run(RoundEffect.recorded(this, n, hashes.get(n - 1)));
        }
        return handoff.serve(entered);
    }

    /** A round is refused instead of held, because a thread of the program waits for it. */
    @Override
    public List<String> pausedBy() {
        return List.of();
    }

    @Override
    public Asked ask(ModelRequest request, Collection<ToolEntry<?>> offered, ModelListener listener) {
        requireOpen();
        hooks.takeLeft().forEach(plugins()::apply);
        hooks.offers(offered);
        services().host().pauses().requireNone(services().agent(), start().session());
        int size = loop.messages().size();
        unanswered = true;
        waitsUntil = null;
        RoundRecord record = round(new Asking(request, listener));
        unanswered = false;
        rounds++;
        hashes.add(recorded);
        told = null;
        unrecorded = record.asked() == null ? unrecorded : Usage.NONE;
        boolean replayed = applied != rounds;
        followed = replayed && inScope(in -> in.peek(new EffectKey("round/" + (rounds + 1)))).isPresent();
        Set<String> left = sent(record);
        hidden = replayed ? left : hidden;
        List<Message> joined = state().join(record);
        actionsRecorded(record);
        if (replayed) {
            commands().carryOut(record.joined());
        } else {
            tell(new TurnEvent.RoundEnded(start().turn(), rounds, record.usage()));
        }
        plugins().apply(record.hooks());
        sizeWhenAsked = size + joined.size();
        TurnEnd end = record.end();
        if (end != null) {
            stopped = end;
            joinedLast = joined;
            throw end instanceof TurnEnd.Stopped(var cause, var why, var evidence)
                    && cause == TurnEnd.Cause.PLUGIN_ABORT
                            ? new BelayException("plugin_abort",
                                    why + "; close the turn, which commits it as stopped by a plugin")
                            : new BelayException("turn_cancelled",
                                    end.summary() + "; close the turn, which commits it as cancelled");
        }
        ModelResponse reply = Objects.requireNonNull(record.reply(), "a round has a reply or an end");
        parts = reply.message().withCallIds(rounds).calls();
        return new Asked(rounds, joined, reply, replayed,
                hooks.deliver(record.hooks(), replayed ? approved() : Map.of()));
    }

    /** Calls of the newest round whose arguments a person has changed. */
    private Map<Integer, Decided> approved() {
        TurnRecords records = records();
        Map<Integer, Decided> approved = new TreeMap<>();
        for (int i = 0; i < parts.size(); i++) {
            AskedArguments asked = records.asked(rounds, i);
            if (asked != null && asked.isChanged()) {
                String text = parts.get(i).arguments();
                Json said = text.isBlank() ? Json.EMPTY_OBJECT : Json.of(text, JsonLimits.ARGUMENTS);
                approved.put(i, new Decided(asked.decided(),
                        said.equals(asked.proposed()) ? text : asked.proposed().text(), null));
            }
        }
        return approved;
    }

    private RoundRecord round(Asking question) {
        try {
            return inScope(in -> {
                asking = question;
                return new RoundTries(this, rounds + 1, hashes.getLast()).run();
            });
        } catch (AskedModel.HearingFailure e) {
            throw e.thrown();
        }
    }

    @Override
    public Optional<ToolOutcome> run(HostedCall call) {
        requireOpen();
        return calls.run(call, followed);
    }

    /** The loop does not repeat what is recorded: makes the turn stuck, and returns what the loop is told. */
    ReplayMismatchException stuck(ReplayMismatchException mismatch) {
        handoff.run(in -> {
            throw mismatch;
        });
        return mismatch;
    }

    @Override
    public Optional<List<Told>> commit(int round, List<Optional<ToolOutcome>> outcomes,
            IntFunction<@Nullable Json> arguments) {
        requireOpen();
        List<ToolOutcome> whole = calls.settled(round, outcomes).orElse(null);
        if (whole == null) {
            TurnFaults.requireParked(services().host(), start());
            parked = true;
            return Optional.empty();
        }
        RoundRecord.Before known = inScope(in -> in.peek(new EffectKey("round/" + (round + 1))))
                .map(RoundRecord::of)
                .map(RoundRecord::before)
                .orElse(null);
        if (known != null && (!known.kept() || known.replies().size() != whole.size())) {
            throw stuck(TurnFaults.otherReplies(start(), round, known, whole.size()));
        }
        Map<Integer, RoundHooks.Decided> looked = hooks.look(round, parts, given(round, outcomes), arguments,
                known != null);
        var ended = new ArrayList<ToolOutcome>(whole.size());
        for (int i = 0; i < whole.size(); i++) {
            RoundHooks.Decided one = looked.get(i);
            ended.add(one == null || one.outcome() == null ? whole.get(i) : one.outcome());
        }
        RoundRecord.Before shown = known != null
                ? known
                : inScope(in -> Optional.ofNullable(
                        outputs().show(null, calls.outputs(round, parts, ended), in::attachments)))
                        .orElseGet(() -> new RoundRecord.Before(true, ended.stream()
                                .map(outcome -> new Told(outcome.status(), outcome.text()))
                                .toList()));
        outputs().note(shown);
        state().keeps(shown);
        for (int i = 0; i < whole.size(); i++) {
            RoundHooks.Decided one = looked.get(i);
            hooks.left(i).forEach(plugins()::apply);
            applyLeft(round, i);
            if (one != null) {
                one.left().forEach(plugins()::apply);
            }
            calls.forget(round, i);
        }
        hooks.takeLeft();
        told = shown;
        return Optional.of(shown.replies());
    }

    @Override
    public List<Wait> waits() {
        return services().inbox().rests().of(new RestingScopes.Below.Turn(start().session()));
    }

    /** The outcomes that the loop gives without having run a body. */
    private List<Optional<ToolOutcome>> given(int round, List<Optional<ToolOutcome>> outcomes) {
        return IntStream.range(0, outcomes.size())
                .mapToObj(index -> calls.hasRun(round, index) || hooks.hasEnded(index)
                        ? Optional.<ToolOutcome>empty()
                        : outcomes.get(index))
                .toList();
    }

    /** The states of plugins as hooks see them that look at a reply. */
    StateValues seenBy(int round, int index) {
        return plugins().states().with(hooks.left(index));
    }

    @Override
    public StateValues states(CallReference call) {
        return super.states(call).with(hooks.left(call.index()));
    }

    @Override
    protected CallHooks callHooks() {
        return CallHookChain.afterDelivery(plugins().session(), plugins().place(),
                call -> states(call.call()),
                services().time());
    }

    @Override
    protected Map<Integer, RoundHooks.Decided> decided(int number, ModelResponse reply) {
        return hooks.decide(number, reply, plugins().answered());
    }

    /** Commits the turn. */
    public TurnResult.Ended finish(TurnEnd end) {
        requireOpen();
        calls.awaitNone();
        hooks.takeLeft().forEach(plugins()::apply);
        state().messages(MessageLog.of(loop.messages()).append(joinedLast));
        return ended(in -> ending().commit(end));
    }

    /** Commits the turn as far as its records say. */
    public TurnResult.Ended abandon(String reason) {
        requireOpen();
        calls.awaitNone();
        abandoning = true;
        return ended(in -> {
            var abandoned = new AbandonedTurn(services(), start(), reason);
            TurnState state = abandoned.state(image());
            state.leaveCommands();
            abandoned.stopChildren();
            ending().doubted(abandoned.doubtIds());
            return ending().commit(abandoned.end(), state, abandoned.changed(image()),
                    abandoned.doubts());
        });
    }

    private TurnResult.Ended ended(Function<EffectScope, Json> ending) {
        Json[] result = new Json[1];
        handoff.end(in -> result[0] = ending.apply(in));
        if (!committed) {
            throw gone();
        }
        return TurnResult.Ended.of(Objects.requireNonNull(result[0]));
    }

    /** Lets go of the turn; it stays open. */
    public void rest() {
        calls.awaitNone();
        if (!isOver()) {
            handoff.run(in -> {
                Instant due = waitsUntil;
                if (due == null) {
                    in.rest();
                } else {
                    in.restUntil(due, "round " + (rounds + 1));
                }
                return true;
            });
        }
    }

    /** The end that the model's last answer gives the turn; empty if the last message is not such an answer. */
    public Optional<TurnEnd> conclusion() {
        TurnEnd end = stopped;
        if (end != null) {
            return Optional.of(end);
        }
        boolean answered = !unanswered && loop.messages().size() > sizeWhenAsked && rounds > 0;
        return answered && loop.messages().getLast() instanceof AssistantMessage said
                && said.calls().isEmpty()
                        ? Optional.of(said.refusal()
                                .<TurnEnd>map(TurnEnd.Refused::new)
                                .orElseGet(() -> new TurnEnd.Finished(said.text(), null)))
                        : Optional.empty();
    }

    /** Whether its loop can do nothing before a model answers again. */
    boolean waitsForModel() {
        return waitsUntil != null;
    }

    <T> T inScope(Function<EffectScope, T> work) {
        return handoff.run(work).orElseThrow(this::gone);
    }

    /** Throws if the turn is gone although it was neither committed nor parked. */
    public void requireNotLost() {
        if (!committed && !parked && handoff.isGone()) {
            throw gone();
        }
    }

    public boolean isOver() {
        return committed || parked || handoff.isGone();
    }

    private void requireOpen() {
        if (isOver()) {
            throw committed
                    ? TurnFaults.committed(start())
                    : parked ? TurnFaults.parked(start()) : gone();
        }
    }

    BelayException gone() {
        return TurnFaults.gone(services().host(), start());
    }

    @Override
    public void ended() {
        committed = true;
    }

    /** From the records, because calls of a round that the loop has dropped were made all the same. */
    @Override
    protected List<TurnCall> calls(TurnState of) {
        return TurnCalls.of(records());
    }

    @Override
    public HostValues hostValues() {
        return services().dispatchers().hostValues();
    }

    @Override
    @Nullable
    public HostValues hostValues(CallReference call) {
        return calls.hostValues(call);
    }

    @Override
    public EffectScope scope() {
        return Objects.requireNonNull(scope, "the turn was not entered");
    }

    @Override
    public ToolDispatcher dispatcher(ScopeInput call) {
        return calls.dispatcher(call);
    }

    @Override
    protected @Nullable OutputBudget declaredBudget(CallReference call) {
        return calls.budget(call.round(), call.index());
    }

    @Override
    public void recorded(Json record) {
        recorded = RoundRecord.hash(record);
    }

    /** A program's loop has its own bounds; only cancelling stops it here. */
    @Override
    public Optional<TurnEnd> stop(int number) {
        return scope().cancellation().reason().map(TurnStops::cancelled);
    }

    @Override
    public RoundRecord.@Nullable Before before() {
        if (rounds == 0) {
            return null;
        }
        RoundRecord.Before shown = told;
        boolean kept = loop.messages().size() > sizeWhenAsked;
        return kept && shown != null ? shown : new RoundRecord.Before(kept, List.of());
    }

    @Override
    public Question question(List<Arrival> joined) {
        commands().carryOut(joined);
        applied = rounds + 1;
        ModelRequest wanted = Objects.requireNonNull(asking).request();
        ModelChoice choice = config().choice(TurnSettings.NONE.withGeneration(wanted.generation()),
                plugins().config());
        hidden = plugins().hidden(hooks::manifests);
        List<ToolSpec> members = TurnTools.members(wanted, this::allows);
        Prompt prompt = plugins().prompt(image().instructions(),
                name -> members.stream().anyMatch(tool -> tool.name().equals(name)));
        MessageLog messages = shown(conversation()).append(plugins().said(joined));
        return asking(
                new ModelRequest(prompt == null ? messages : prompt.around(messages),
                        members, members.isEmpty() ? ToolChoice.auto() : wanted.toolChoice(),
                        wanted.output(), choice.generation(),
                        TurnOutputs.pictures(scope()::attachments)),
                choice, 0, TurnTools.hash(members), recorded(prompt, hidden, null));
    }

    @Override
    protected MessageLog conversation() {
        return MessageLog.of(Objects.requireNonNull(asking).request().messages());
    }

    @Override
    public MessageLog log() {
        return MessageLog.of(loop.messages());
    }

    @Override
    public boolean allows(String tool) {
        return tools().allows(tool) && !hidden.contains(tool);
    }

    @Override
    public List<CallPart> batch() {
        return parts;
    }

    @Override
    public List<Message> added() {
        return added(loop.messages());
    }

    /** The loop decides what an answer means. */
    @Override
    @Nullable
    public TurnEnd meaning(ModelResponse reply) {
        return null;
    }

    /** The loop is told when to ask again; if it is left meanwhile, the turn is ready at that moment. */
    @Override
    public void waitForModel(int round, Outage outage, Instant due, @Nullable ModelException failure) {
        waitsUntil = due;
        throw TurnFaults.modelWaits(start(), outage, Duration.between(services().time().now(), due), failure);
    }

    /** The loop is told that there is no answer; nothing is recorded. */
    @Override
    public TurnEnd unanswered(ModelException failure, Usage lost) {
        unrecorded = unrecorded.plus(lost);
        throw failure;
    }

    @Override
    public TurnEnd tooLong(long estimate, long limit) {
        throw new ModelException(ModelException.Kind.CONTEXT_TOO_LONG,
                super.tooLong(estimate, limit).summary());
    }

    @Override
    public Usage unrecorded() {
        return unrecorded;
    }

    /** An abandoned turn does not repeat its effects in their order, so this is none; settling a wait twice does no harm. */
    @Override
    public void notify(String token, Json result) {
        if (abandoning) {
            services().host().settle(token, Resolution.ok(result));
        } else {
            super.notify(token, result);
        }
    }

    @Override
    public void heard(ModelEvent event) {
        Objects.requireNonNull(asking).listener().on(event);
    }
}
