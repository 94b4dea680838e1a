package dev.belay.testkit.crash;

import static dev.belay.runtime.store.rows.ScopeRows.EFFECTS;
import static dev.belay.runtime.store.rows.ScopeRows.KEYS;
import static dev.belay.runtime.store.rows.ScopeRows.SCOPES;
import static dev.belay.runtime.store.rows.ScopeRows.WAITS;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.belay.json.Json;
import dev.belay.runtime.effect.OpenWait;
import dev.belay.runtime.store.Store;
import dev.belay.runtime.store.journal.EffectRow;
import dev.belay.runtime.store.journal.JournalProbe;
import dev.belay.runtime.store.journal.Pending;
import dev.belay.runtime.store.journal.Settlement;
import dev.belay.runtime.store.journal.Written;
import dev.belay.runtime.store.journal.Written.Refusal;
import dev.belay.runtime.store.memory.SharedMemory;
import dev.belay.runtime.store.rows.Commits;
import dev.belay.runtime.store.rows.ForwardingCommits;
import dev.belay.runtime.store.rows.Operation;
import dev.belay.runtime.store.rows.ScopeRows.Effect;
import dev.belay.runtime.store.rows.ScopeRows.Scope;
import dev.belay.runtime.store.rows.ScopeRows.Wait;
import dev.belay.runtime.store.rows.Selector;
import dev.belay.runtime.store.rows.Table;
import dev.belay.runtime.store.rows.Unit;
import dev.belay.testkit.SimulatedCrash;
import dev.belay.tool.ToolEffect;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The kit sees: each of these stores breaks one promise, and is caught with a message that says which. */
final class BrokenHostsTest {

    private final Map<Path, SharedMemory> memory = new ConcurrentHashMap<>();

    private SharedMemory records(Path folder) {
        return memory.computeIfAbsent(folder, path -> new SharedMemory());
    }

    private CrashKit broken(Function<Commits, Sabotage> sabotage) {
        return CrashKit.on((folder, probe) -> records(folder).open(probe).through(sabotage::apply))
                .tools(Shop.tools())
                .interleavings(5);
    }

    private static Written written() {
        return new Written(null, 0);
    }

    /** Commits that do with a write what they like. */
    private abstract static class Sabotage extends ForwardingCommits {

        Sabotage(Commits commits) {
            super(commits);
        }

        /** Answers a write. */
        abstract Object write(String name, Operation<?> operation);

        /** Really makes it. */
        final Object really(Operation<?> operation) {
            return super.apply(operation);
        }

        @Override
        @SuppressWarnings("unchecked") // the test knows what its write answers
        public <T extends @Nullable Object> T apply(Operation<T> operation) {
            String name = operation.name();
            return name == null ? super.apply(operation) : (T) write(name, operation);
        }

        @Override
        public <T extends @Nullable Object> List<Pending<T>> submit(List<Operation<T>> operations) {
            return operations.stream().map(operation -> Pending.done(apply(operation))).toList();
        }
    }

    private static boolean isStart(String write) {
        return write.startsWith("effect ") && write.endsWith(" STARTED");
    }

    /** The same write, which changes something else at its end. */
    private static <T extends @Nullable Object> Operation<T> then(Operation<T> write, Consumer<Unit> change) {
        return new Operation<>(write.label(), write.size(), write.first(), write.second(), unit -> {
            T answer = write.decide().apply(unit);
            change.accept(unit);
            return answer;
        });
    }

    /** The rows of a table that a write names by their keys. */
    private static List<Selector.One<?>> keys(Operation<?> write, Table<?> table) {
        var named = new ArrayList<Selector<?>>();
        write.first().accept(named);
        List<Selector.One<?>> keys = new ArrayList<>();
        named.forEach(selector -> {
            if (selector instanceof Selector.One<?> one && one.table() == table) {
                keys.add(one);
            }
        });
        return keys;
    }

    /** The same write, which leaves another record. */
    private static Operation<?> with(Operation<?> write, UnaryOperator<EffectRow> change) {
        Selector.One<?> key = keys(write, EFFECTS).getFirst();
        return then(write, unit -> {
            Effect effect = unit.get(EFFECTS, key.parent(), Objects.requireNonNull(key.child()));
            if (effect != null) {
                unit.put(EFFECTS, new Effect(effect.scope(), change.apply(effect.row()), effect.output(),
                        effect.firstAt(), effect.lastAt()));
            }
        });
    }

