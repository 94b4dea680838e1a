package dev.belay.runtime.session.hosted;

import dev.belay.json.Json;
import dev.belay.json.JsonLimits;
import dev.belay.model.ModelResponse;
import dev.belay.model.Part.CallPart;
import dev.belay.runtime.dispatch.CallReference;
import dev.belay.runtime.dispatch.CallView;
import dev.belay.runtime.dispatch.body.Fatal;
import dev.belay.runtime.effect.Effect;
import dev.belay.runtime.effect.EffectKey;
import dev.belay.runtime.plugin.engine.CallHookChain;
import dev.belay.runtime.plugin.engine.RoundHooks;
import dev.belay.runtime.plugin.engine.RoundHooks.Decided;
import dev.belay.runtime.plugin.engine.StateValues;
import dev.belay.runtime.plugin.engine.TurnHooked;
import dev.belay.tool.ToolDefinition;
import dev.belay.tool.ToolEffect;
import dev.belay.tool.ToolManifest;
import dev.belay.tool.ToolOutcome;
import dev.belay.tool.call.Arguments;
import dev.belay.tool.call.BodyRunner;
import dev.belay.tool.context.CallId;
import dev.belay.toolset.loop.LoopHost;
import dev.belay.toolset.loop.ToolEntry;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * Hooks of plugins around the calls of a program's loop. Hooks before a body decide when the round is delivered, and are recorded with
 * it; hooks after a body also look at replies that the loop gives without running one, and are recorded apart.
 *
 * <p><b>Concurrency.</b> Used by the threads of the loop and of the scope in turns; calls read what was decided. <b>Recovery.</b> All is
 * read from records; replies that a later round has recorded are not looked at again.
 */
final class HostedHooks {

    /** As many calls of a message as a loop is given. */
    private static final int MOST_CALLS = 1_024;

    private final HostedTurn turn;
    private volatile Map<String, ToolEntry<?>> offered = Map.of();
    /** What was decided about the calls of the newest round, and is not applied to states. */
    private volatile Map<Integer, Decided> delivered = Map.of();

    HostedHooks(HostedTurn turn) {
        this.turn = turn;
    }

    void offers(Collection<ToolEntry<?>> tools) {
        Map<String, ToolEntry<?>> byName = new LinkedHashMap<>();
        tools.forEach(tool -> byName.put(tool.name(), tool));
        offered = byName;
    }

    List<ToolManifest> manifests() {
        return offered.values().stream().map(entry -> entry.definition().manifest()).toList();
    }

    /** Decides about the calls of an answer, and prepares those of providers; those that cannot be run are left to the loop. */
    Map<Integer, Decided> decide(int round, ModelResponse reply, StateValues states) {
        if (!turn.plugins().session().looksAtCalls()
                && offered.values().stream().allMatch(entry -> entry.provider() == null)) {
            return Map.of();
        }
        List<CallPart> parts = reply.message().withCallIds(round).calls();
        Map<Integer, Decided> decided = new TreeMap<>();
        for (int i = 0; i < Math.min(parts.size(), MOST_CALLS); i++) {
            CallPart part = parts.get(i);
            ToolEntry<?> entry = offered.get(part.name());
            if (entry == null || !turn.allows(part.name()) || reply.isCut(part)
                    || entry.definition().arguments(part.arguments()) instanceof Arguments.Malformed) {
                continue;
            }
            Json arguments = part.arguments().isBlank()
                    ? Json.EMPTY_OBJECT
                    : Json.of(part.arguments(), JsonLimits.ARGUMENTS);
            Decided one = hooked(round, i, part, entry.definition(), arguments, states);
            Decided prepared = one != null && one.outcome() != null
                    ? one
                    : prepared(entry, new CallId(part.id()), arguments, one);
            if (prepared != null) {
                decided.put(i, prepared);
            }
        }
        return decided;
    }

    private @Nullable Decided hooked(int round, int index, CallPart part, ToolDefinition tool, Json arguments,
            StateValues states) {
        return turn.plugins().session().looksAtCalls()
                ? CallHookChain.decide(turn.plugins().session(), turn.plugins().place(), states,
                        turn.services().time(), tool, view(round, index, part, tool, arguments))
                : null;
    }

    /** The decision of hooks with the arguments that the provider puts in the place of theirs; null if nothing was decided. */
    private @Nullable Decided prepared(ToolEntry<?> entry, CallId id, Json asked, @Nullable Decided hooked) {
        Json arguments = hooked == null || hooked.arguments() == null ? asked : hooked.arguments();
        List<Json> left = hooked == null ? List.of() : hooked.left();
        if (entry.provider() == null
                || !(Arguments.of(entry.own(), arguments) instanceof Arguments.Valid)) {
            return hooked;
        }
        try {
            Json replaced = HostedTool.prepared(entry, id, arguments, turn.start().input().with()).replaced();
            if (replaced == null || replaced.equals(arguments)) {
                return hooked;
            }
            return new Decided(Arguments.require(entry.own(), replaced).json(), null, left);
        } catch (Throwable e) {
            Fatal.rethrow(e);
            return new Decided(null, BodyRunner.runPlain(entry.own(), () -> {
                throw e instanceof Exception exception ? exception : new IllegalStateException(e);
            }), left);
        }
    }

