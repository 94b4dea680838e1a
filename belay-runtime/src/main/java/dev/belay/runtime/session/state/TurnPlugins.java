package dev.belay.runtime.session.state;

import dev.belay.BelayException;
import dev.belay.json.Json;
import dev.belay.model.Message;
import dev.belay.model.MessageLog;
import dev.belay.model.ModelResponse;
import dev.belay.runtime.dispatch.CallHooks;
import dev.belay.runtime.dispatch.CallReference;
import dev.belay.runtime.dispatch.record.Aftermath;
import dev.belay.runtime.effect.TimeSource;
import dev.belay.runtime.plugin.TurnHook;
import dev.belay.runtime.plugin.engine.ActionRun;
import dev.belay.runtime.plugin.engine.CallHookChain;
import dev.belay.runtime.plugin.engine.ConfigHooks;
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
import dev.belay.runtime.session.gate.StartedCalls;
import dev.belay.runtime.session.inbox.HookChildren;
import dev.belay.runtime.session.inbox.JoinedArrivals;
import dev.belay.runtime.session.inbox.ToolCommand;
import dev.belay.runtime.store.Arrival;
import dev.belay.tool.ToolManifest;
import dev.belay.tool.option.Scheduling;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The plugins of one turn: their states, what their hooks and the turn's calls have left, and what they put around questions.
 *
 * <p><b>Concurrency.</b> Confined to the turn's thread, but for what is said of calls, which end on their own threads.
 * <b>Durability.</b> Nothing of its own: all that it holds is in records of rounds and calls. <b>Recovery.</b> The same records are
 * applied again in their order.
 */
public final class TurnPlugins {

    private static final Logger LOG = LoggerFactory.getLogger("dev.belay.plugin");

    private final SessionPlugins plugins;
    private final HookPlace place;
    private final TimeSource time;
    private final TurnHooks hooks;
    private final HookChildren children;
    private final TurnState state;
    private final TurnTools tools;
    private final Map<String, Aftermath> left = new ConcurrentHashMap<>();
    private final StartedCalls started = new StartedCalls();
    /** Calls that have ended after another one has left something; most turns have none. */
    private volatile Set<String> finished = Set.of();
    private volatile StateValues states;
    /** What hooks have left before the question that is asked now; applied once it is recorded. */
    private TurnHooked opening = TurnHooked.NONE;
    /** What hooks have left at the end of the turn. */
    private TurnHooked ending = TurnHooked.NONE;
    private @Nullable String sentBefore;
    private boolean begun;

    /**
     * Of a turn that is entered.
     *
     * @param states as the session has kept them
     */
    public TurnPlugins(SessionPlugins plugins, HookPlace place, TimeSource time, HookChildren children,
            StateValues states, TurnState state, TurnTools tools) {
        this.plugins = plugins;
        this.place = place;
        this.time = time;
        this.hooks = new TurnHooks(plugins, place, time);
        this.children = children;
        this.states = states;
        this.state = state;
        this.tools = tools;
    }

    /** The plugins of the session. */
    public SessionPlugins session() {
        return plugins;
    }

    /** Where hooks are asked. */
    public HookPlace place() {
        return place;
    }

    /** The states after all settled calls. */
    public StateValues states() {
        return states;
    }

    /** The states as hooks see them that are asked after the answer. */
    public StateValues answered() {
        return states.with(opening.left());
    }

    /** What plugins read when the coming question is made. */
    private StateView asking() {
        return new StateView(place, answered());
    }

    /**
     * What plugins put around the coming question; null if they put nothing there.
     *
     * @param offered whether a tool is offered
     */
    public @Nullable Prompt prompt(String instructions, Predicate<String> offered) {
        return Prompt.of(plugins, instructions, asking(), offered, time);
    }

    /** The hooks on how the coming question is asked. */
    public ConfigHooks config() {
        return new ConfigHooks(plugins, asking(), time);
    }

    /** The names of the tools that plugins leave out. */
    public Set<String> hidden(Supplier<List<ToolManifest>> offered) {
        return plugins.hidden(asking(), offered, time);
    }

    /** What arrivals and hooks add to the conversation before the coming question. */
    public List<Message> said(List<Arrival> joined) {
        List<Message> said = JoinedArrivals.messages(joined);
        said.addAll(opening.messages());
        return said;
    }

    /** Asks the hooks that stand before a question; what they leave counts once the round is recorded. */
    public TurnHooked opening(int round, List<Arrival> joined, Supplier<MessageLog> conversation) {
        begun = true;
        opening = TurnHooked.NONE;
        if (!hooks.isNone()) {
            MessageLog before = conversation.get();
            var at = new TurnHooks.Point(round, states, before.append(said(joined)));
            opening = children.checked(round, round == 1
                    ? hooks.before(at)
                    : before.getLast() instanceof Message.ToolMessage
                            ? hooks.checkpoint(at, TurnHook.Point.AFTER_WORK)
                            : TurnHooked.NONE);
        }
        return opening;
    }

    /** Whether a question was about to be asked since the turn was entered. */
    public boolean hasBegun() {
        return begun;
    }

