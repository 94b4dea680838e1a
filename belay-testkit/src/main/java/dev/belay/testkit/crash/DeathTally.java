package dev.belay.testkit.crash;

import dev.belay.runtime.dispatch.CallRequest;
import dev.belay.schema.Wording;
import dev.belay.testkit.crash.CrashReport.Death;
import dev.belay.testkit.crash.CrashReport.Moment;
import dev.belay.tool.ToolFailure;
import dev.belay.tool.ToolOutcome;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Counts, for a report, what came of each crash. Confined to one thread. */
final class DeathTally {

    private static final int LONGEST = 60;

    private final List<CallRequest> calls;
    private final List<Map<Moment, Death>> deaths = new ArrayList<>();

    DeathTally(List<CallRequest> calls) {
        this.calls = calls;
        calls.forEach(call -> deaths.add(new EnumMap<>(Moment.class)));
    }

    /** Adds a run of one batch. */
    void add(Findings run) {
        for (int call = 0; call < calls.size(); call++) {
            String tool = calls.get(call).name();
            var death = new Death(tool, run.moment(call), 1, run.ledger().mostRuns(tool),
                    Map.of(end(run.outcomes().getFirst().get(call)), 1));
            deaths.get(call).merge(death.moment(), death, DeathTally::sum);
        }
    }

    private static Death sum(Death one, Death other) {
        Map<String, Integer> ends = new TreeMap<>(one.ends());
        other.ends().forEach((end, times) -> ends.merge(end, times, Integer::sum));
        return new Death(one.tool(), one.moment(), one.crashes() + other.crashes(),
                Math.max(one.runs(), other.runs()),
                ends);
    }

    private static String end(ToolOutcome outcome) {
        return outcome instanceof ToolOutcome.Failure(ToolFailure failure) && failure.mayHaveHappened()
                ? "in doubt: a person or the service says whether it happened"
                : '"' + Wording.shown(outcome.text(), LONGEST) + '"';
    }

    List<Death> deaths() {
        return deaths.stream().flatMap(moments -> moments.values().stream()).toList();
    }
}
