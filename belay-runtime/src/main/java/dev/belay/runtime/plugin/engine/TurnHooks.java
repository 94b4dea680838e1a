package dev.belay.runtime.plugin.engine;

import dev.belay.BelayException;
import dev.belay.model.Message;
import dev.belay.model.Message.UserMessage;
import dev.belay.runtime.effect.TimeSource;
import dev.belay.runtime.plugin.TurnHook;
import dev.belay.runtime.plugin.TurnHook.Verdict;
import dev.belay.runtime.plugin.engine.SessionPlugins.Of;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The hooks of a session's plugins around one turn. They are asked in the order of the stack, each after what the ones before it have
 * left. The first that aborts, throws or hangs before or within a turn ends it; one that fails after the end is left out. Thread-safe.
 */
public final class TurnHooks {

    private static final Logger LOG = LoggerFactory.getLogger("dev.belay.plugin");

    private final SessionPlugins plugins;
    private final HookPlace place;
    private final TimeSource time;

    public TurnHooks(SessionPlugins plugins, HookPlace place, TimeSource time) {
        this.plugins = plugins;
        this.place = place;
        this.time = time;
    }

    /**
     * Where hooks of a turn are asked.
     *
     * @param round see {@link TurnHook.Context#round}
     * @param values the states of plugins
     * @param messages the conversation
     */
    public record Point(int round, StateValues values, List<Message> messages) {}

    /** Asks before the first round. */
    public TurnHooked before(Point at) {
        return decided(plugins.beforeTurn, at, TurnHook.Before::decide);
    }

    /** Asks at a checkpoint. */
    public TurnHooked checkpoint(Point at, TurnHook.Point point) {
        return decided(plugins.checkpoints, at, (hook, turn) -> hook.decide(turn, point));
    }

    /** Whether no plugin is asked before a question. */
    public boolean isNone() {
        return plugins.beforeTurn.isEmpty() && plugins.checkpoints.isEmpty();
    }

    private <H> TurnHooked decided(List<Of<H>> hooks, Point at,
            BiFunction<H, TurnHook.Context, Verdict> decide) {
        if (hooks.isEmpty()) {
            return TurnHooked.NONE;
        }
        var asked = new Asked<>(hooks, at, decide);
        try {
            HookThread.run(time, asked::run);
        } catch (HookThread.HookFailure failure) {
            LOG.warn("A hook of session {} failed and ends turn {}", place.session(), place.turn(), failure);
            asked.stops(new TurnHooked.Stop(failure.plugin(), "turn_hook_failed",
                    String.valueOf(failure.getMessage())));
        }
        return asked.all();
    }

    /** Tells the end; a hook that fails leaves nothing, and the others are told. */
    public TurnHooked after(Point at, TurnHook.Ended end) {
        if (plugins.afterTurn.isEmpty()) {
            return TurnHooked.NONE;
        }
        var asked = new Asked<>(plugins.afterTurn, at, (hook, turn) -> {
            hook.ended(turn, end);
            return TurnHook.goOn();
        });
        while (asked.isOpen()) {
            try {
                HookThread.run(time, asked::run);
            } catch (HookThread.HookFailure failure) {
                LOG.warn("A hook after turn {} of session {} failed; what it has left does not count",
                        place.turn(), place.session(), failure);
                asked.skip();
            }
        }
        return asked.all();
    }

    /** Tells listeners of a turn that was committed. */
    public void committed(StateValues values, TurnHook.Ended end) {
        for (var one : plugins.committed) {
            try {
                HookThread.run(time, thread -> {
                    thread.enters(one.plugin());
                    one.value().accept(new StateView(place, values), end);
                    return true;
                });
            } catch (HookThread.HookFailure failure) {
                LOG.warn("A listener of session {} failed at the commit of turn {}", place.session(),
                        place.turn(), failure);
            }
        }
    }

    /** One chain of hooks. What a thread that was given up leaves later does not count. */
    private final class Asked<H> {

