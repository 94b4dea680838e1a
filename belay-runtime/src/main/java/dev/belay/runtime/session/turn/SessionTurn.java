package dev.belay.runtime.session.turn;

import dev.belay.BelayException;
import dev.belay.json.FramedHash;
import dev.belay.json.Json;
import dev.belay.model.Message;
import dev.belay.model.MessageLog;
import dev.belay.model.ModelEvent;
import dev.belay.model.ModelException;
import dev.belay.model.ModelRequest;
import dev.belay.model.ModelResponse;
import dev.belay.model.Part.CallPart;
import dev.belay.model.Usage;
import dev.belay.runtime.dispatch.CallHooks;
import dev.belay.runtime.dispatch.CallReference;
import dev.belay.runtime.dispatch.ToolDispatcher;
import dev.belay.runtime.dispatch.record.Aftermath;
import dev.belay.runtime.effect.Effect.OpenDoubt;
import dev.belay.runtime.effect.EffectScope;
import dev.belay.runtime.effect.ScopeInput;
import dev.belay.runtime.effect.TimeSource;
import dev.belay.runtime.history.Compaction;
import dev.belay.runtime.output.ToolOutput;
import dev.belay.runtime.output.engine.BatchViews;
import dev.belay.runtime.plugin.TurnHook;
import dev.belay.runtime.plugin.engine.ActedOn;
import dev.belay.runtime.plugin.engine.ActionRun;
import dev.belay.runtime.plugin.engine.CallHookChain;
import dev.belay.runtime.plugin.engine.HookPlace;
import dev.belay.runtime.plugin.engine.OutputHooks;
import dev.belay.runtime.plugin.engine.Prompt;
import dev.belay.runtime.plugin.engine.RoundHooks;
import dev.belay.runtime.plugin.engine.SentPrompt;
import dev.belay.runtime.plugin.engine.SessionPlugins;
import dev.belay.runtime.plugin.engine.StateChange;
import dev.belay.runtime.plugin.engine.StateValues;
import dev.belay.runtime.plugin.engine.StateView;
import dev.belay.runtime.plugin.engine.TurnHooked;
import dev.belay.runtime.plugin.engine.TurnHooks;
import dev.belay.runtime.session.TurnCall;
import dev.belay.runtime.session.TurnEnd;
import dev.belay.runtime.session.TurnEvent;
import dev.belay.runtime.session.TurnResult;
import dev.belay.runtime.session.TurnSettings;
import dev.belay.runtime.session.asking.ModelChoice;
import dev.belay.runtime.session.asking.Models;
import dev.belay.runtime.session.asking.Outage;
import dev.belay.runtime.session.asking.TurnConfig;
import dev.belay.runtime.session.gate.TurnGating;
import dev.belay.runtime.session.history.TurnHistory;
import dev.belay.runtime.session.inbox.CarriedActions;
import dev.belay.runtime.session.inbox.HookChildren;
import dev.belay.runtime.session.inbox.InheritedOutputs;
import dev.belay.runtime.session.inbox.JoinedArrivals;
import dev.belay.runtime.session.inbox.SavedState;
import dev.belay.runtime.session.inbox.SessionCommand;
import dev.belay.runtime.session.inbox.SessionImage;
import dev.belay.runtime.session.inbox.ShownInputs;
import dev.belay.runtime.session.inbox.ToolCommand;
import dev.belay.runtime.session.inbox.TurnInput;
import dev.belay.runtime.session.inbox.TurnStart;
import dev.belay.runtime.session.inbox.UnrestoredTurns;
import dev.belay.runtime.session.stream.SessionStream;
import dev.belay.runtime.store.Arrival;
import dev.belay.runtime.store.Arrived;
import dev.belay.runtime.store.TurnCommit;
import dev.belay.runtime.store.journal.ClaimedScope;
import dev.belay.runtime.store.journal.Pauses;
import dev.belay.tool.ToolManifest;
import dev.belay.tool.context.HostValues;
import dev.belay.tool.option.OutputBudget;
import dev.belay.tool.option.Scheduling;
import java.time.Instant;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One turn: what it starts from, what it has so far, and how it is committed. {@link TurnLoop} is the loop that the runtime owns;
 * {@code HostedTurn} serves a loop that a program owns.
 *
 * <p><b>Concurrency.</b> Confined to the thread of the turn's scope; calls have their own. <b>Durability.</b> Each round is one
 * record, each call has its own, and the commit ends the scope in the same write.
 */
