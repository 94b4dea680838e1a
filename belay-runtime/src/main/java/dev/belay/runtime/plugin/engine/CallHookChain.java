package dev.belay.runtime.plugin.engine;

import dev.belay.json.Json;
import dev.belay.runtime.dispatch.CallHooks;
import dev.belay.runtime.dispatch.CallView;
import dev.belay.runtime.effect.TimeSource;
import dev.belay.runtime.plugin.AfterVerdict;
import dev.belay.runtime.plugin.BeforeVerdict;
import dev.belay.runtime.plugin.CallHook;
import dev.belay.runtime.plugin.engine.SessionPlugins.Of;
import dev.belay.tool.ToolDefinition;
import dev.belay.tool.ToolFailure;
import dev.belay.tool.ToolManifest;
import dev.belay.tool.ToolOutcome;
import dev.belay.tool.context.CallId;
import dev.belay.tool.context.PluginState;
import dev.belay.tool.option.RetryAdvice;
import dev.belay.tool.option.Scheduling;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The hooks of a session's plugins around its calls. All hooks are asked, so that a stronger verdict counts whenever it comes: abort,
 * then reject, then complete; of equal ones before the body that of the smaller plugin id, after it the first. After an edit or a
 * replacement the hooks before it look once more; a second one then fails the call. Thread-safe.
 */
public final class CallHookChain implements CallHooks {

    private static final Logger LOG = LoggerFactory.getLogger("dev.belay.tool.hook");

    private final SessionPlugins plugins;
    private final HookPlace place;
    private final Function<CallView, StateValues> base;
    private final TimeSource time;
    /** Whether the loop is a program's own: hooks before the body decide when the round is delivered. */
    private final boolean hosted;

    private CallHookChain(SessionPlugins plugins, HookPlace place, Function<CallView, StateValues> base,
            TimeSource time, boolean hosted) {
        this.plugins = plugins;
        this.place = place;
        this.base = base;
        this.time = time;
        this.hosted = hosted;
    }

    /**
     * The hooks of a turn's calls.
     *
     * @param base the states that a call sees before its own changes
     */
    public static CallHooks of(SessionPlugins plugins, HookPlace place, Function<CallView, StateValues> base,
            TimeSource time) {
        return plugins.hooksNoCalls() ? CallHooks.NONE : new CallHookChain(plugins, place, base, time, false);
    }

    /** The same for calls of a program's loop: hooks before the body decide when the round is delivered, with {@link #decide}. */
    public static CallHooks afterDelivery(SessionPlugins plugins, HookPlace place,
            Function<CallView, StateValues> base, TimeSource time) {
        return plugins.hooksNoCalls() ? CallHooks.NONE : new CallHookChain(plugins, place, base, time, true);
    }

    /** Decides about a call of a round that is delivered to a program's loop; null if nothing is decided and left. */
    public static RoundHooks.@Nullable Decided decide(SessionPlugins plugins, HookPlace place,
            StateValues base,
            TimeSource time, ToolDefinition tool, CallView call) {
        if (plugins.beforeCall.isEmpty()) {
            return null;
        }
        var site = new Delivered(tool);
        Verdict verdict;
        try {
            verdict = new CallHookChain(plugins, place, unused -> base, time, true).inspect(call, site);
        } catch (HookThread.HookFailure failure) {
            LOG.warn("A hook failed before tool {}", tool.name(), failure);
            verdict = new Verdict.End(new ToolOutcome.Failure(CallHooks.failedBefore(tool)));
        }
        return switch (verdict) {
            case Verdict.End(ToolOutcome outcome) -> new RoundHooks.Decided(null, outcome, site.left());
            case Verdict.Proceed(Json same) when same.equals(call.arguments()) ->
                site.left().isEmpty() ? null : new RoundHooks.Decided(null, null, site.left());
            case Verdict.Proceed(Json edited) -> new RoundHooks.Decided(edited, null, site.left());
        };
    }

