package dev.belay.runtime.session.hosted;

import dev.belay.model.Part.CallPart;
import dev.belay.runtime.dispatch.CallReference;
import dev.belay.runtime.dispatch.ToolDispatcher;
import dev.belay.runtime.dispatch.call.DispatchSettings;
import dev.belay.runtime.dispatch.record.PlacedCall;
import dev.belay.runtime.effect.ChildCommand;
import dev.belay.runtime.effect.EffectScope;
import dev.belay.runtime.effect.FencedException;
import dev.belay.runtime.effect.JournalException;
import dev.belay.runtime.effect.ReplayMismatchException;
import dev.belay.runtime.effect.ScopeInput;
import dev.belay.runtime.output.ToolOutput;
import dev.belay.runtime.session.inbox.TurnStart;
import dev.belay.tool.ToolOutcome;
import dev.belay.tool.context.HostValues;
import dev.belay.tool.context.IdempotencyKey;
import dev.belay.tool.option.OutputBudget;
import dev.belay.toolset.loop.LoopHost.HostedCall;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The calls of a turn whose loop a program owns: each is a child of the turn's scope, run on the thread that asks.
 *
 * <p>Concurrency: thread-safe. The turn is held while one of them runs ({@link #awaitNone}).
 */
final class HostedCalls {

    private final HostedTurn turn;
    private final Map<String, Running> running = new ConcurrentHashMap<>();
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition fewer = lock.newCondition();
    private int count;

    private record Running(ChildCommand command, ToolDispatcher dispatcher, HostedCall call) {}

    HostedCalls(HostedTurn turn) {
        this.turn = turn;
    }

    /**
     * Runs a call, or answers it from its record; empty if it waits.
     *
     * @param followed whether the next round is recorded: then a call without a record was answered otherwise, and must not run
     */
    Optional<ToolOutcome> run(HostedCall call, boolean followed) {
        TurnStart start = turn.start();
        ToolDispatcher dispatcher = turn
                .owning(turn.services().dispatchers().of(new HostedTool(call, start.input().with())));
        ChildCommand command = dispatcher.command(
                new IdempotencyKey.Place(start.incarnation(), start.turn(), call.round(), call.index()),
                call.id(), call.definition().name(), call.arguments());
        if (followed && !turn.inScope(in -> in.hasRecords(command.name()))) {
            throw turn.stuck(new ReplayMismatchException(start.scope(), command.name().value(),
                    "the next round is recorded, and this call was answered without running it; it must not run now"));
        }
        running.put(key(call.round(), call.index()), new Running(command, dispatcher, call));
        count(1);
        try {
            return child(command);
        } catch (DispatchSettings.OtherInput e) {
            return Optional.empty(); // the round is left when it is settled
        } catch (FencedException e) {
            throw turn.gone();
        } catch (ReplayMismatchException e) {
            throw turn.stuck(e);
        } finally {
            count(-1);
        }
    }

    /** Runs a call; a fault of the store is left to the host, and the call is asked again once the scope was entered again. */
    private Optional<ToolOutcome> child(ChildCommand command) {
        while (true) {
            EffectScope in = turn.handoff().scope();
            if (in == null) {
                throw turn.gone();
            }
            try {
                return in.child(command);
            } catch (JournalException e) {
                if (!e.retryable()) {
                    throw e;
                }
                boolean[] told = {false};
                turn.inScope(again -> {
                    if (!told[0]) {
                        told[0] = true;
                        throw e;
                    }
                    return true;
                });
            }
        }
    }

    /** All outcomes of a round; empty if calls still wait, and the scope was left. */
    Optional<List<ToolOutcome>> settled(int round, List<Optional<ToolOutcome>> outcomes) {
        List<Integer> waiting = IntStream.range(0, outcomes.size())
                .filter(index -> outcomes.get(index).isEmpty())
                .boxed()
                .toList();
        List<ToolOutcome> late = List.of();
        if (!waiting.isEmpty()) {
            List<ChildCommand> commands = waiting.stream()
                    .map(index -> Objects.requireNonNull(running.get(key(round, index))).command())
                    .toList();
            Optional<List<ToolOutcome>> answers = turn.handoff().run(in -> children(in, commands));
            if (answers.isEmpty()) {
                return Optional.empty();
            }
            late = answers.get();
        }
        var whole = new ArrayList<ToolOutcome>(outcomes.size());
        for (int i = 0; i < outcomes.size(); i++) {
            int place = waiting.indexOf(i);
            whole.add(place < 0 ? outcomes.get(i).orElseThrow() : late.get(place));
        }
        return Optional.of(whole);
    }

    /** Runs calls that waited; if a person has changed the arguments of one, the scope is left so that the loop starts anew with those. */
    private static List<ToolOutcome> children(EffectScope in, List<ChildCommand> commands) {
        try {
            return in.children(commands);
        } catch (DispatchSettings.OtherInput e) {
            in.startAnew();
            throw new IllegalStateException("a scope that starts anew goes on", e);
        }
    }

    /** Whether the loop has run a call. */
    boolean hasRun(int round, int index) {
        return running.containsKey(key(round, index));
    }

    /** A call is in the conversation. */
    void forget(int round, int index) {
        Running one = running.remove(key(round, index));
        if (one != null) {
            one.dispatcher().forgetEvents(turn.start().scope());
        }
    }

    @Nullable
    HostValues hostValues(CallReference call) {
        Running one = running.get(key(call.round(), call.index()));
        return one == null ? null : one.call().host();
    }

    /** The budget that the tool of a call declares; null if it declares none, or the call was answered without running it. */
    @Nullable
    OutputBudget budget(long round, int index) {
        Running one = running.get(key(round, index));
        return one == null ? null : one.call().definition().manifest().budget();
    }

    /** The outputs of a round, in the model's order. */
    List<ToolOutput> outputs(int round, List<CallPart> asked, List<ToolOutcome> outcomes) {
        return IntStream.range(0, outcomes.size())
                .mapToObj(i -> ToolOutput.of(asked.get(i).name(), outcomes.get(i), budget(round, i)))
                .toList();
    }

    ToolDispatcher dispatcher(ScopeInput call) {
        IdempotencyKey.Place place = PlacedCall.of(call).place();
        return Objects.requireNonNull(running.get(key(place.round(), place.position())),
                "the loop runs its calls itself").dispatcher();
    }

    private static String key(long round, int index) {
        return round + "/" + index;
    }

    private void count(int more) {
        lock.lock();
        try {
            count += more;
            fewer.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Waits until none runs; cannot be interrupted. */
    void awaitNone() {
        lock.lock();
        try {
            while (count > 0) {
                fewer.awaitUninterruptibly();
            }
        } finally {
            lock.unlock();
        }
    }
}