    /** Asks the checkpoint before an end. */
    public TurnHooked completing(int round, List<Arrival> joined, MessageLog conversation,
            ModelResponse reply) {
        if (hooks.isNone()) {
            return TurnHooked.NONE;
        }
        MessageLog messages = conversation.append(said(joined)).append(reply.message());
        return children.checked(round, hooks.checkpoint(new TurnHooks.Point(round, answered(), messages),
                TurnHook.Point.BEFORE_COMPLETION));
    }

    /** Asks the hooks that stand behind the turn, and starts the children that they want. */
    public void ending(TurnHook.Ended end) {
        ending = children.checked(state.rounds(),
                hooks.after(new TurnHooks.Point(state.rounds(), states, state.messages()), end));
        ending.left().forEach(this::apply);
        start(state.rounds(), ending);
    }

    /** What hooks have left at the end of the turn. */
    public TurnHooked ending() {
        return ending;
    }

    /** Tells hooks that the turn is committed. */
    public void committed(TurnHook.Ended end) {
        hooks.committed(states, end);
    }

    /** Starts the children of hooks. */
    public void start(int round, TurnHooked by) {
        children.start(round, by);
    }

    /** The hooks on the coming answer. */
    public OutputHooks output() {
        return new OutputHooks(plugins, asking(), time);
    }

    /**
     * The hooks around the calls of the turn.
     *
     * @param seen the states that a call sees
     */
    public CallHooks callHooks(Function<CallReference, StateValues> seen) {
        return CallHookChain.of(plugins, place, call -> seen.apply(call.call()), time);
    }

    /** How actions are carried out. */
    ActionRun actions() {
        return new ActionRun(plugins, place, time);
    }

    /**
     * What is recorded of what plugins have put around a question, or null.
     *
     * @param view what of the history is sent, or null for all of it
     * @param searched how tools can be searched, or null for not
     */
    public @Nullable Json recorded(@Nullable Prompt prompt, Set<String> hidden, @Nullable Json view,
            SentPrompt.@Nullable Searched searched) {
        return prompt == null && hidden.isEmpty() && view == null && searched == null
                ? null
                : new SentPrompt(prompt, hidden, view, searched).toJson(sentBefore);
    }

    /** Takes over what plugins have put around a question; null for nothing. */
    public @Nullable SentPrompt sent(RoundRecord.@Nullable Asked asked) {
        SentPrompt sent = asked == null ? null : SentPrompt.of(asked.plugins(), sentBefore);
        sentBefore = sent == null || sent.prompt() == null ? sentBefore : sent.prompt().system();
        return sent;
    }

    /** The calls of processes that calls of the turn have started. */
    public StartedCalls started() {
        return started;
    }

    /** A call has left something behind; told again on every entry. */
    public void note(CallReference call, Aftermath aftermath) {
        left.merge(key(call.round(), call.index()), aftermath, Aftermath::plus);
        aftermath.changes().forEach(change -> started.note(call.round(), change));
    }

    /** A call has its outcome; told again on every entry. */
    public void finished(CallReference call) {
        if (!left.isEmpty()) {
            isFinished(key(call.round(), call.index()));
        }
    }

    private synchronized void isFinished(String call) {
        finished = finished.isEmpty() ? ConcurrentHashMap.newKeySet() : finished;
        finished.add(call);
    }

    private static String key(long round, Object index) {
        return round + "/" + index;
    }

    /**
     * The states that a call sees before its own changes: those before its batch; a serial call also sees what calls of the batch have
     * changed that have ended before.
     */
    public StateValues states(CallReference call) {
        if (left.isEmpty() || tools.catalog()
                .find(call.tool())
                .filter(tool -> tool.manifest().scheduling() == Scheduling.SERIAL)
                .isEmpty()) {
            return states;
        }
        StateValues now = states;
        String round = key(call.round(), "");
        for (String other : left.keySet()
                .stream()
                .filter(one -> one.startsWith(round) && finished.contains(one)
                        && !one.equals(key(call.round(), call.index())))
                .sorted(Comparator.comparingInt(one -> Integer.parseInt(one.substring(round.length()))))
                .toList()) {
            Aftermath ended = left.get(other);
            now = ended == null ? now : now.with(ended.changes());
        }
        return now;
    }

    /** Applies what a call has changed and spent; returns all that it has left behind. */
    public Aftermath applyLeft(long round, int index) {
        Aftermath found = left.isEmpty() ? null : left.remove(key(round, index));
        Aftermath aftermath = found == null ? Aftermath.NONE : found;
        aftermath.changes().forEach(this::apply);
        return aftermath;
    }

    /** Applies what hooks of the turn have left in a round. */
    public void apply(RoundHooks decided) {
        opening = TurnHooked.NONE;
        decided.before().left().forEach(this::apply);
        decided.after().left().forEach(this::apply);
    }

    /** Applies what a call, a hook or a command has recorded. */
    public void apply(Json change) {
        StateChange ofPlugin = StateChange.of(change).orElse(null);
        if (ofPlugin != null) {
            apply(ofPlugin);
        } else if (!state.spending().add(change) && !StartedCalls.isOne(change)) {
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
            LOG.warn("A change in session {} is left out: {}", place.session(), e.getMessage());
        }
    }

    /** Forgets the states of a plugin. */
    void reset(String plugin) {
        states = states.without(plugin);
    }
}