        private final List<Of<H>> hooks;
        private final BiFunction<H, TurnHook.Context, Verdict> decide;
        private final int round;
        private final List<dev.belay.json.Json> left = new ArrayList<>(0);
        private final List<TurnHooked.Said> said = new ArrayList<>(0);
        private final List<TurnHooked.Child> children = new ArrayList<>(0);
        private final List<Message> messages;
        private StateValues values;
        private TurnHooked.@Nullable Stop stop;
        private int next;

        Asked(List<Of<H>> hooks, Point at, BiFunction<H, TurnHook.Context, Verdict> decide) {
            this.hooks = hooks;
            this.decide = decide;
            round = at.round();
            values = at.values();
            messages = at.messages();
        }

        synchronized boolean isOpen() {
            return next < hooks.size() && stop == null;
        }

        synchronized void skip() {
            next++;
        }

        synchronized void stops(TurnHooked.Stop why) {
            stop = why;
        }

        synchronized TurnHooked all() {
            return new TurnHooked(left, said, children, stop);
        }

        Boolean run(HookThread thread) {
            while (isOpen()) {
                Of<H> hook = hooks.get(next);
                thread.enters(hook.plugin());
                HookedTurn scope = scope(hook.plugin());
                Verdict verdict = Objects.requireNonNull(decide.apply(hook.value(), scope),
                        "the hook returned null");
                if (!take(thread, hook.plugin(), scope, verdict)) {
                    return false;
                }
            }
            return true;
        }

        private synchronized HookedTurn scope(String plugin) {
            List<Message> seen = messages;
            if (!said.isEmpty()) {
                seen = new ArrayList<>(messages);
                said.stream().map(TurnHooked.Said::message).forEach(seen::add);
            }
            return new HookedTurn(place, plugin, values, round, seen);
        }

        private synchronized boolean take(HookThread thread, String plugin, HookedTurn scope,
                Verdict verdict) {
            if (!thread.isOpen()) {
                return false;
            }
            left.addAll(scope.take());
            values = scope.values();
            scope.said.forEach(message -> said.add(new TurnHooked.Said(plugin, message)));
            children.addAll(scope.children);
            if (verdict instanceof Verdict.Abort(String reason)) {
                LOG.info("Plugin {} ends turn {} of session {}: {}", plugin, place.turn(), place.session(),
                        reason);
                stop = new TurnHooked.Stop(plugin, "plugin_abort", reason);
            }
            next++;
            return true;
        }
    }

    /** A turn as one hook sees it. */
    private static final class HookedTurn extends HookScope implements TurnHook.Context {

        private static final int MOST = 100;
        private static final int LONGEST = 64 << 10;

        private final String plugin;
        private final int round;
        private final List<Message> messages;
        private final List<UserMessage> said = new ArrayList<>(0);
        private final List<TurnHooked.Child> children = new ArrayList<>(0);

        HookedTurn(HookPlace place, String plugin, StateValues values, int round, List<Message> messages) {
            super(place, plugin, values);
            this.plugin = plugin;
            this.round = round;
            this.messages = messages;
        }

        @Override
        public int round() {
            return round;
        }

        @Override
        public List<Message> messages() {
            return messages;
        }

        @Override
        public synchronized void add(UserMessage message) {
            requireOpen("a message cannot be added");
            requireRoom("messages", said.size(), message.text());
            said.add(message);
        }

        @Override
        public synchronized void startChild(String name, String agent, String input) {
            requireOpen("a child cannot be started");
            requireRoom("children", children.size(), name + agent + input);
            if (children.stream().anyMatch(other -> other.name().equals(name))) {
                throw new IllegalArgumentException(
                        "plugin " + plugin + " starts a child \"" + name + "\" twice; name them differently");
            }
            children.add(new TurnHooked.Child(plugin, Objects.requireNonNull(name, "name"),
                    Objects.requireNonNull(agent, "agent"), Objects.requireNonNull(input, "input")));
        }

        private void requireRoom(String what, int count, String text) {
            if (count >= MOST || text.length() > LONGEST) {
                throw new BelayException("resource_limit", "a hook of plugin " + plugin + " may leave " + MOST
                        + " " + what + " of " + LONGEST + " characters each");
            }
        }
    }
}