    private static EffectRow with(EffectRow row, EffectRow.Status status, @Nullable Json result,
            @Nullable ToolEffect effect) {
        return new EffectRow(row.key(), row.ordinal(), row.kind(), row.hash(), row.identity(), status,
                row.input(), result, row.fingerprint(), effect, row.resource(), row.fence());
    }

    @Test
    void aStoreThatLosesTheStartIsCaught() {
        CrashKit kit = broken(commits -> new Sabotage(commits) {
            @Override
            Object write(String name, Operation<?> write) {
                return isStart(name) ? written() : really(write);
            }
        });

        assertThatThrownBy(() -> kit.call("pay", "{}").verify())
                .isInstanceOf(CrashViolation.class)
                .hasMessageContaining("ONCE runs at most once")
                .hasMessageContaining("tool pay")
                .hasMessageContaining("2 runs")
                .hasMessageContaining(".only(\"BEFORE effect call/0/attempt/1 COMPLETED #1\")");
    }

    @Test
    void aStoreThatForgetsTheEffectClassIsCaught() {
        CrashKit kit = broken(commits -> new Sabotage(commits) {
            @Override
            Object write(String name, Operation<?> write) {
                return really(!name.startsWith("effect ")
                        ? write
                        : with(write,
                                row -> with(row, row.status(), row.result(), ToolEffect.IDEMPOTENT)));
            }
        });

        assertThatThrownBy(() -> kit.call("pay", "{}").verify())
                .isInstanceOf(CrashViolation.class)
                .hasMessageContaining("tool pay");
    }

    @Test
    void anOutcomeRecordedBeforeTheWorkIsCaught() {
        CrashKit kit = broken(commits -> new Sabotage(commits) {
            private final Set<String> early = ConcurrentHashMap.newKeySet();

            @Override
            Object write(String name, Operation<?> write) {
                if (isStart(name)) {
                    early.add(name.split(" ", -1)[1]);
                    return really(with(write, row -> with(row, EffectRow.Status.COMPLETED,
                            Json.of("{\"v\":1,\"ended\":{\"ok\":\"paid\"}}"), row.effect())));
                }
                return name.startsWith("effect ") && early.contains(name.split(" ", -1)[1])
                        ? written()
                        : really(write);
            }
        });

        assertThatThrownBy(() -> kit.call("pay", "{}").verify()).isInstanceOf(CrashViolation.class);
    }

    @Test
    void aResolutionThatIsAcceptedAndLostIsCaught() {
        CrashKit kit = broken(commits -> new Sabotage(commits) {
            @Override
            Object write(String name, Operation<?> write) {
                return name.startsWith("resolve ") ? new Settlement.Accepted(null) : really(write);
            }
        });

        assertThatThrownBy(() -> kit.call("ask", "{}").complete("ask", "1").verify())
                .isInstanceOf(CrashViolation.class)
                .hasMessageContaining("no wait is lost")
                .hasMessageContaining("PARKED");
    }

    @Test
    void aParkThatForgetsItsWaitIsCaught() {
        CrashKit kit = broken(commits -> new Sabotage(commits) {
            @Override
            Object write(String name, Operation<?> write) {
                return really(name.startsWith("park ")
                        ? then(write, unit -> forget(unit, write))
                        : write);
            }
        });

        assertThatThrownBy(() -> kit.call("trip", "{}").complete("approved", "true").verify())
                .isInstanceOf(CrashViolation.class)
                .hasMessageContaining("no wait is lost");
    }

    /** Forgets the waits for events that a park opens, and when the scope goes on by itself. */
    private static void forget(Unit unit, Operation<?> park) {
        for (Selector.One<?> key : keys(park, WAITS)) {
            Wait wait = unit.get(WAITS, key.parent(), Objects.requireNonNull(key.child()));
            Scope head = Objects.requireNonNull(unit.get(SCOPES, key.parent()));
            if (wait != null && wait.kind() != OpenWait.Kind.COMPLETION) {
                unit.delete(WAITS, key.parent(), key.child());
                unit.delete(KEYS, key.parent(), key.child());
                unit.put(SCOPES, head.counted(head.effects(), head.waits() - 1, head.completions()));
            }
        }
        Scope head = unit.get(SCOPES, keys(park, SCOPES).getFirst().parent());
        if (head != null && head.wakeAt() != null) {
            unit.put(SCOPES, head.parked(null, head.since()));
        }
    }

