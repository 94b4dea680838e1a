package dev.belay.runtime.session.turn;

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
import dev.belay.runtime.effect.EffectScope;
import dev.belay.runtime.effect.ScopeId;
import dev.belay.runtime.effect.ScopeInput;
import dev.belay.runtime.plugin.engine.HookPlace;
import dev.belay.runtime.plugin.engine.Prompt;
import dev.belay.runtime.plugin.engine.RoundHooks;
import dev.belay.runtime.plugin.engine.SentPrompt;
import dev.belay.runtime.plugin.engine.SessionPlugins;
import dev.belay.runtime.plugin.engine.StateChange;
import dev.belay.runtime.plugin.engine.StateValues;
import dev.belay.runtime.plugin.engine.TurnHooked;
import dev.belay.runtime.session.TurnCall;
import dev.belay.runtime.session.TurnEnd;
import dev.belay.runtime.session.TurnEvent;
import dev.belay.runtime.session.asking.ModelChoice;
import dev.belay.runtime.session.asking.Outage;
import dev.belay.runtime.session.asking.TurnConfig;
import dev.belay.runtime.session.gate.TurnGating;
import dev.belay.runtime.session.history.TurnHistory;
import dev.belay.runtime.session.inbox.HookChildren;
import dev.belay.runtime.session.inbox.InheritedOutputs;
import dev.belay.runtime.session.inbox.SavedState;
import dev.belay.runtime.session.inbox.SessionImage;
import dev.belay.runtime.session.inbox.ShownInputs;
import dev.belay.runtime.session.inbox.TurnStart;
import dev.belay.runtime.session.inbox.UnenteredTurns;
import dev.belay.runtime.session.state.Question;
import dev.belay.runtime.session.state.RoundRecord;
import dev.belay.runtime.session.state.TurnCommands;
import dev.belay.runtime.session.state.TurnOutputs;
import dev.belay.runtime.session.state.TurnPlugins;
import dev.belay.runtime.session.state.TurnSearch;
import dev.belay.runtime.session.state.TurnState;
import dev.belay.runtime.session.state.TurnTools;
import dev.belay.runtime.session.stream.SessionStream;
import dev.belay.runtime.store.Arrival;
import dev.belay.runtime.store.journal.Pauses;
import dev.belay.tool.context.HostValues;
import dev.belay.tool.option.OutputBudget;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One turn: what it starts from, what it has so far, and how it is committed. {@link TurnLoop} is the loop that the runtime owns;
 * {@code HostedTurn} serves a loop that a program owns.
 *
 * <p><b>Concurrency.</b> Confined to the thread of the turn's scope; calls have their own. <b>Durability.</b> Each round is one
 * record, each call has its own, and the commit ends the scope in the same write.
 */
public abstract class SessionTurn {