public abstract class SessionTurn implements TurnHistory.Turn {

    private static final Logger LOG = LoggerFactory.getLogger("dev.belay.plugin");

    private final TurnServices services;
    private final TurnStart start;
    private final SessionImage image;
    private final TurnState state;
    private final SessionStream stream;
    private final SavedState saved;
    private final TurnTools tools;
    private final TurnConfig config;
    private final SessionPlugins plugins;
    private final HookPlace place;
    private final TurnHooks hooks;
    private final HookChildren children;
    private volatile StateValues states;
    /** What hooks have left before the question that is asked now; applied once it is recorded. */
    private TurnHooked opening = TurnHooked.NONE;
    /** What hooks have left at the end of the turn. */
    private TurnHooked ending = TurnHooked.NONE;
    private @Nullable String sentBefore;
    private final Map<String, Aftermath> left = new ConcurrentHashMap<>();
    private final Set<String> finished = ConcurrentHashMap.newKeySet(0);
    private final Set<String> carriedOut = new HashSet<>();
    private final CarriedActions actions = new CarriedActions();
    private final Set<String> doubts = new LinkedHashSet<>(0);
    private final ShownInputs shown;
    /** Actions that the commit records. */
    private List<ActedOn> last = List.of();
    private final InheritedOutputs inherited;
    private boolean outputs;
    /** Made when it is first asked for. */
    private @Nullable TurnHistory history;
    private TurnHistory.@Nullable Shown viewed;

    /**
     * A turn that is entered.
     *
     * @param fence of the claim under which it runs
     */
    protected SessionTurn(TurnServices services, TurnStart start, long fence) {
        this.services = services;
        this.start = start;
        SessionImage before = services.inbox().images().before(start, fence);
        saved = SavedState.of(before.state());
        config = new TurnConfig(services.settings(), saved.settings(), start.input().settings());
        image = before.instructed(config.instructions());
        state = new TurnState(start, image);
        stream = services.streams().of(start.session());
        shown = services.inbox().newList(start.session());
        plugins = services.pluginsOf(start.session(), start.incarnation());
        place = new HookPlace(start.session(), services.agent(), start.turn(), start.input().with());
        hooks = new TurnHooks(plugins, place, services.time());
        children = new HookChildren(services.inbox(), start, () -> services.dispatchers()
                .gate()
                .isGated(new TurnGating(services.store(), start.session(), List::of, List::of)));
        states = UnrestoredTurns.restored(plugins, saved.plugins(), services.inbox(), start.session());
        plugins.ready();
        tools = new TurnTools(plugins.tools(services.tools().of(start.session())), saved.tools());
        inherited = new InheritedOutputs(services.store(), start.session());
        if (saved.outputs() || inherited.areNamedIn(start.input().said())) {
            keepsOutputs();
        }
    }

    /** The budget that the tool of a call declares, or null. Any thread may ask. */
    protected abstract @Nullable OutputBudget declaredBudget(CallReference call);

    /** From now on the model is offered the tools that read kept outputs. */
    private void keepsOutputs() {
        outputs = true;
        tools.append(plugins.outputTools());
    }

