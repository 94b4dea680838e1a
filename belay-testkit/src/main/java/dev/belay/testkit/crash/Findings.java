package dev.belay.testkit.crash;

import dev.belay.runtime.effect.OpenWait;
import dev.belay.runtime.effect.ScopeId;
import dev.belay.runtime.effect.ScopeState;
import dev.belay.runtime.effect.WaitState;
import dev.belay.runtime.store.Store;
import dev.belay.runtime.store.journal.EffectRow;
import dev.belay.runtime.store.journal.JournalProbe;
import dev.belay.runtime.store.journal.JournalProbe.Moment;
import dev.belay.runtime.store.law.ScopeReads;
import dev.belay.tool.ToolEffect;
import dev.belay.tool.ToolOutcome;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** The observations of one run: records, outcomes, events, and the work of bodies. */
final class Findings {

    private static final Pattern CALL = Pattern.compile("call/([0-9]+)/.*");

    private final Scenario scenario;
    private final List<String> batches;
    private final Ledger ledger;
    private final List<PlayedProcess> processes = new ArrayList<>();
    private final Set<String> doubtful = new TreeSet<>();
    private final Set<String> stepsInDoubt = new TreeSet<>();
    private final Set<String> answered = new TreeSet<>();
    private final List<CrashReport.Moment> moments = new ArrayList<>();
    private List<List<ToolOutcome>> outcomes = List.of();

    Findings(Scenario scenario, List<String> batches, Ledger ledger) {
        this.scenario = scenario;
        this.batches = batches;
        this.ledger = ledger;
    }

    void saw(PlayedProcess process) {
        processes.add(process);
    }

    void ended(List<List<ToolOutcome>> all) {
        outcomes = all;
    }

    /** The outcomes of each batch. */
    List<List<ToolOutcome>> outcomes() {
        return outcomes;
    }

    Ledger ledger() {
        return ledger;
    }

    List<PlayedProcess> processes() {
        return processes;
    }

    /** Whether a call was found started and without an outcome after a crash. */
    boolean isDoubtful(int batch, int call) {
        return doubtful.contains(batches.get(batch) + " call/" + call);
    }

    /** Whether a step of a resumable call was found so. */
    boolean hasStepInDoubt(int batch, int call) {
        return stepsInDoubt.contains(name(batch, call));
    }

    /** Whether the answer of a call that waited for its completion key was found recorded after a crash. */
    boolean isAnswered(int batch, int call) {
        return answered.contains(name(batch, call));
    }

    String name(int batch, int call) {
        return batches.get(batch) + " call/" + call;
    }

    /** Whether a process died. */
    boolean hasDied() {
        return processes.size() > 1;
    }

    /** How many moments of writes a batch had, on average, in the first process. */
    int moments() {
        return Math.max(1, points().size() / batches.size());
    }

    /** The moments that the first process went through. */
    List<CrashPoint> points() {
        return processes.getFirst().probe().heard();
    }

    /**
     * Looks at the records between two processes.
     *
     * @param alone whether the write at which the process died shared its commit with no other, and was not repeated
     */
    void lookAfterCrash(RecordsOpening records, CrashPoint death, boolean alone) throws Exception {
        try (Store store = records.open(JournalProbe.NONE)) {
            Map<String, List<EffectRow>> rows = new LinkedHashMap<>();
            for (String batch : batches) {
                rows.put(batch, store.read(ScopeReads.effects(new ScopeId(batch))));
            }
            if (moments.isEmpty()) {
                noteMoments(store, rows.getOrDefault(batches.getFirst(), List.of()));
            }
            Set<String> answeredNow = new TreeSet<>();
            for (String batch : batches) {
                Set<String> settled = store.read(ScopeReads.waits(new ScopeId(batch)))
                        .stream()
                        .filter(Findings::isSettled)
                        .filter(wait -> wait.kind() == OpenWait.Kind.COMPLETION
                                && AskedPerson.attempt(wait).isEmpty())
                        .flatMap(wait -> call(wait.name().value()).stream())
                        .collect(Collectors.toSet());
                rows.getOrDefault(batch, List.of())
                        .stream()
                        .filter(row -> row.status() == EffectRow.Status.STARTED
                                && row.effect() == ToolEffect.ONCE)
                        .forEach(row -> call(row.key()).ifPresent(call -> {
                            String name = batch + " call/" + call;
                            doubtful.add(name);
                            if (row.key().contains("/step/")) {
                                stepsInDoubt.add(name);
                            } else if (settled.contains(call)) {
                                answered.add(name);
                                answeredNow.add(row.key());
                            }
                        }));
            }
            checkAcknowledged(rows, answeredNow);
            checkConsistent(store);
            if (alone && death.occurrence() == 1) {
                checkAtomic(store, rows.getOrDefault(batches.getFirst(), List.of()), death);
            }
        }
    }

