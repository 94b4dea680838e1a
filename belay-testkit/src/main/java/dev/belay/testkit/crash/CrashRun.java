package dev.belay.testkit.crash;

import dev.belay.json.Json;
import dev.belay.runtime.dispatch.DurableCalls;
import dev.belay.runtime.effect.Deadline;
import dev.belay.runtime.effect.Delivery;
import dev.belay.runtime.effect.ScopeId;
import dev.belay.runtime.effect.ScopeState;
import dev.belay.runtime.effect.WaitState;
import dev.belay.runtime.store.Store;
import dev.belay.runtime.store.journal.JournalProbe;
import dev.belay.runtime.store.journal.OutcomeJson;
import dev.belay.testkit.FakeTime;
import dev.belay.testkit.SimulatedCrash;
import dev.belay.tool.ToolOutcome;
import dev.belay.tool.context.CompletionKey;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * One run of a scenario: processes start and die, one after the other, until every batch has ended. It also plays the world
 * around them: each time that all calls wait, it takes the next step of the scenario.
 */
final class CrashRun {

    private static final Duration STEP = Duration.ofMillis(100);
    private static final long GLANCE = 1_000_000;
    /** A run without a write for so long, while time passes, will not end any more. */
    private static final Duration PATIENCE = Duration.ofSeconds(1);
    private static final int PUSHES = 300;

    private final Scenario scenario;
    private final Fate fate;
    private final RecordsOpening records;
    private final List<String> batches;
    private final FakeTime time = new FakeTime();
    private final Ledger ledger = new Ledger();
    private final Findings findings;
    private final Set<Integer> done = new HashSet<>();
    private final Set<String> resolved = new HashSet<>();
    private final Map<Integer, Instant> ends = new HashMap<>();
    private final @Nullable AskedPerson person;

    CrashRun(Scenario scenario, Fate fate, RecordsOpening records) {
        this.scenario = scenario;
        this.fate = fate;
        this.records = records;
        this.batches = IntStream.range(0, fate.batches()).mapToObj(i -> "batch-" + i).toList();
        this.findings = new Findings(scenario, batches, ledger);
        this.person = scenario.person() == null ? null : new AskedPerson(scenario.person(), ledger, time);
    }

    /** Plays the run to its end. */
    Findings play() throws Exception {
        for (int number = 0;; number++) {
            PlayedProcess process = PlayedProcess.open(scenario, fate, number, records, ledger, time);
            boolean ended = false;
            try {
                if (number > 0 && fate.answersEarly()) {
                    settleAll(process);
                }
                ended = drive(process);
            } catch (SimulatedCrash death) {
                ended = false;
            } finally {
                if (ended) {
                    process.awaitFinished(number == 0 ? scenario.calls().size() * batches.size() : 0);
                }
                process.close();
            }
            findings.saw(process);
            CrashPoint death = process.probe().death();
            if (ended && death == null) {
                try (Store store = records.open(JournalProbe.NONE)) {
                    findings.checkConsistent(store);
                }
                return findings;
            }
            resolved.clear();
            findings.lookAfterCrash(records,
                    Objects.requireNonNull(death, "the process ended without a reason"),
                    number == 0 && !fate.shaken());
        }
    }

    /** Runs a process until all batches have ended; false if it died. */
    private boolean drive(PlayedProcess process) throws InterruptedException {
        DurableCalls calls = process.serve();
        for (String batch : batches) {
            calls.submit(batch, scenario.calls());
        }
        var progress = new Progress();
        while (process.probe().death() == null) {
            List<ScopeState> states = batches.stream().flatMap(batch -> calls.state(batch).stream()).toList();
            if (states.stream().allMatch(ScopeState::isSettled)) {
                findings.ended(outcomes(states));
                return true;
            }
            boolean rests = states.stream()
                    .allMatch(state -> state.isSettled() || state.status() == ScopeState.Status.PARKED);
            process.probe().awaitChange(GLANCE);
            if (!progress.isIdle(process)) {
                continue;
            }
            if (!rests || !(act(process) || passToNextMoment(process))) {
                progress.push();
                if (progress.isOver()) {
                    throw new Broken("no wait is lost: every batch comes to its end", "an end",
                            "nothing happens any more; " + describe(process, states));
                }
            }
        }
        return false;
    }

    /** Decides when to let time pass, and when that is useless. */
    private final class Progress {

        private int idle;
        private int pushes;
        private int heard;
        private long since = System.nanoTime();