    /**
     * What the model is told of a batch: what the record of the next round says, or what the session's projector makes now, which that
     * record is to hold.
     *
     * @param next the record of the round after the batch, or null if there is none
     * @return null if it is told everything
     */
    protected final RoundRecord.@Nullable Before showOutputs(@Nullable Json next, List<ToolOutput> batch) {
        BatchViews views = next == null ? plugins.show(batch, () -> scope().attachments()) : null;
        RoundRecord.Before told = next != null
                ? RoundRecord.of(next).before()
                : views == null
                        ? null
                        : RoundRecord.Before.of(batch.stream().map(ToolOutput::outcome).toList(), views);
        noteOutputs(told);
        return told;
    }

    /** Notes whether outputs of a batch were kept. */
    protected final void noteOutputs(RoundRecord.@Nullable Before told) {
        if (told != null && told.outputs() && !outputs) {
            keepsOutputs();
        }
    }

    /**
     * What a round asks.
     *
     * @param request what is sent
     * @param choice how it is asked
     * @param generation of what is offered
     * @param offered hash of what is offered
     * @param plugins what plugins have put around the request, or null
     * @param estimate of its tokens; 0 if the size of the context is not known
     */
    public record Question(ModelRequest request, ModelChoice choice, long generation, String offered,
            @Nullable Json plugins, long estimate) {}

    /** A question with its estimate, if the size of the context is known. */
    protected final Question asking(ModelRequest request, ModelChoice choice, long generation,
            String offered, @Nullable Json around) {
        return new Question(request, choice, generation, offered, around,
                choice.maxContextTokens().isEmpty() ? 0 : history().raw(request, choice));
    }

    /** What is sent of messages, as compactions and views say. */
    protected final MessageLog shown(MessageLog messages) {
        viewed = history().shown();
        return history().sent(messages, viewed);
    }

    /**
     * What plugins put around the coming question; null if they put nothing there.
     *
     * @param offered whether a tool is offered
     */
    protected final @Nullable Prompt prompt(Predicate<String> offered) {
        return Prompt.of(plugins, image.instructions(), asking(), offered, services.time());
    }

    /** What plugins read when the coming question is made. */
    private StateView asking() {
        return new StateView(place, answered());
    }

    /** The conversation as the coming question begins. */
    protected abstract MessageLog conversation();

    /** What arrivals and hooks add to the conversation before the coming question. */
    protected final List<Message> said(List<Arrival> joined) {
        List<Message> said = JoinedArrivals.messages(joined);
        said.addAll(opening.messages());
        return said;
    }

    /** Carries out commands, then asks the hooks that stand before a question; what they leave counts once the round is recorded. */
    TurnHooked opening(int number, List<Arrival> joined) {
        commands(joined);
        opening = TurnHooked.NONE;
        if (!hooks.isNone()) {
            MessageLog before = conversation();
            var at = new TurnHooks.Point(number, states, before.append(said(joined)));
            opening = children.checked(number, number == 1
                    ? hooks.before(at)
                    : before.getLast() instanceof Message.ToolMessage
                            ? hooks.checkpoint(at, TurnHook.Point.AFTER_WORK)
                            : TurnHooked.NONE);
        }
        return opening;
    }

    /** Asks the hooks that may let a turn go on that is about to end. A program's loop decides by itself whether an answer ends its turn. */
    TurnHooked completing(int number, List<Arrival> joined, @Nullable ModelResponse reply,
            @Nullable TurnEnd end) {
        return TurnHooked.NONE;
    }

    /** Asks the checkpoint before an end. */
    protected final TurnHooked checkpoint(int number, List<Arrival> joined, ModelResponse reply) {
        MessageLog messages = conversation().append(said(joined)).append(reply.message());
        return children.checked(number, hooks.checkpoint(
                new TurnHooks.Point(number, answered(), messages),
                TurnHook.Point.BEFORE_COMPLETION));
    }

    /** The hooks on the coming answer. */
    OutputHooks output() {
        return new OutputHooks(plugins, asking(), services.time());
    }