    /** Notes how far the bodies of the first batch were at the first death. */
    private void noteMoments(Store store, List<EffectRow> rows) {
        List<WaitState> waits = store.read(ScopeReads.waits(new ScopeId(batches.getFirst())));
        for (int call = 0; call < scenario.calls().size(); call++) {
            String attempts = "call/" + call + "/attempt/";
            long asked = waits.stream()
                    .flatMap(wait -> AskedPerson.attempt(wait).stream())
                    .filter(key -> key.startsWith(attempts))
                    .count();
            long ended = rows.stream()
                    .filter(row -> row.key().startsWith(attempts) && row.status() != EffectRow.Status.STARTED)
                    .count();
            boolean begun = ledger.hasRun(scenario.calls().get(call).name())
                    || rows.stream()
                            .anyMatch(row -> row.key().startsWith(attempts)
                                    && row.status() == EffectRow.Status.STARTED);
            CrashReport.Moment open = begun ? CrashReport.Moment.IN : CrashReport.Moment.BEFORE;
            moments.add(ended > asked ? CrashReport.Moment.AFTER : open);
        }
    }

    /** How far the body of a call was at the first death. */
    CrashReport.Moment moment(int call) {
        return moments.get(call);
    }

    /** Rows contradict no others, at whatever write a process died. */
    void checkConsistent(Store store) {
        var found = store.inconsistencies(9);
        if (!found.isEmpty()) {
            throw new Broken("no row contradicts another", "none", found);
        }
    }

    private static Optional<String> call(String key) {
        Matcher found = CALL.matcher(key);
        return found.matches() ? Optional.of(found.group(1)) : Optional.empty();
    }

    /**
     * Checks that every record which the store reported as durable is still there.
     *
     * @param answered calls whose end the store refuses once, because an answer for their key came first
     */
    private void checkAcknowledged(Map<String, List<EffectRow>> rows, Set<String> answered) {
        for (CrashPoint point : processes.getLast().probe().heard()) {
            if (point.moment() != Moment.AFTER || !point.write().startsWith("effect ")) {
                continue;
            }
            boolean there = rows.values()
                    .stream()
                    .flatMap(List::stream)
                    .anyMatch(row -> isAtLeast(row, point.write()));
            if (!there && !isHeldUp(point.write(), rows)
                    && !answered.contains(point.write().split(" ", -1)[1])) {
                throw new Broken("what was recorded stays", "record " + point.write(),
                        "it is gone after the crash");
            }
        }
    }

    /** Whether the store was asked to start a call and has refused that, because another call is in doubt or will be. */
    private boolean isHeldUp(String write, Map<String, List<EffectRow>> rows) {
        String[] words = write.split(" ", -1);
        return words[2].equals(EffectRow.Status.STARTED.name())
                && call(words[1]).map(Integer::parseInt).filter(scenario::mayBeHeldUp).isPresent()
                && rows.values()
                        .stream()
                        .flatMap(List::stream)
                        .anyMatch(row -> !row.key().equals(words[1])
                                && (row.status() == EffectRow.Status.IN_DOUBT
                                        || (row.status() == EffectRow.Status.STARTED
                                                && row.effect() == ToolEffect.ONCE)));
    }

    private static boolean isAtLeast(EffectRow row, String write) {
        return write.equals("effect " + row.key() + " " + row.status())
                || write.equals("effect " + row.key() + " " + EffectRow.Status.STARTED);
    }

    /** Checks that the write is there as a whole exactly if the crash came after it. */
    private void checkAtomic(Store store, List<EffectRow> rows, CrashPoint death) {
        String batch = batches.getFirst();
        Optional<ScopeState> state = store.read(ScopeReads.state(new ScopeId(batch)));
        String[] words = death.write().split(" ", 2);
        Boolean there = switch (words[0]) {
            case "effect" -> rows.stream()
                    .anyMatch(row -> death.write().equals("effect " + row.key() + " " + row.status()));
            case "submit" -> state.isPresent();
            case "park" -> state.map(ScopeState::status).filter(ScopeState.Status.PARKED::equals).isPresent();
            case "end" -> state.map(ScopeState::status).filter(ScopeState.Status.ENDED::equals).isPresent();
            case "resolve" -> store.read(ScopeReads.waits(new ScopeId(batch)))
                    .stream()
                    .anyMatch(wait -> wait.name().value().equals(words[1]) && isSettled(wait));
            default -> null;
        };
        boolean expected = death.moment() == Moment.AFTER;
        if (expected && words[0].equals("effect") && isHeldUp(death.write(), Map.of(batch, rows))) {
            return;
        }
        if (there != null && there != expected) {
            throw new Broken("a write is there exactly if the process died after it",
                    (expected ? "" : "no ") + "record of: " + death.write(), expected ? "none" : "one");
        }
    }

    private static boolean isSettled(WaitState wait) {
        return wait.resolution() != null;
    }
}
