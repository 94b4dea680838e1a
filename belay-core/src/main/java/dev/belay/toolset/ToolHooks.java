package dev.belay.toolset;

import dev.belay.BelayException;
import dev.belay.json.JsonException;
import dev.belay.tool.Dynamic;
import dev.belay.tool.ToolDefinition;
import dev.belay.tool.ToolFailure;
import dev.belay.tool.ToolOutcome;
import dev.belay.tool.call.Arguments;
import dev.belay.tool.context.Suspended;
import dev.belay.tool.option.RetryAdvice;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Typed decisions about calls of a set before they run, in registration order: each hook sees the input that the hook before it
 * proceeded with, and the first one that completes or rejects decides. Immutable; each method returns new hooks.
 *
 * <p>Decisions are logged on {@code dev.belay.tool.hook} at debug level, inputs at trace level.
 *
 * @param <T> the set
 */
public final class ToolHooks<T> {

    private static final Logger LOG = LoggerFactory.getLogger("dev.belay.tool.hook");

    private final Toolset<T> set;
    private final List<Stage<T>> stages;
    private final Map<ToolSelector<T>, Function<ToolDefinition, Optional<String>>> descriptions;

    /**
     * Decides about calls of one tool before they run. A lambda, or an object that keeps a policy; used from any thread that
     * applies hooks. A hook that throws or returns null stops its call.
     *
     * @param <I> the input that it sees
     */
    @FunctionalInterface
    public interface Hook<I> {

        /** Decides about one call; an input that it proceeds with is validated again. */
        Decision<I> decide(CallInfo call, I input);
    }

    /** One hook, seen from the outer set; empty if the hook is for other tools. */
    private interface Stage<T> {
        Optional<Decision<T>> decide(CallInfo call, T input);
    }

    private ToolHooks(Toolset<T> set, List<Stage<T>> stages,
            Map<ToolSelector<T>, Function<ToolDefinition, Optional<String>>> descriptions) {
        this.set = set;
        this.stages = List.copyOf(stages);
        this.descriptions = new LinkedHashMap<>(descriptions);
    }

    /** No hooks yet. */
    public static <T> ToolHooks<T> of(Toolset<T> set) {
        return new ToolHooks<>(set, List.of(), Map.of());
    }

    /** The same with a hook for one tool, or for all tools that a class of the set stands for. */
    public <I extends T> ToolHooks<T> on(Class<I> tool, Hook<I> hook) {
        return plus((call, input) -> tool.isInstance(input)
                ? Optional.of(ToolHooks.<T, I>widen(decided(hook.decide(call, tool.cast(input)))))
                : Optional.empty());
    }

    /** The same with a hook for every tool. */
    public ToolHooks<T> onEvery(Hook<T> hook) {
        return plus((call, input) -> Optional.of(decided(hook.decide(call, input))));
    }

    /** The same with the hooks and descriptions of a nested set, at one place. */
    public <S> ToolHooks<T> in(ToolGroup<T, S> group, ToolHooks<S> nested) {
        ToolHooks<T> hooks = this;
        for (Stage<S> stage : nested.stages) {
            hooks = hooks.plus((call, input) -> group.holds(input)
                    ? stage.decide(call, group.open(input)).map(decision -> outer(group, decision))
                    : Optional.empty());
        }
        Map<ToolSelector<T>, Function<ToolDefinition, Optional<String>>> all = new LinkedHashMap<>(
                hooks.descriptions);
        nested.descriptions.forEach((selector, text) -> add(all, group.select(selector), text));
        return new ToolHooks<>(set, hooks.stages, all);
    }

    /** The same with all hooks and descriptions of others behind its own. */
    public ToolHooks<T> plus(ToolHooks<T> others) {
        List<Stage<T>> all = new ArrayList<>(stages);
        all.addAll(others.stages);
        Map<ToolSelector<T>, Function<ToolDefinition, Optional<String>>> texts = new LinkedHashMap<>(
                descriptions);
        others.descriptions.forEach((selector, text) -> add(texts, selector, text));
        return new ToolHooks<>(set, all, texts);
    }

    /** The same with a hook that may reword a tool's description; one per tool, it sees the static definition. */
    public ToolHooks<T> describe(Class<? extends T> tool, Function<ToolDefinition, Optional<String>> text) {
        Map<ToolSelector<T>, Function<ToolDefinition, Optional<String>>> all = new LinkedHashMap<>(
                descriptions);
        add(all, set.select(tool), text);
        return new ToolHooks<>(set, stages, all);
    }

    /** What the description hooks say now, for {@code describe} of a request. */
    public Map<ToolSelector<T>, String> descriptions() {
        Map<ToolSelector<T>, String> texts = new LinkedHashMap<>();
        descriptions.forEach((selector, text) -> text.apply(selector.definition())
                .ifPresent(description -> texts.put(selector, description)));
        return texts;
    }