    /** What hooks decide about the calls of an answer before a program's loop has them. */
    protected Map<Integer, RoundHooks.Decided> decided(int number, ModelResponse reply) {
        return Map.of();
    }

    /** The states of plugins as hooks see them that are asked after the answer. */
    protected final StateValues answered() {
        return states.with(opening.left());
    }

    /** The hooks around the calls of the turn. */
    protected CallHooks callHooks() {
        return CallHookChain.of(plugins, place, call -> states(call.call()), services.time());
    }

    /** Starts the children of hooks. */
    void start(int round, TurnHooked left) {
        children.start(round, left);
    }

    /** Applies what hooks of the turn have left in a round. */
    protected final void apply(RoundHooks left) {
        opening = TurnHooked.NONE;
        left.before().left().forEach(this::apply);
        left.after().left().forEach(this::apply);
    }

    /** The record of a prompt. */
    protected final @Nullable Json recorded(@Nullable Prompt prompt, Set<String> hidden) {
        Json view = viewed == null ? null : viewed.toJson();
        return prompt == null && hidden.isEmpty() && view == null
                ? null
                : new SentPrompt(prompt, hidden, view).toJson(sentBefore);
    }

    /** Takes over what plugins have put around a question. */
    protected final Set<String> sent(RoundRecord round) {
        RoundRecord.Asked asked = round.asked();
        history().learn(asked == null ? 0 : asked.estimate(), round.reply());
        SentPrompt sent = asked == null ? null : SentPrompt.of(asked.plugins(), sentBefore);
        if (sent == null) {
            return Set.of();
        }
        sentBefore = sent.prompt() == null ? sentBefore : sent.prompt().system();
        return sent.hidden();
    }

    /** The names of the tools that plugins leave out. */
    protected final Set<String> hidden(Supplier<List<ToolManifest>> tools) {
        return plugins.hidden(asking(), tools, services.time());
    }

    /** The scope it runs in. */
    @Override
    public abstract EffectScope scope();

    /** The keys of pauses that hold a round of it. */
    @Override
    public List<String> pausedBy() {
        return Pauses.targets(services.agent(), start.session());
    }

    /** What ends the turn before round {@code number} asks a model. */
    public abstract Optional<TurnEnd> stop(int number);

    /** What the coming round asks, with the arrivals that it takes in. */
    public abstract Question question(List<Arrival> joined);

    /** What became of the round before, if no other record holds it. */
    public abstract RoundRecord.@Nullable Before before();

    /** What an answer means for the turn; null if it goes on. */
    public abstract @Nullable TurnEnd meaning(ModelResponse reply);

    /** What is wrong with the form of an answer, if the model is to be told and asked once more. */
    public @Nullable String wrongForm(ModelResponse reply) {
        return null;
    }

    /**
     * What it means that there is no answer.
     *
     * @param lost what the requests have cost
     */
    public abstract TurnEnd unanswered(ModelException failure, Usage lost);

    /** What it means that a request is estimated to be longer than the model's context. */
    public TurnEnd tooLong(long estimate, long limit) {
        return TurnStops.tooLong(estimate, limit);
    }

    /** What requests have cost that are in no record. */
    public Usage unrecorded() {
        return Usage.NONE;
    }

    /** The messages of this turn so far, without a message whose calls are under way. Any thread may ask. */
    public List<Message> added() {
        MessageLog messages = state.messages();
        boolean open = messages.getLast() instanceof Message.AssistantMessage asked
                && !asked.calls().isEmpty();
        return added(open ? messages.subList(0, messages.size() - 1) : messages);
    }

    /** The calls of the message whose calls are under way, in the model's order; empty if there is none. Any thread may ask. */
    public List<CallPart> batch() {
        return state.messages().getLast() instanceof Message.AssistantMessage asked
                ? asked.calls()
                : List.of();
    }