        /** Whether nothing will happen before time passes; checked twice, because a thread may be between two actions. */
        boolean isIdle(PlayedProcess process) {
            int now = process.probe().count();
            if (now != heard || ledger.isBusy()) {
                heard = now;
                pushes = 0;
                since = System.nanoTime();
            }
            idle = process.isBusy() || ledger.isBusy() ? 0 : idle + 1;
            return idle > 1;
        }

        void push() {
            pushes++;
            time.advance(STEP);
        }

        boolean isOver() {
            return pushes > PUSHES && System.nanoTime() - since > PATIENCE.toNanos();
        }
    }

    /** Takes the next step of the scenario; false if none is possible now. */
    private boolean act(PlayedProcess process) {
        if (asked(process)) {
            return true;
        }
        for (int i = 0; i < scenario.steps().size(); i++) {
            boolean acted = switch (scenario.steps().get(i)) {
                case Scenario.Step.Settle settle -> settle(process, settle);
                case Scenario.Step.Cancel(String reason) -> !done.contains(i) && cancel(process, i, reason);
                case Scenario.Step.Pass(Duration passing) -> pass(process, i, passing);
            };
            if (acted) {
                return true;
            }
        }
        return false;
    }

    private boolean asked(PlayedProcess process) {
        return person != null && person.look(process, batches.stream().map(ScopeId::new).toList());
    }

    /** Answers, before a process serves, all that its dead one has asked for. */
    private void settleAll(PlayedProcess process) {
        while (asked(process)) {
            // each answer is a write
        }
        for (Scenario.Step step : scenario.steps()) {
            if (step instanceof Scenario.Step.Settle settle) {
                settle(process, settle);
            }
        }
    }

    private boolean settle(PlayedProcess process, Scenario.Step.Settle step) {
        return ledger.keys(step.label())
                .stream()
                .filter(key -> !resolved.contains(key.token()))
                .map(key -> settle(key, process.host().resolve(key, step.value())))
                .count() > 0;
    }

    private boolean settle(CompletionKey key, Delivery delivery) {
        if (delivery instanceof Delivery.Unknown) {
            throw new Broken("no wait is lost: a key that was handed out settles its wait",
                    "Accepted, Same or Lost", "Unknown for " + key);
        }
        return resolved.add(key.token());
    }

    private boolean cancel(PlayedProcess process, int step, String reason) {
        batches.forEach(batch -> process.host().cancel(new ScopeId(batch), reason));
        return done.add(step);
    }

    /** Lets the next part of a time pass, at most to the next moment at which something wakes, which must not seem late. */
    private boolean pass(PlayedProcess process, int step, Duration passing) {
        Instant end = ends.computeIfAbsent(step, first -> time.now().plus(passing));
        if (!time.now().isBefore(end)) {
            return false;
        }
        Instant next = nextMoment(process).filter(end::isAfter).orElse(end);
        time.advance(Duration.between(time.now(), next));
        return true;
    }

    /** Moves the time to the next deadline, because nothing happens before it. */
    private boolean passToNextMoment(PlayedProcess process) {
        Optional<Instant> next = nextMoment(process);
        next.ifPresent(due -> time.advance(Duration.between(time.now(), due)));
        return next.isPresent();
    }

    private Optional<Instant> nextMoment(PlayedProcess process) {
        return batches.stream()
                .flatMap(batch -> process.host().state(new ScopeId(batch)).stream())
                .filter(state -> !state.isSettled())
                .flatMap(state -> Stream.concat(Stream.ofNullable(state.wakeAt()),
                        process.host()
                                .waits(state.id())
                                .stream()
                                .filter(wait -> wait.resolution() == null)
                                .flatMap(wait -> Stream.ofNullable(wait.deadline()))))
                .filter(due -> !new Deadline(due).passed(time.now()))
                .min(Instant::compareTo);
    }

    private static List<List<ToolOutcome>> outcomes(List<ScopeState> states) {
        List<List<ToolOutcome>> all = new ArrayList<>();
        for (ScopeState state : states) {
            Json result = state.result();
            if (result == null) {
                throw new Broken("every batch comes to its end", "outcomes",
                        state.id() + " is stuck: " + state.stuckBecause());
            }
            all.add(result.get("outcomes").orElseThrow().items().stream().map(OutcomeJson::outcome).toList());
        }
        return all;
    }

    private static String describe(PlayedProcess process, List<ScopeState> states) {
        List<String> lines = new ArrayList<>();
        for (ScopeState state : states) {
            List<String> open = process.host()
                    .waits(state.id())
                    .stream()
                    .filter(wait -> wait.resolution() == null)
                    .map(WaitState::name)
                    .map(Object::toString)
                    .toList();
            lines.add(state.id() + " is " + state.status() + ", open waits " + open);
        }
        return String.join("; ", lines);
    }
}