    HookedCall<T> apply(ToolCall<T> call) {
        ToolCall<T> current = call;
        for (Stage<T> stage : stages) {
            try {
                Optional<Decision<T>> decision = stage.decide(current.info(), current.input());
                if (decision.isPresent()) {
                    log(current, decision.get());
                    switch (decision.get()) {
                        case Decision.Proceed<T>(T input) -> current = edited(current, input);
                        case Decision.Complete<T> done -> {
                            requireSame(current, done.input());
                            return new HookedCall.Handled<>(current,
                                    current.reply(current.completed(done.output())));
                        }
                        case Decision.Reject<T>(String reason) -> {
                            return new HookedCall.Rejected<>(current, current.reject(reason));
                        }
                    }
                }
            } catch (Suspended waiting) {
                throw waiting;
            } catch (Throwable e) {
                return new HookedCall.Rejected<>(current, current.reply(failed(current, e)));
            }
        }
        return new HookedCall.Pending<>(current);
    }

    /** A hook may complete only the input that it was given. */
    private static <T> void requireSame(ToolCall<T> call, T input) {
        if (!input.equals(call.input())) {
            throw new BelayException("before_hook_failed",
                    "a hook completed another input than that of " + call.name()
                            + "; edit with proceed first");
        }
    }

    /** Checks that an edited input belongs to the same tool and is valid. What a person has decided on is not edited. */
    private ToolCall<T> edited(ToolCall<T> call, T input) {
        if (input.equals(call.input()) || call.isApproved()) {
            return call;
        }
        Object leaf = call.entry().unwrap(input);
        if (!call.entry().takes(leaf)) {
            throw new BelayException("before_hook_failed", "a hook proceeded with an input of class "
                    + input.getClass().getSimpleName() + ", which is none of " + call.name());
        }
        try {
            if (leaf instanceof Dynamic dynamic) {
                Arguments.require(call.entry().definition(), dynamic.arguments());
            } else {
                call.entry().definition().encode(leaf);
            }
        } catch (JsonException e) {
            throw new BelayException("before_hook_failed",
                    "a hook proceeded with an input that does not fit " + call.name() + ": " + e.getMessage(),
                    e);
        }
        return call.with(leaf);
    }

    private static ToolOutcome failed(ToolCall<?> call, Throwable thrown) {
        if (thrown instanceof VirtualMachineError fatal && !(thrown instanceof StackOverflowError)) {
            throw fatal;
        }
        LOG.warn("A hook of {} failed; call {} is stopped", call.name(), call.id(), thrown);
        return new ToolOutcome.Failure(new ToolFailure(ToolFailure.Kind.INTERNAL, "before_hook_failed",
                "a check before " + call.name() + " failed, so it was not run", ToolFailure.Source.PLUGIN,
                RetryAdvice.NEVER));
    }

    private static void log(ToolCall<?> call, Decision<?> decision) {
        if (LOG.isDebugEnabled()) {
            String word = switch (decision) {
                case Decision.Proceed<?>(var input) ->
                    Objects.equals(input, call.input()) ? "proceed" : "edit";
                case Decision.Complete<?> complete -> "complete";
                case Decision.Reject<?>(String reason) -> "reject: " + reason;
            };
            LOG.debug("tool={} call={} decision={}", call.name(), call.id(), word);
            LOG.trace("tool={} call={} input={}", call.name(), call.id(), call.input());
        }
    }

    private ToolHooks<T> plus(Stage<T> stage) {
        List<Stage<T>> all = new ArrayList<>(stages);
        all.add(stage);
        return new ToolHooks<>(set, all, descriptions);
    }

    private static <T> void add(Map<ToolSelector<T>, Function<ToolDefinition, Optional<String>>> all,
            ToolSelector<T> selector, Function<ToolDefinition, Optional<String>> text) {
        if (all.putIfAbsent(selector, text) != null) {
            throw new BelayException("duplicate_description_hook",
                    "tool " + selector.name() + " has two description hooks; keep one");
        }
    }

    private static <I> Decision<I> decided(@Nullable Decision<I> decision) {
        return Objects.requireNonNull(decision, "the hook returned null");
    }

    /** A decision about one kind of input is also a decision about the set. */
    @SuppressWarnings("unchecked")
    private static <T, I extends T> Decision<T> widen(Decision<I> decision) {
        return (Decision<T>) decision;
    }

    private static <T, S> Decision<T> outer(ToolGroup<T, S> group, Decision<S> decision) {
        return switch (decision) {
            case Decision.Proceed<S>(S input) -> Decision.proceed(group.close(input));
            case Decision.Complete<S> done ->
                new Decision.Complete<>(group.close(done.input()), done.output());
            case Decision.Reject<S>(String reason) -> Decision.reject(reason);
        };
    }
}