    /** Of all messages, those of this turn. */
    protected final List<Message> added(List<Message> all) {
        return List.copyOf(all.subList(image.messages().size(), all.size()));
    }

    /** A round is known, from its record or because it was just made. */
    public abstract void recorded(Json record);

    /** The dispatcher of a call that is given as data. */
    public abstract ToolDispatcher dispatcher(ScopeInput call);

    /** The dispatcher of this turn's calls: tells the session's stream, and hands bodies their session. */
    public final ToolDispatcher owning(ToolDispatcher offered) {
        return offered.ownedBy(new TurnCallOwner(services, this));
    }

    /** Something has arrived from the model; what is thrown here ends the asking. */
    public void heard(ModelEvent event) {}

    /**
     * The model of the coming round is not asked before a moment that has not come; throws.
     *
     * @param outage what was tried
     * @param failure of the newest try, if that was just made
     */
    public abstract void waitForModel(int round, Outage outage, Instant due,
            @Nullable ModelException failure);

    /** What the body of a call is supplied with, if that is not what the runtime supplies. */
    public @Nullable HostValues hostValues(CallReference call) {
        return null;
    }

    /** The turn was committed. */
    public void ended() {}

    /** The calls of the turn, for its ledger. */
    protected List<TurnCall> calls(TurnState of) {
        return of.calls();
    }

    /** The calls of the turn as its records say. */
    protected final List<TurnCall> recordedCalls() {
        return TurnCalls.of(TurnRecords.of(services, start.scope(), start.turn()));
    }

    /** A call has left something behind; told again on every entry. */
    public void note(CallReference call, Aftermath aftermath) {
        left.merge(place(call.round(), call.index()), aftermath, Aftermath::plus);
    }

    private static String place(long round, int index) {
        return round + "/" + index;
    }

    /** A call has its outcome; told again on every entry. */
    void finished(CallReference call) {
        if (!left.isEmpty()) {
            finished.add(place(call.round(), call.index()));
        }
    }

    /**
     * The states of plugins that a call sees before its own changes: those before its batch; a serial call also sees what calls of the
     * batch have changed that have ended before.
     */
    public StateValues states(CallReference call) {
        StateValues now = states;
        boolean serial = !left.isEmpty() && tools.catalog()
                .find(call.tool())
                .filter(tool -> tool.manifest().scheduling() == Scheduling.SERIAL)
                .isPresent();
        for (int i = 0; serial && i < left.size() + finished.size(); i++) {
            Aftermath other = finished.contains(place(call.round(), i))
                    ? left.get(place(call.round(), i))
                    : null;
            now = other == null || i == call.index() ? now : now.with(other.changes());
        }
        return now;
    }

    /** The states of plugins after all settled calls. */
    protected StateValues states() {
        return states;
    }

    @Override
    public SessionPlugins plugins() {
        return plugins;
    }

    public HookPlace place() {
        return place;
    }

    /** Applies what a call has changed and spent; returns all that it has left behind. */
    public Aftermath applyLeft(long round, int index) {
        Aftermath found = left.isEmpty() ? null : left.remove(place(round, index));
        Aftermath aftermath = found == null ? Aftermath.NONE : found;
        doubts.addAll(aftermath.doubts());
        for (Json change : aftermath.changes()) {
            apply(change);
        }
        return aftermath;
    }

    /** Applies what a call, a hook or a command has recorded. */
    protected final void apply(Json change) {
        StateChange ofPlugin = StateChange.of(change).orElse(null);
        if (ofPlugin != null) {
            apply(ofPlugin);
        } else if (!state.spending().add(change)) {
            tools.apply(ToolCommand.of(change));
        }
    }

    private void apply(StateChange change) {
        try {
            states = states.with(change);
        } catch (BelayException e) {
            if (!e.code().equals("resource_limit")) {
                throw e;
            }
            LOG.warn("A change in session {} is left out: {}", start.session(), e.getMessage());
        }
    }