    /** Decides about the outcome that a program's loop gives a call without running it. */
    public static RoundHooks.Decided look(SessionPlugins plugins, HookPlace place, StateValues base,
            TimeSource time, ToolDefinition tool, CallView call, ToolOutcome outcome) {
        var site = new Delivered(tool);
        ToolOutcome looked;
        try {
            looked = new CallHookChain(plugins, place, unused -> base, time, true).after(call, outcome, site);
        } catch (HookThread.HookFailure failure) {
            LOG.warn("A hook failed after tool {}", tool.name(), failure);
            looked = CallHooks.failedAfter(tool);
        }
        return new RoundHooks.Decided(null, looked, site.left());
    }

    /** The site of hooks whose call is not run by a dispatcher. */
    private record Delivered(ToolDefinition tool, List<Json> left) implements Site {

        Delivered(ToolDefinition tool) {
            this(tool, new ArrayList<>(0));
        }

        @Override
        public void leave(Json change) {
            left.add(change);
        }

        @Override
        public ToolOutcome completed(Json value) {
            return CallHooks.completed(tool, value);
        }
    }

    /** How strong a verdict is. */
    private enum Strength {
        COMPLETE, REJECT, ABORT
    }

    /** A verdict that ends a call. */
    private record Ending(Strength strength, String plugin, ToolOutcome outcome) {}

    @Override
    public Verdict before(CallView call, Site site) {
        return hosted ? new Verdict.Proceed(call.arguments()) : inspect(call, site);
    }

    @Override
    public Verdict inspect(CallView call, Site site) {
        return !concern(plugins.beforeCall, call.tool().name())
                ? new Verdict.Proceed(call.arguments())
                : run(new Before(call, site));
    }

    @Override
    public boolean looksAfter(String tool) {
        return concern(plugins.afterCall, tool);
    }

    @Override
    public ToolOutcome after(CallView call, ToolOutcome outcome, Site site) {
        return !looksAfter(call.tool().name())
                ? outcome
                : run(new After(call, site, outcome));
    }

    /** A hook that is asked about calls of one tool. */
    sealed interface OfTool {

        String tool();

        record Before(String tool, CallHook.Before hook) implements OfTool, CallHook.Before {

            @Override
            public BeforeVerdict decide(CallHook.Context call) {
                return call.tool().name().equals(tool) ? hook.decide(call) : BeforeVerdict.proceed();
            }
        }

        record After(String tool, CallHook.After hook) implements OfTool, CallHook.After {

            @Override
            public AfterVerdict decide(CallHook.Context call, ToolOutcome outcome) {
                return call.tool().name().equals(tool) ? hook.decide(call, outcome) : AfterVerdict.keep();
            }
        }
    }

    /** Whether one of the hooks is asked about calls of a tool. */
    private static <H> boolean concern(List<Of<H>> hooks, String tool) {
        for (int i = 0; i < hooks.size(); i++) {
            if (!(hooks.get(i).value() instanceof OfTool one)
                    || one.tool().equals(tool)) {
                return true;
            }
        }
        return false;
    }

    /** What hooks have left counts also if a later one fails. */
    private <T> T run(Side<T> side) {
        try {
            return HookThread.run(time, side::run);
        } finally {
            side.left().forEach(side.site::leave);
        }
    }

    private static ToolFailure failed(String code, String message) {
        return new ToolFailure(ToolFailure.Kind.INTERNAL, code, message, ToolFailure.Source.PLUGIN,
                RetryAdvice.NEVER);
    }

    /** A call as one hook sees it. */
    private static final class Hooked extends HookScope implements CallHook.Context {

        private final CallView call;
        private final Json arguments;
        private final Consumer<PluginState<?, ?>> reads;

        Hooked(HookPlace place, String plugin, StateValues values, CallView call, Json arguments,
                Consumer<PluginState<?, ?>> reads) {
            super(place, plugin, values);
            this.call = call;
            this.arguments = arguments;
            this.reads = reads;
        }

        @Override
        public <S> S get(PluginState<S, ?> state) {
            reads.accept(state);
            return super.get(state);
        }

        @Override
        public CallId callId() {
            return call.id();
        }

        @Override
        public ToolManifest tool() {
            return call.tool();
        }

        @Override
        public Json arguments() {
            return arguments;
        }
    }

    /** What both sides of the body share. Confined to the hooks' thread, but for what they have left. */
    private abstract class Side<T> {

