package dev.belay.testkit.crash;

import dev.belay.runtime.dispatch.CallRequest;
import dev.belay.tool.ToolDefinition;
import dev.belay.tool.ToolEffect;
import dev.belay.tool.ToolFailure;
import dev.belay.tool.ToolOutcome;
import java.util.List;
import java.util.Map;

/** Checks the promises at the end of every run, compared with the run without a crash. */
final class Promises {

    private final Scenario scenario;
    private final Findings peaceful;

    Promises(Scenario scenario, Findings peaceful) {
        this.scenario = scenario;
        this.peaceful = peaceful;
    }

    /** Checks the run without a crash: it told each start and each end once. */
    void checkPeaceful() {
        checkEvents(peaceful);
        checkOnce(peaceful);
        Map<String, Integer> told = peaceful.processes().getFirst().told();
        for (int batch = 0; batch < peaceful.outcomes().size(); batch++) {
            for (int call = 0; call < scenario.calls().size(); call++) {
                checkTold(told, peaceful.name(batch, call));
            }
        }
    }

    private static void checkTold(Map<String, Integer> told, String call) {
        for (String event : List.of("started ", "finished ")) {
            if (told.getOrDefault(event + call, 0) != 1) {
                throw new Broken("every call has one start and one end", "1 event \"" + event + call + "\"",
                        told);
            }
        }
    }

    /** Checks a run with crashes. */
    void check(Findings run) {
        checkOutcomes(run);
        checkOnce(run);
        checkEvents(run);
        checkTold(run);
    }

    private void checkOutcomes(Findings run) {
        for (int batch = 0; batch < run.outcomes().size(); batch++) {
            for (int call = 0; call < scenario.calls().size(); call++) {
                ToolOutcome expected = peaceful.outcomes().get(batch).get(call);
                ToolOutcome found = run.outcomes().get(batch).get(call);
                if (!isRight(run, batch, call, expected, found)) {
                    throw wrong(run, batch, call, expected, found);
                }
            }
        }
    }

    private boolean isRight(Findings run, int batch, int call, ToolOutcome expected, ToolOutcome found) {
        if (found.code().filter("doubt_unsettled"::equals).isPresent()) {
            return isHeldUp(run, batch, call);
        }
        boolean same = scenario.compared().apply(expected).equals(scenario.compared().apply(found));
        ToolDefinition tool = tool(call);
        if (!run.isDoubtful(batch, call)
                || (tool.manifest().resumable() && !run.hasStepInDoubt(batch, call))) {
            return same && (!isInDoubt(found) || isInDoubt(expected));
        }
        if (tool.manifest().resumable() || tool.reconciler().isPresent()) {
            return true; // its body, or what it asks, says what is made of the doubt
        }
        if (run.isAnswered(batch, call)) {
            return same;
        }
        return isInDoubt(found) || (same && peaceful.ledger().labels().contains(tool.name()));
    }

    /** Whether another call is in doubt, and is the same or may have the same resource. */
    private boolean isHeldUp(Findings run, int batch, int call) {
        for (int other = 0; other < run.outcomes().size(); other++) {
            for (int index = 0; index < scenario.calls().size(); index++) {
                if ((other != batch || index != call) && run.isDoubtful(other, index)
                        && scenario.mayHoldUp(index, call)) {
                    return true;
                }
            }
        }
        return false;
    }

    private Broken wrong(Findings run, int batch, int call, ToolOutcome expected, ToolOutcome found) {
        String tool = scenario.calls().get(call).name();
        return run.isDoubtful(batch, call)
                ? new Broken("a call that started and left no outcome is in doubt",
                        "in_doubt for " + run.name(batch, call) + " (" + tool + ")", found.text())
                : new Broken("the outcome is that of a run without a crash",
                        expected.text() + " for " + run.name(batch, call) + " (" + tool + ")", found.text());
    }

    private static boolean isInDoubt(ToolOutcome outcome) {
        return outcome instanceof ToolOutcome.Failure(ToolFailure failure) && failure.mayHaveHappened();
    }

    private ToolDefinition tool(int call) {
        String tool = scenario.calls().get(call).name();
        return scenario.tools()
                .definitions()
                .stream()
                .filter(one -> one.name().equals(tool))
                .findFirst()
                .orElseThrow();
    }

    private void checkOnce(Findings run) {
        for (CallRequest call : scenario.calls()) {
            if (run.ledger().hasRun(call.name()) && !peaceful.ledger().hasRun(call.name())) {
                throw new Broken("a call that no person has approved does not run",
                        "no run of " + call.name(),
                        "its body ran");
            }
        }
        Map<String, Ledger.Entry> usual = peaceful.ledger().entries();
        run.ledger().entries().forEach((key, entry) -> {
            Ledger.Entry peace = usual.get(key);
            int most = peace == null ? 1 : Math.max(1, run == peaceful ? 1 : peace.runs());
            if (entry.effect() == ToolEffect.ONCE && entry.runs() > most) {
                throw new Broken("work declared ONCE runs at most once",
                        "at most " + most + " run of " + entry.what(),
                        entry.runs() + " runs under idempotency key " + key);
            }
        });
    }

    private void checkEvents(Findings run) {
        for (PlayedProcess process : run.processes()) {
            process.told().forEach((event, times) -> {
                if (times > 1) {
                    throw new Broken("no event is doubled", "one event \"" + event + "\"",
                            times + " of them");
                }
            });
        }
    }

    /** Checks that an outcome once told stays. */
    private void checkTold(Findings run) {
        for (PlayedProcess process : run.processes()) {
            process.finished().forEach((call, told) -> {
                for (int batch = 0; batch < run.outcomes().size(); batch++) {
                    for (int index = 0; index < scenario.calls().size(); index++) {
                        ToolOutcome found = run.outcomes().get(batch).get(index);
                        if (run.name(batch, index).equals(call) && !told.equals(found)) {
                            throw new Broken("an outcome that was told stays", told.text() + " for " + call,
                                    found.text());
                        }
                    }
                }
            });
        }
    }
}