    private CallView view(int round, int index, CallPart part, ToolDefinition tool, Json arguments) {
        return new CallView(new CallReference(turn.start().scope(), turn.start().turn(), round, index,
                new CallId(part.id()), part.name(), part.arguments()), tool.manifest(), arguments, null);
    }

    /**
     * A round is delivered: what the loop is told of the decisions about its calls.
     *
     * @param approved calls whose arguments a person has changed, by places
     */
    Map<Integer, LoopHost.Decided> deliver(RoundHooks hooks, Map<Integer, LoopHost.Decided> approved) {
        delivered = hooks.calls();
        Map<Integer, LoopHost.Decided> told = new TreeMap<>();
        delivered.forEach((index, one) -> told.put(index,
                new LoopHost.Decided(one.arguments(), null, one.outcome())));
        told.putAll(approved);
        return told;
    }

    /** What hooks have left before the body of a call of the newest round. */
    List<Json> left(int index) {
        Decided one = delivered.get(index);
        return one == null ? List.of() : one.left();
    }

    /** Whether hooks have ended a call of the newest round. */
    boolean hasEnded(int index) {
        Decided one = delivered.get(index);
        return one != null && one.outcome() != null;
    }

    /** Takes what hooks have left about all calls of the newest round, also if the loop has dropped it. */
    List<Json> takeLeft() {
        List<Json> left = new ArrayList<>(0);
        new TreeMap<>(delivered).values().forEach(one -> left.addAll(one.left()));
        delivered = Map.of();
        return left;
    }

    /**
     * Lets hooks look at replies that the loop gives without running a body.
     *
     * @param followed whether the next round is recorded: then only what is recorded counts
     */
    Map<Integer, Decided> look(int round, List<CallPart> parts, List<Optional<ToolOutcome>> given,
            IntFunction<@Nullable Json> arguments, boolean followed) {
        if (given.stream().allMatch(Optional::isEmpty)) {
            return Map.of();
        }
        var effect = new Look(round, parts, given, arguments);
        boolean asks = !followed && turn.plugins().session().looksAtOutcomes();
        return turn.inScope(in -> asks || in.peek(effect.key()).isPresent() ? in.run(effect) : Map.of());
    }

    /** One record for all replies of a round. It takes no place in the order of effects: whether there is one is up to the loop. */
    private final class Look implements Effect<Map<Integer, Decided>> {

        private final int round;
        private final List<CallPart> parts;
        private final List<Optional<ToolOutcome>> given;
        private final IntFunction<@Nullable Json> arguments;

        Look(int round, List<CallPart> parts, List<Optional<ToolOutcome>> given,
                IntFunction<@Nullable Json> arguments) {
            this.round = round;
            this.parts = parts;
            this.given = given;
            this.arguments = arguments;
        }

        @Override
        public EffectKey key() {
            return new EffectKey("round/" + round + "/after-hooks");
        }

        @Override
        public String kind() {
            return "hooks";
        }

        @Override
        public boolean isOrdered() {
            return false;
        }

        @Override
        public Json identity() {
            return Json.EMPTY_OBJECT;
        }

        @Override
        public Plan plan() {
            return Plan.of(ToolEffect.READ, Json.EMPTY_OBJECT);
        }

        @Override
        public Map<Integer, Decided> run(Running running) {
            Map<Integer, Decided> looked = new TreeMap<>();
            for (int i = 0; i < given.size(); i++) {
                ToolOutcome outcome = given.get(i).orElse(null);
                ToolEntry<?> entry = offered.get(parts.get(i).name());
                Json effective = outcome == null || entry == null ? null : arguments.apply(i);
                if (effective != null && outcome != null && entry != null) {
                    ToolDefinition tool = entry.definition();
                    looked.put(i, CallHookChain.look(turn.plugins().session(), turn.plugins().place(),
                            turn.seenBy(round, i),
                            turn.services().time(), tool, view(round, i, parts.get(i), tool, effective),
                            outcome));
                }
            }
            return looked;
        }

        @Override
        public void recorded(Map<Integer, Decided> looked) {
            looked.values().forEach(one -> turn.told(one.left()));
        }

        @Override
        public Json encode(Map<Integer, Decided> looked) {
            return new RoundHooks(TurnHooked.NONE, TurnHooked.NONE, looked).toJson();
        }

        @Override
        public Map<Integer, Decided> decode(Json recorded) {
            return RoundHooks.of(Optional.of(recorded)).calls();
        }

        /** Never asked: it may be repeated. */
        @Override
        public Map<Integer, Decided> doubt(Running started) {
            return run(started);
        }
    }
}
