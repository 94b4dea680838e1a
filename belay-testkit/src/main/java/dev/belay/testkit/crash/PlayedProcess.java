package dev.belay.testkit.crash;

import static dev.belay.runtime.store.rows.ScopeRows.SCOPES;

import dev.belay.runtime.dispatch.CallEvent;
import dev.belay.runtime.dispatch.DurableCalls;
import dev.belay.runtime.dispatch.ToolDispatcher;
import dev.belay.runtime.effect.HostOptions;
import dev.belay.runtime.effect.ScopeId;
import dev.belay.runtime.effect.engine.JournalEffectHost;
import dev.belay.runtime.policy.ApprovalMode;
import dev.belay.runtime.store.Store;
import dev.belay.runtime.store.journal.JournalHost;
import dev.belay.runtime.store.rows.Operation;
import dev.belay.runtime.store.rows.Selector;
import dev.belay.testkit.FakeTime;
import dev.belay.tool.ToolOutcome;
import dev.belay.tool.context.Incarnation;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.random.RandomGenerator;

/** One process of a run: a host on the records, with the user's tools, until it dies or is done. */
final class PlayedProcess {

    private final FakeTime time;
    private final CrashProbe probe;
    private final Store store;
    private final Pace pace;
    private final BusyThreads threads = new BusyThreads();
    private final JournalHost host;
    private final ToolDispatcher dispatcher;
    private final Map<String, Integer> told = new TreeMap<>();
    private final Map<String, ToolOutcome> finished = new TreeMap<>();

    private PlayedProcess(Scenario scenario, Fate fate, CrashProbe probe, Store opened, Ledger ledger,
            FakeTime time) {
        this.time = time;
        this.probe = probe;
        this.pace = fate.shaken() ? Pace.shaken(fate.seed()) : Pace.oneAtATime();
        this.store = opened.through(pace::of);
        this.host = JournalEffectHost.open(store, HostOptions.DEFAULT.withTime(time)
                .withParkAfter(fate.parkAfter())
                .withThreads(threads));
        this.dispatcher = ToolDispatcher.builder(new WatchedTools(scenario.tools(), ledger))
                .offering(manifest -> true)
                .hostValues(scenario.hostValues())
                .policy(scenario.policy())
                .approvals(scenario.person() == null ? ApprovalMode.REFUSE : ApprovalMode.PARK)
                .listener(this::hear)
                .time(time)
                .threads(threads)
                .random(steady())
                .build();
    }

    /** Opens the records; nothing runs yet. */
    static PlayedProcess open(Scenario scenario, Fate fate, int number, RecordsOpening records,
            Ledger ledger,
            FakeTime time) throws Exception {
        var probe = new CrashProbe(fate.death(number));
        return new PlayedProcess(scenario, fate, probe, records.open(probe), ledger, time);
    }

    /** Starts the recorded work. The process may die during it. */
    DurableCalls serve() {
        return DurableCalls.open(host, dispatcher);
    }

    JournalHost host() {
        return host;
    }

    /** The incarnation of a scope. */
    Incarnation incarnation(ScopeId scope) {
        return store.read(Operation.reading(rows -> rows.add(Selector.one(SCOPES, scope.value())),
                unit -> Objects.requireNonNull(unit.get(SCOPES, scope.value())).incarnation()));
    }

    /** Whether it will act without time passing. */
    boolean isBusy() {
        return pace.isBusy() || threads.areBusy();
    }

    CrashProbe probe() {
        return probe;
    }

    /**
     * Random numbers that are equal in every process of every run. One thread submits the batches in one order, so their keys are
     * equal each time; bodies must not draw from the same numbers.
     */
    private static RandomGenerator steady() {
        Thread driver = Thread.currentThread();
        var ofBatches = new SplittableRandom(1);
        var ofBodies = new SplittableRandom(2);
        return () -> {
            SplittableRandom random = Thread.currentThread().equals(driver) ? ofBatches : ofBodies;
            synchronized (random) {
                return random.nextLong();
            }
        };
    }

    private synchronized void hear(CallEvent event) {
        String call = event.call().scope() + " call/" + event.call().index();
        switch (event) {
            case CallEvent.Started started -> told.merge("started " + call, 1, Integer::sum);
            case CallEvent.Finished(var which, ToolOutcome outcome) -> {
                told.merge("finished " + call, 1, Integer::sum);
                finished.put(call, outcome);
            }
            case CallEvent.Parked parked -> told.merge("parked " + call, 1, Integer::sum);
            case CallEvent.InDoubt doubt -> {
            }
            case CallEvent.Progress progress -> {
            }
        }
        notifyAll();
    }

    /** How often each event was told. */
    synchronized Map<String, Integer> told() {
        return new TreeMap<>(told);
    }

    /** Which outcomes were told. */
    synchronized Map<String, ToolOutcome> finished() {
        return new TreeMap<>(finished);
    }

    /** Waits for so many events of an end: events arrive a moment after the outcome. */
    synchronized void awaitFinished(int calls) throws InterruptedException {
        long end = System.nanoTime() + 2_000_000_000L;
        while (finished.size() < calls && System.nanoTime() < end) {
            wait(10);
        }
    }

    /** Removes it, dead or alive. */
    void close() {
        Thread closer = Thread.ofPlatform().name("crash-kit-closer").daemon().start(host::close);
        time.passUntilEnd(closer);
    }
}