    /** Tells the stream what hooks have just left. */
    public void told(List<Json> left) {
        for (Json one : left) {
            StateChange.of(one)
                    .filter(StateChange::isEvent)
                    .ifPresent(event -> tell(new TurnEvent.Plugin(start.turn(), event.plugin(), event.name(),
                            event.data())));
        }
    }

    /** Makes the turn's end the end of its scope; what is returned is the scope's result. */
    public Json commit(TurnEnd end) {
        if (start.input().manner().action() == null) { // a turn that asks no model is none to its plugins
            ending = children.checked(state.rounds(), hooks.after(
                    new TurnHooks.Point(state.rounds(), states, state.messages()),
                    TurnCommits.ended(end, state)));
        }
        ending.left().forEach(this::apply);
        start(state.rounds(), ending);
        Json changed = tools.saved();
        Json kept = states.kept();
        last = actions.unrecorded();
        last.forEach(state::acted); // no record has them, so the commit does
        return commit(end, state,
                changed == null && !config.isChanged() && Objects.equals(kept, saved.plugins())
                        && outputs == saved.outputs() && !history().isChanged()
                                ? null
                                : new SavedState(changed == null ? saved.tools() : changed, config.session(),
                                        kept, outputs, history().saved()).toJson(),
                List.of());
    }

    /** The turn leaves doubts. */
    protected final void doubted(List<String> ids) {
        doubts.addAll(ids);
    }

    /**
     * The same with another account of the turn.
     *
     * @param changed the session's new state, or null for the one it has
     * @param opens doubts about calls that do not go on
     */
    public Json commit(TurnEnd end, TurnState of, @Nullable Json changed, List<OpenDoubt.Of> opens) {
        of.spending().add(config.modelName(), unrecorded(), services.settings().models());
        TurnResult result = TurnCommits.result(start, of, end, List.copyOf(doubts));
        TurnCommit commit = TurnCommits.of(start, of, result, changed, calls(of), opens,
                TurnCommits.queued(start, ending, services.inbox().now()));
        for (String token : of.settles()) {
            notify(token, commit.result());
        }
        ClaimedScope.of(scope()).endWith((claim, ignored, at) -> {
            boolean done = services.inbox().commit(claim, commit, at, () -> {
                last.forEach(one -> told(one.left()));
                Json kept = commit.state() == null ? image.state() : commit.state();
                services.inbox()
                        .images()
                        .put(start.session(),
                                image.after(of.messages(), kept, result.isReadAsIs() ? result : null,
                                        of == state ? history().view() : null));
                TurnCommits.tell(stream, start, opens);
                told(ending.left());
                stream.tell(new TurnEvent.Committed(start.turn(), result));
                hooks.committed(states, TurnCommits.ended(end, of));
            });
            if (done) {
                ended();
            }
            return done;
        });
        return commit.result();
    }

    /** Settles a wait with the result of the turn, before the turn commits. */
    public void notify(String token, Json result) {
        scope().run(new NotifyEffect(services.host(), token, result));
    }

    /** What the session was before. */
    public SessionImage image() {
        return image;
    }

    /** Keeps the outputs of a parent that the inputs of a round name. */
    void inheritOutputs(List<Arrival> joined) {
        if (state.rounds() == 0) {
            inherited.keep(start.input().said(), scope().attachments());
        }
        if (!joined.isEmpty()) {
            inherited.keep(JoinedArrivals.messages(joined), scope().attachments());
        }
    }