        final CallView call;
        final Site site;
        private final List<Json> left = new ArrayList<>(0);
        private @Nullable HookThread thread;
        private @Nullable Ending ending;
        private StateValues values;

        Side(CallView call, Site site) {
            this.call = call;
            this.site = site;
            this.values = base.apply(call).with(site.left());
        }

        T run(HookThread on) {
            thread = on;
            return run();
        }

        abstract T run();

        /** What hooks have left so far. A hook that was given up adds nothing to it. */
        List<Json> left() {
            synchronized (left) {
                return List.copyOf(left);
            }
        }

        /** Asks a hook; what it leaves counts if it is asked for the first time. */
        <H, V> V ask(Of<H> hook, Json arguments, boolean first,
                java.util.function.BiFunction<H, CallHook.Context, V> decide) {
            HookThread on = Objects.requireNonNull(thread);
            on.enters(hook.plugin());
            var scope = new Hooked(place, hook.plugin(), values, call, arguments, this::reads);
            V verdict = Objects.requireNonNull(decide.apply(hook.value(), scope), "the hook returned null");
            List<Json> leaves = scope.take();
            if (first && !leaves.isEmpty() && on.isOpen()) { // given up, it may end by its interrupt and still be heard
                synchronized (left) {
                    left.addAll(leaves);
                }
                values = scope.values();
                changed(hook.plugin(), leaves);
            }
            log(hook.plugin(), verdict, arguments);
            return verdict;
        }

        /** A hook reads a state. */
        void reads(PluginState<?, ?> state) {}

        private void changed(String plugin, List<Json> leaves) {
            for (Json one : leaves) {
                StateChange change = StateChange.of(one).orElseThrow();
                if (!change.isEvent() && isBesideOthers()) {
                    plugins.stale.changed(SessionPlugins.key(change.plugin(), change.name()), plugin,
                            call.call(), hosted);
                }
            }
        }

        /** Whether the hooks of other calls of the message do not see what this one leaves. */
        final boolean isBesideOthers() {
            return hosted || call.tool().scheduling() == Scheduling.PARALLEL;
        }

        /** Logs a decision; arguments, which may be secret, at trace level only. */
        private void log(String plugin, Object verdict, Json arguments) {
            if (LOG.isDebugEnabled()) {
                LOG.debug("tool={} call={} plugin={} decision={}", call.tool().name(), call.id(), plugin,
                        verdict.getClass().getSimpleName().toLowerCase(Locale.ROOT));
                LOG.trace("tool={} call={} plugin={} input={}", call.tool().name(), call.id(), plugin,
                        arguments);
            }
        }

        /** Takes note of an ending verdict, unless a stronger one stands. */
        void ends(Ending next, boolean smallerIdWins) {
            Ending stands = ending;
            if (stands == null) {
                ending = next;
                return;
            }
            int stronger = next.strength().compareTo(stands.strength());
            boolean wins = stronger > 0 || (stronger == 0 && smallerIdWins
                    && next.plugin().compareTo(stands.plugin()) < 0);
            conflict(wins ? next.plugin() : stands.plugin(), wins ? stands.plugin() : next.plugin());
            ending = wins ? next : stands;
        }

        void conflict(String winner, String ignored) {
            if (!winner.equals(ignored)) {
                LOG.info("Plugins {} and {} disagree about call {} of tool {}; {} decides", ignored, winner,
                        call.id(), call.tool().name(), winner);
            }
        }

        Ending twice(String first, String second, String what) {
            LOG.warn("Plugins {} and {} both {} of call {} of tool {}", first, second, what, call.id(),
                    call.tool().name());
            return new Ending(Strength.ABORT, second, new ToolOutcome.Failure(failed(
                    "hook_replacement_conflict", "plugins " + first + " and " + second + " both " + what
                            + " of tool " + call.tool().name())));
        }

        Ending rejected(String plugin, String reason) {
            return new Ending(Strength.REJECT, plugin, new ToolOutcome.Rejected(reason));
        }

        Ending aborted(String plugin, String reason) {
            return new Ending(Strength.ABORT, plugin,
                    new ToolOutcome.Failure(failed("plugin_abort", reason)));
        }

