package dev.belay.testkit.crash;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.belay.json.Json;
import dev.belay.runtime.effect.OpenWait;
import dev.belay.runtime.effect.Resolution;
import dev.belay.runtime.effect.ScopeId;
import dev.belay.runtime.effect.WaitName;
import dev.belay.runtime.store.journal.Journal;
import dev.belay.runtime.store.journal.JournalProbe;
import dev.belay.runtime.store.memory.SharedMemory;
import dev.belay.testkit.SimulatedCrash;
import dev.belay.tool.ToolEffect;
import dev.belay.tool.context.Incarnation;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The kit sees: each of these journals breaks one promise, and is caught with a message that says which. */
final class BrokenHostsTest {

    private final Map<Path, SharedMemory> memory = new ConcurrentHashMap<>();

    private SharedMemory records(Path folder) {
        return memory.computeIfAbsent(folder, path -> new SharedMemory());
    }

    private CrashKit broken(UnaryOperator<Journal> sabotage) {
        return CrashKit.on((folder, probe) -> sabotage.apply(records(folder).journal(probe)))
                .tools(Shop.tools())
                .interleavings(5);
    }

    private static Journal.Written written() {
        return new Journal.Written(null, 0);
    }

    private static Journal.EffectWrite with(Journal.EffectWrite write, Journal.EffectRow.Status status,
            @Nullable Json result, @Nullable ToolEffect effect) {
        Journal.EffectRow row = write.row();
        return new Journal.EffectWrite(new Journal.EffectRow(row.key(), row.ordinal(), row.kind(), row.hash(),
                row.identity(), status, row.input(), result, row.fingerprint(), effect, row.resource(),
                row.fence()),
                write.takes(), write.releases(), write.opens(), write.at());
    }