    /** Carries out the commands and actions among arrivals, once each. What is recorded of an action is not asked again. */
    public void commands(List<Arrival> joined) {
        if (!outputs && !joined.isEmpty() && inherited.areNamedIn(JoinedArrivals.messages(joined))) {
            keepsOutputs();
        }
        for (Arrival arrival : joined) {
            if (arrival.kind() == Arrival.Kind.NOTICE || !carriedOut.add(arrival.id())) {
                continue;
            }
            if (arrival.kind() == Arrival.Kind.COMMAND) {
                switch (SessionCommand.of(arrival.content())) {
                    case ToolCommand about -> tools.apply(about);
                    case SessionCommand.Settings(TurnSettings settings) -> config.apply(settings);
                    case SessionCommand.ResetPlugin(String plugin) -> states = states.without(plugin);
                    case SessionCommand.Compact compact -> {
                    } // the history looks for it before the round
                }
            } else {
                Optional<ActedOn> recorded = ActedOn.of(arrival);
                recorded.ifPresentOrElse(known -> known.left().forEach(this::apply),
                        () -> act(arrival.id(), TurnInput.of(arrival.content())));
            }
        }
    }

    private void act(String inputId, TurnInput input) {
        actions.act(new ActionRun(plugins, place, services.time()), inputId, input, states)
                .forEach(this::apply);
    }

    /** The arrivals of a round as it records them: with what came of actions. */
    List<Arrival> asRecorded(List<Arrival> joined) {
        return actions.in(joined);
    }

    /** A round is recorded: tells what its actions have told, if it was just made. */
    public final void actionsRecorded(RoundRecord round) {
        actions.recorded(round.joined()).forEach(done -> told(done.left()));
    }

    /** A turn that asks no model: carries out the action that started it, and the commands that wait; the commit is its only record. */
    final Json withoutModel() {
        List<Arrival> waiting = services.inbox()
                .waiting(start.session())
                .stream()
                .map(Arrived::arrival)
                .filter(arrival -> arrival.kind() == Arrival.Kind.COMMAND)
                .toList();
        commands(waiting);
        waiting.forEach(state::took);
        act(start.inputId(), start.input());
        return commit(new TurnEnd.Finished("", actions.unrecorded().getLast().result().output()));
    }

    /** What of the conversation is sent. */
    public TurnHistory history() {
        TurnHistory made = history;
        if (made == null) {
            made = new TurnHistory(this, image.messages(), image.skipped(), saved.history(), image.view());
            history = made;
        }
        return made;
    }

    @Override
    public int older() {
        return image.messages().size();
    }

    @Override
    public long number() {
        return start.turn();
    }

    @Override
    public @Nullable String standingInstructions() {
        return start.input().settings().instructions() == null ? image.instructions() : null;
    }

    @Override
    public @Nullable Json savedIn(long turn) {
        return SavedState.historyIn(services.store(), start.session(), turn);
    }

    @Override
    public StateView stateView() {
        return new StateView(place, states);
    }

    @Override
    public TimeSource time() {
        return services.time();
    }

    @Override
    public Models models() {
        return services.settings().models();
    }

    @Override
    public boolean stops() {
        return services.host().stops(scope().id());
    }

    @Override
    public Json spending(String model, Usage usage) {
        return TurnSpending.left(model, usage, models().cost(model, usage));
    }

    @Override
    public void spent(Json recorded) {
        state.spending().add(recorded);
    }

    @Override
    public void lost() {
        state.lostRound();
    }

    @Override
    public void tell(Compaction compaction) {
        tell(new TurnEvent.Plugin(start.turn(), compaction.plugin(), "history.compacted",
                Json.from(compaction)));
    }

    public static String hash(Json record) {
        return new FramedHash().add(record.text()).hex();
    }

    /** The turn runs here: inputs that it shows to a model cannot be withdrawn. */
    public void opened() {
        services.inbox().opened(start.scope(), shown);
        services.bodies().watch(start, plugins);
    }

    /** The turn runs here no more. */
    public void closed() {
        services.inbox().closed(start.scope(), shown);
    }

    public TurnServices services() {
        return services;
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

    SessionStream stream() {
        return stream;
    }

    public void tell(TurnEvent event) {
        stream.tell(event);
    }

    ShownInputs shown() {
        return shown;
    }
}