        @Nullable
        Ending ending() {
            return ending;
        }
    }

    /** Hooks before the body. */
    private final class Before extends Side<Verdict> {

        private Json arguments;
        private @Nullable String editor;

        Before(CallView call, Site site) {
            super(call, site);
            arguments = call.arguments();
        }

        @Override
        Verdict run() {
            List<Of<CallHook.Before>> hooks = plugins.beforeCall;
            for (int i = 0; i < hooks.size(); i++) {
                BeforeVerdict verdict = ask(hooks.get(i), arguments, true, CallHook.Before::decide);
                if (verdict instanceof BeforeVerdict.Edit(Json edited) && !edited.equals(arguments)) {
                    arguments = edited;
                    editor = hooks.get(i).plugin();
                    lookAgain(hooks.subList(0, i));
                } else {
                    take(hooks.get(i).plugin(), verdict);
                }
            }
            Ending ending = ending();
            return ending == null ? new Verdict.Proceed(arguments) : new Verdict.End(ending.outcome());
        }

        /** Hooks that have seen other arguments look once more: they may refuse, and not edit. */
        private void lookAgain(List<Of<CallHook.Before>> hooks) {
            for (Of<CallHook.Before> hook : hooks) {
                BeforeVerdict verdict = ask(hook, arguments, false, CallHook.Before::decide);
                if (verdict instanceof BeforeVerdict.Edit(Json edited) && !edited.equals(arguments)) {
                    ends(twice(Objects.requireNonNull(editor), hook.plugin(), "edit the arguments"), true);
                } else {
                    take(hook.plugin(), verdict);
                }
            }
        }

        @Override
        void reads(PluginState<?, ?> state) {
            String key = plugins.stateKeys.get(state);
            if (key != null && isBesideOthers()) {
                plugins.stale.read(key, call.call(), hosted);
            }
        }

        private void take(String plugin, BeforeVerdict verdict) {
            switch (verdict) {
                case BeforeVerdict.Proceed proceed -> {
                }
                case BeforeVerdict.Edit same -> {
                }
                case BeforeVerdict.Complete(Json value) ->
                    ends(new Ending(Strength.COMPLETE, plugin, site.completed(value)), true);
                case BeforeVerdict.Reject(String reason) -> ends(rejected(plugin, reason), true);
                case BeforeVerdict.Abort(String reason) -> ends(aborted(plugin, reason), true);
            }
        }
    }

    /** Hooks after the body. */
    private final class After extends Side<ToolOutcome> {

        private ToolOutcome outcome;
        private @Nullable String replacedBy;

        After(CallView call, Site site, ToolOutcome outcome) {
            super(call, site);
            this.outcome = outcome;
        }

        @Override
        ToolOutcome run() {
            List<Of<CallHook.After>> hooks = plugins.afterCall;
            for (int i = 0; i < hooks.size(); i++) {
                Of<CallHook.After> hook = hooks.get(i);
                boolean replaced = take(hook, ask(hook, call.arguments(), true,
                        (after, seen) -> after.decide(seen, outcome)));
                if (replaced) {
                    for (Of<CallHook.After> earlier : hooks.subList(0, i)) {
                        take(earlier, ask(earlier, call.arguments(), false,
                                (after, seen) -> after.decide(seen, outcome)));
                    }
                }
            }
            Ending ending = ending();
            return ending == null ? outcome : ending.outcome();
        }

        /** Whether it was the first replacement. */
        private boolean take(Of<CallHook.After> hook, AfterVerdict verdict) {
            switch (verdict) {
                case AfterVerdict.Keep keep -> {
                }
                case AfterVerdict.Complete(Json value) -> {
                    if (replacedBy == null) {
                        replacedBy = hook.plugin();
                        outcome = site.completed(value);
                        return true;
                    }
                    ends(twice(replacedBy, hook.plugin(), "replace the outcome"), false);
                }
                case AfterVerdict.Reject(String reason) -> ends(rejected(hook.plugin(), reason), false);
                case AfterVerdict.Abort(String reason) -> ends(aborted(hook.plugin(), reason), false);
            }
            return false;
        }
    }
}
