package dev.belay.cli.operate;

import dev.belay.cli.shell.ExitCode;
import dev.belay.cli.shell.TextTable;
import dev.belay.cli.shell.Times;
import dev.belay.cli.verb.StoreVerb;
import dev.belay.runtime.BelayClient;
import dev.belay.runtime.operate.SessionEntry;
import dev.belay.runtime.operate.SessionFilter;
import dev.belay.runtime.operate.WaitsFor;
import dev.belay.runtime.process.ProcessInfo;
import dev.belay.runtime.session.StuckTurn;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;

/** {@code belay ps}. */
@Command(name = "ps", header = "List what runs, what waits and for what, and what is stuck.", description = {
    "",
    "One line for each session with an active turn, and for each process that has not ended. WAITS FOR says what"
            + " has to happen before it goes on: 'process' is a runtime that takes it ('belay resume'), 'completion' an"
            + " answer ('belay pending'), 'doubt' a person ('belay doubts'), 'operator' a retry or an abandon."})
final class PsVerb extends StoreVerb {

    private static final int PAGE = 500;
    private static final List<SessionEntry.State> ACTIVE = List.of(SessionEntry.State.STUCK,
            SessionEntry.State.RUNNING, SessionEntry.State.READY, SessionEntry.State.WAITING);

    @Override
    protected int with(BelayClient client) {
        Instant now = Instant.now();
        Map<String, String> because = client.stuck()
                .stream()
                .collect(Collectors.toMap(turn -> turn.session().value(), StuckTurn::because, (a, b) -> a));
        var table = new TextTable("WHAT", "STATE", "WAITS FOR", "SINCE", "AGENT", "WHY");
        for (SessionEntry entry : active(client)) {
            String name = entry.head().id().value();
            if (isJson()) {
                print(out -> SessionForms.write(out, entry));
            } else {
                table.row(name + " turn " + entry.head().active(), SessionForms.word(entry.state()),
                        SessionForms.waits(entry),
                        since(entry, now),
                        entry.head().profile().agent(), because.getOrDefault(name, ""));
            }
        }
        for (ProcessInfo process : client.processes().list(0, PAGE)) {
            WaitsFor waits = process.waits();
            if (waits == null) {
                continue;
            }
            String word = SessionForms.word(waits.what());
            if (isJson()) {
                print(out -> out.name("process").value(process.id().value()).name("waits_for").value(word));
            } else {
                table.row("process " + process.id().value(), "", word, Times.age(waits.since(), now), "", "");
            }
        }
        if (!isJson()) {
            table.print(shell(), "nothing runs and nothing waits");
        }
        return ExitCode.DONE;
    }

    private static String since(SessionEntry entry, Instant now) {
        WaitsFor waits = entry.waits();
        return waits == null ? "" : Times.age(waits.since(), now);
    }

    private static List<SessionEntry> active(BelayClient client) {
        List<SessionEntry> found = new ArrayList<>();
        for (SessionEntry.State state : ACTIVE) {
            found.addAll(
                    Pages.all(after -> client.sessions(SessionFilter.ALL.state(state), after, PAGE), PAGE));
        }
        return found;
    }
}