    @Test
    void aStoreThatLosesTheStartIsCaught() {
        CrashKit kit = broken(journal -> new ForwardingJournal(journal) {
            @Override
            public Written write(Claim claim, EffectWrite write) {
                return write.row().status() == EffectRow.Status.STARTED
                        ? written()
                        : super.write(claim, write);
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
        CrashKit kit = broken(journal -> new ForwardingJournal(journal) {
            @Override
            public Written write(Claim claim, EffectWrite write) {
                EffectRow row = write.row();
                return super.write(claim, with(write, row.status(), row.result(), ToolEffect.IDEMPOTENT));
            }
        });

        assertThatThrownBy(() -> kit.call("pay", "{}").verify())
                .isInstanceOf(CrashViolation.class)
                .hasMessageContaining("tool pay");
    }

    @Test
    void anOutcomeRecordedBeforeTheWorkIsCaught() {
        CrashKit kit = broken(journal -> new ForwardingJournal(journal) {
            private final Set<String> early = ConcurrentHashMap.newKeySet();

            @Override
            public Written write(Claim claim, EffectWrite write) {
                EffectRow row = write.row();
                if (row.status() == EffectRow.Status.STARTED) {
                    early.add(row.key());
                    return super.write(claim, with(write, EffectRow.Status.COMPLETED,
                            Json.of("{\"v\":1,\"ended\":{\"ok\":\"paid\"}}"), row.effect()));
                }
                return early.contains(row.key()) ? written() : super.write(claim, write);
            }
        });

        assertThatThrownBy(() -> kit.call("pay", "{}").verify()).isInstanceOf(CrashViolation.class);
    }

    @Test
    void aResolutionThatIsAcceptedAndLostIsCaught() {
        CrashKit kit = broken(journal -> new ForwardingJournal(journal) {
            @Override
            public Settlement resolve(ScopeId scope, Incarnation incarnation, WaitName name, Resolution value,
                    boolean take, Instant at) {
                return new Settlement.Accepted(null);
            }
        });

        assertThatThrownBy(() -> kit.call("ask", "{}").complete("ask", "1").verify())
                .isInstanceOf(CrashViolation.class)
                .hasMessageContaining("no wait is lost")
                .hasMessageContaining("PARKED");
    }

    @Test
    void aParkThatForgetsItsWaitIsCaught() {
        CrashKit kit = broken(journal -> new ForwardingJournal(journal) {
            @Override
            public Parking park(Claim claim, List<OpenWait> waits, Set<WaitName> known, boolean cancelSeen,
                    @Nullable Instant wakeAt, Instant at) {
                List<OpenWait> none = waits.stream()
                        .filter(wait -> wait.kind() == OpenWait.Kind.COMPLETION)
                        .toList();
                return super.park(claim, none, Set.of(), cancelSeen, null, at);
            }
        });

        assertThatThrownBy(() -> kit.call("trip", "{}").complete("approved", "true").verify())
                .isInstanceOf(CrashViolation.class)
                .hasMessageContaining("no wait is lost");
    }

    @Test
    void aWakeUpThatIsLostWithTheProcessIsCaught() {
        CrashKit kit = broken(journal -> new ForwardingJournal(journal) {
            @Override
            public List<Claim> takeReady(int most, int limit, Instant at) {
                return List.of();
            }
        });

        assertThatThrownBy(() -> kit.call("look", "{}").verify())
                .isInstanceOf(CrashViolation.class)
                .hasMessageContaining("every batch comes to its end");
    }

    /** What was done before a wait is done again after it, and the store takes the second record without a word. */
    private static Journal withoutPast(Journal journal) {
        return new ForwardingJournal(journal) {
            @Override
            public List<EffectRow> effects(ScopeId scope) {
                return super.effects(scope).stream()
                        .filter(row -> !row.key().startsWith("call/1/"))
                        .toList();
            }

            @Override
            public Written write(Claim claim, EffectWrite write) {
                Written written = super.write(claim, write);
                return written.refusal() == Refusal.CONFLICT ? written() : written;
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
        CrashKit kit = CrashKit.on((folder, probe) -> new ForwardingJournal(records(folder).journal(probe)) {
            @Override
            public Written write(Claim claim, EffectWrite write) {
                try {
                    return super.write(claim, write);
                } catch (SimulatedCrash crash) {
                    smuggle(records(folder), claim, write);
                    throw crash;
                }
            }
        }).tools(Shop.tools()).interleavings(0);

        assertThatThrownBy(() -> kit.call("look", "{}").verify())
                .isInstanceOf(CrashViolation.class)
                .hasMessageContaining("a write is there exactly if the process died after it")
                .hasMessageContaining("effect call/0/attempt/1 COMPLETED");
    }

    /** Writes as another process would that took the scope over. */
    private static void smuggle(SharedMemory records, Journal.Claim claim, Journal.EffectWrite write) {
        try (Journal other = records.journal(JournalProbe.NONE)) {
            for (Journal.Claim taken : other.takeReady(10, 100, write.at())) {
                if (taken.scope().equals(claim.scope())) {
                    other.write(taken, write);
                }
            }
        }
    }

    @Test
    void anOutcomeThatIsToldBeforeItIsDurableIsCaught() {
        CrashKit kit = broken(journal -> new ForwardingJournal(journal) {
            private @Nullable Runnable late;

            private synchronized void flush() {
                Runnable pending = late;
                late = null;
                if (pending != null) {
                    pending.run();
                }
            }

            @Override
            public synchronized Written write(Claim claim, EffectWrite write) {
                flush();
                if (write.row().status() == EffectRow.Status.COMPLETED) {
                    late = () -> super.write(claim, write);
                    return written();
                }
                return super.write(claim, write);
            }

            @Override
            public boolean end(Claim claim, Json result, Instant at) {
                flush();
                return super.end(claim, result, at);
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
                        .journal((moment, write) -> probe.at(moment, write + names.incrementAndGet())))
                .tools(Shop.tools());

        assertThatThrownBy(() -> kit.call("look", "{}").verify())
                .isInstanceOf(CrashViolation.class)
                .hasMessageContaining("a process that dies at it")
                .hasMessageContaining("none died in 20 runs");
    }
}