    @Test
    void aWakeUpThatIsLostWithTheProcessIsCaught() {
        CrashKit kit = broken(commits -> new Sabotage(commits) {
            @Override
            Object write(String name, Operation<?> write) {
                return name.startsWith("take ") ? Optional.empty() : really(write);
            }
        });

        assertThatThrownBy(() -> kit.call("look", "{}").verify())
                .isInstanceOf(CrashViolation.class)
                .hasMessageContaining("every batch comes to its end");
    }

    /** What was done before a wait is done again after it, and the store takes the second record without a word. */
    private static Sabotage withoutPast(Commits commits) {
        return new Sabotage(commits) {
            @Override
            @SuppressWarnings("unchecked") // records are read as a list
            public <T extends @Nullable Object> T read(Operation<T> read) {
                T answer = super.read(read);
                return answer instanceof List<?> rows && !rows.isEmpty()
                        && rows.getFirst() instanceof EffectRow
                                ? (T) rows.stream()
                                        .filter(row -> row instanceof EffectRow effect
                                                && !effect.key().startsWith("call/1/"))
                                        .toList()
                                : answer;
            }

            @Override
            Object write(String name, Operation<?> write) {
                Object answer = really(write);
                return answer instanceof Written written && written.refusal() == Refusal.CONFLICT
                        ? written()
                        : answer;
            }
        };
    }

    @Test
    void workThatIsDoneAgainAfterAWaitIsCaught() {
        CrashKit kit = broken(BrokenHostsTest::withoutPast);

        assertThatThrownBy(() -> kit.call("ask", "{}").call("pay", "{}").complete("ask", "1").verify())
                .isInstanceOf(CrashViolation.class)
                .hasMessageContaining("crash at \"no crash\"");
    }

    @Test
    void anEventThatIsToldAgainAfterAWaitIsCaught() {
        CrashKit kit = broken(BrokenHostsTest::withoutPast);

        assertThatThrownBy(() -> kit.call("ask", "{}").call("look", "{}").complete("ask", "1").verify())
                .isInstanceOf(CrashViolation.class)
                .hasMessageContaining("no event is doubled")
                .hasMessageContaining("batch-0 call/1");
    }

    @Test
    void aWriteThatOutlivesItsCrashIsCaught() {
        CrashKit kit = CrashKit.on((folder, probe) -> records(folder).open(probe)
                .through(commits -> new Sabotage(commits) {
                    @Override
                    Object write(String name, Operation<?> write) {
                        try {
                            return really(write);
                        } catch (SimulatedCrash crash) {
                            if (name.startsWith("effect ")) {
                                smuggle(records(folder), write);
                            }
                            throw crash;
                        }
                    }
                })).tools(Shop.tools()).interleavings(0);

        assertThatThrownBy(() -> kit.call("look", "{}").verify())
                .isInstanceOf(CrashViolation.class)
                .hasMessageContaining("a write is there exactly if the process died after it")
                .hasMessageContaining("effect call/0/attempt/1 COMPLETED");
    }

    /** Writes as the dead process would. */
    private static void smuggle(SharedMemory records, Operation<?> write) {
        try (Store other = records.open(JournalProbe.NONE)) {
            other.apply(write);
        }
    }

    @Test
    void anOutcomeThatIsToldBeforeItIsDurableIsCaught() {
        CrashKit kit = broken(commits -> new Sabotage(commits) {
            private @Nullable Operation<?> late;

            @Override
            Object write(String name, Operation<?> write) {
                synchronized (this) {
                    if (name.startsWith("effect ") || name.startsWith("end ")) {
                        Operation<?> pending = late;
                        late = null;
                        if (pending != null) {
                            really(pending);
                        }
                    }
                    if (name.startsWith("effect ") && name.endsWith(" COMPLETED")) {
                        late = write;
                        return written();
                    }
                }
                return really(write);
            }
        });

        assertThatThrownBy(() -> kit.call("pay", "{}").verify())
                .isInstanceOf(CrashViolation.class)
                .hasMessageContaining("told");
    }

    /** A probe that gives each write another name never dies at the one that it should. */
    @Test
    void aCrashThatNeverComesIsSaid() {
        var names = new AtomicInteger();
        CrashKit kit = CrashKit
                .on((folder, probe) -> records(folder)
                        .open((moment, write) -> probe.at(moment, write + names.incrementAndGet())))
                .tools(Shop.tools());

        assertThatThrownBy(() -> kit.call("look", "{}").verify())
                .isInstanceOf(CrashViolation.class)
                .hasMessageContaining("a process that dies at it")
                .hasMessageContaining("none died in 20 runs");
    }
}