    private final TurnServices services;
    private final TurnStart start;
    private final SessionImage image;
    private final TurnState state;
    private final SessionStream stream;
    private final SavedState saved;
    private final TurnTools tools;
    private final TurnConfig config;
    private final TurnPlugins plugins;
    private final TurnOutputs outputs;
    private final TurnSearch search;
    private final TurnCommands commands;
    private final SentHistory history;
    private final TurnEnding ending;
    private final ShownInputs shown;
    private volatile boolean asked;
    /** A turn that is entered under the claim of this fence. */
    @SuppressWarnings("this-escape") // two parts keep the turn and do not ask it before it is made
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
        SessionPlugins own = services.pluginsOf(start.session(), start.incarnation());
        StateValues states = UnenteredTurns.restored(own, saved.plugins(), services.inbox(), start);
        own.ready();
        tools = new TurnTools(own.tools(services.tools().of(start.session())), saved.tools());
        var place = new HookPlace(start.session(), services.agent(), start.turn(), start.input().with());
        var children = new HookChildren(services.inbox(), start, () -> services.dispatchers()
                .gate()
                .isGated(new TurnGating(services.store(), start.session())));
        plugins = new TurnPlugins(own, place, services.time(), children, states, state, tools);
        outputs = new TurnOutputs(own, tools, new InheritedOutputs(services.store(), start.session()),
                saved.outputs(), services.time());
        outputs.look(start.input().said());
        search = new TurnSearch(own, tools, services.indexes());
        commands = new TurnCommands(config, tools, plugins, outputs);
        history = new SentHistory(this);
        ending = new TurnEnding(this);
    }

    /** The budget that the tool of a call declares, or null. Any thread may ask. */
    protected abstract @Nullable OutputBudget declaredBudget(CallReference call);

    /** A question with its estimate, if the size of the context is known. */
    protected final Question asking(ModelRequest request, ModelChoice choice, long generation,
            String offered, @Nullable Json around) {
        return new Question(request, choice, generation, offered, around,
                choice.maxContextTokens().isEmpty() ? 0 : history().raw(request, choice));
    }

    /** What is sent of messages, as compactions and views say. */
    protected final MessageLog shown(MessageLog messages) {
        return history.sent(messages);
    }

    /** The conversation as the coming question begins. */
    protected abstract MessageLog conversation();

    /** Carries out commands, then asks the hooks that stand before a question; what they leave counts once the round is recorded. */
    TurnHooked opening(int number, List<Arrival> joined) {
        commands.open(joined);
        return plugins.opening(number, joined, this::conversation);
    }

    /** Asks the hooks that may let a turn go on that is about to end. A program's loop decides by itself whether an answer ends its turn. */
    TurnHooked completing(int number, List<Arrival> joined, @Nullable ModelResponse reply,
            @Nullable TurnEnd end) {
        return TurnHooked.NONE;
    }

    /** What hooks decide about the calls of an answer before a program's loop has them. */
    protected Map<Integer, RoundHooks.Decided> decided(int number, ModelResponse reply) {
        return Map.of();
    }

    /** The hooks around the calls of the turn. */
    protected CallHooks callHooks() {
        return plugins.callHooks(this::states);
    }

    /** The record of what stands around a question. */
    protected final @Nullable Json recorded(@Nullable Prompt prompt, Set<String> hidden,
            SentPrompt.@Nullable Searched searched) {
        return plugins.recorded(prompt, hidden, history.view(), searched);
    }

    /** Takes over what plugins have put around a question; the names of the tools that were left out. */
    protected final Set<String> sent(RoundRecord round) {
        RoundRecord.Asked asked = round.asked();
        history().learn(asked == null ? 0 : asked.estimate(), round.reply());
        if (asked != null && plugins.session().configure()) {
            config.asked(asked.model(), asked.variant());
        }
        return search.sent(plugins.sent(asked));
    }

    /** Whether rounds that were not asked since the turn was entered may have records: a program's loop may ask for a round twice. */
    boolean replays() {
        return true;
    }

    /** The scope it runs in. */
    public abstract EffectScope scope();

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

    /** What it means that there is no answer, and what the requests have cost. */
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
        return asked ? TurnCalls.withAsked(of.calls(), records()) : of.calls();
    }

    /** The records of the turn. */
    protected final TurnRecords records() {
        return TurnRecords.of(services, start.scope(), start.turn());
    }

    /** A call of the turn has asked a person. */
    final void asked() {
        asked = true;
    }

    /** The states of plugins that a call sees before its own changes. */
    public StateValues states(CallReference call) {
        return plugins.states(call);
    }

    /** Applies what a call has changed and spent; returns all that it has left behind. */
    public Aftermath applyLeft(long round, int index) {
        Aftermath aftermath = plugins.applyLeft(round, index);
        ending.doubted(aftermath.doubts());
        return aftermath;
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

    /** How the turn is committed. */
    public TurnEnding ending() {
        return ending;
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
        outputs.inherit(state.rounds() == 0 ? start.input().said() : List.of(), joined,
                scope().attachments());
    }

    /** A round is recorded: tells what its actions have told, if it was just made. */
    public final void actionsRecorded(RoundRecord round) {
        commands.actions().recorded(round.joined()).forEach(done -> told(done.left()));
    }

    /** Everything that was said, behind the instructions; it only grows. */
    public abstract MessageLog log();

    /** The keys of pauses that hold a round of it. */
    public List<String> pausedBy() {
        return Pauses.targets(services.agent(), start.session());
    }

    /** What of the conversation is sent. */
    public TurnHistory history() {
        return history.get();
    }

    /** The turn runs here: inputs that it shows to a model cannot be withdrawn. */
    public void opened(ScopeId at) {
        services.inbox().opened(at, shown);
        services.bodies().watch(start, plugins.session());
    }

    /** The turn runs here no more. */
    public void closed(ScopeId at) {
        services.inbox().closed(at, shown);
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

    public TurnPlugins plugins() {
        return plugins;
    }

    public final TurnCommands commands() {
        return commands;
    }

    public final TurnSearch search() {
        return search;
    }

    public final TurnOutputs outputs() {
        return outputs;
    }

    SavedState saved() {
        return saved;
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
