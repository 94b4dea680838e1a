package dev.belay.cli.demo;

import dev.belay.cli.screen.Style;
import dev.belay.cli.shell.ExitCode;
import dev.belay.cli.shell.Output;
import dev.belay.cli.shell.Person;
import dev.belay.cli.shell.Shell;
import dev.belay.cli.shell.ShortHandles;
import dev.belay.cli.shell.TextTable;
import dev.belay.cli.shell.Times;
import dev.belay.json.Json;
import dev.belay.runtime.Belay;
import dev.belay.runtime.BelayClient;
import dev.belay.runtime.operate.OpenApproval;
import dev.belay.runtime.policy.ApprovalAnswer;
import dev.belay.runtime.session.TurnCall;
import dev.belay.runtime.store.Actor;
import dev.belay.runtime.store.journal.Doubt;
import dev.belay.schema.Shown;
import dev.belay.store.jdbc.JdbcStore;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Tells the demo: starts workers, kills them, asks the reader, settles the doubt, and counts what ran. Confined to one thread. */
final class Story {

    private static final int LINE = 120;
    /** A longer output is told by its size. */
    private static final int MOST_LINES = 100;

    /** As the launcher was called: nothing else need be on the PATH. */
    private final String command = System.getProperty("belay.command", "belay");
    private final Shell shell;
    private final Output out;
    private final Path home;
    private final boolean yes;
    private final Books books;
    private final Map<String, Long> began = new HashMap<>();
    private final Set<String> told = new HashSet<>();
    private int stage;
    private int round;

    Story(Shell shell, Path home, boolean yes) {
        this.shell = shell;
        this.home = home;
        this.yes = yes;
        out = shell.out();
        books = new Books(home);
    }

    int tell() throws Exception {
        out.line("A scripted model answers; tools, processes and the database are real.");
        out.line("Database: " + database());
        out.line("");
        out.line("You: " + ShopScript.TASK);
        try (var first = new WorkerProcess(home)) {
            until(first, "ready");
            try (BelayClient client = client()) {
                client.session(DemoWorker.SESSION).turn(ShopScript.TASK).id("task").submit();
            }
            until(first, "parked");
            first.kill();
            stage("kill -9 " + first.id()
                    + ": the process that asked is gone. The question is in the database:");
        }
        Boolean approved = answer();
        if (approved == null) {
            return leftWaiting();
        }
        try (var second = new WorkerProcess(home)) {
            stage("Process " + second.id() + " goes on with the turn. Nothing that was recorded runs again.");
            if (!approved) {
                until(second, "answer");
                return end();
            }
            until(second, "booked");
            second.kill();
            stage("kill -9 " + second.id()
                    + ": this time the bank had booked, and the answer was not recorded.");
        }
        try (var third = new WorkerProcess(home)) {
            out.line("  Process " + third.id()
                    + " takes over. A payment must not happen twice, so it does not pay again:");
            until(third, "answer");
            settle();
            stage("The model is told what turned out.");
            out.line("You: " + ShopScript.QUESTION);
            try (BelayClient client = client()) {
                client.session(DemoWorker.SESSION).turn(ShopScript.QUESTION).id("question").submit();
            }
            until(third, "answer");
        }
        return end();
    }

    private Path database() {
        return home.resolve("belay.db");
    }

    private BelayClient client() {
        return Belay.client(JdbcStore.existing(database())).as(new Actor("reader", "demo"));
    }

    private void stage(String text) {
        stage++;
        out.line("");
        String heading = stage + ". " + text;
        out.remark(heading, Style.HEADING);
    }

    /** Tells what a worker does until it says that something has happened. */
    private void until(WorkerProcess worker, String event) throws IOException {
        while (true) {
            Json said = worker.next();
            String what = said.get("event").orElseThrow().asString();
            switch (what) {
                case "started" -> started(said);
                case "finished" -> finished(said);
                case "parked" -> line(said, "waits for a person; it has not begun and holds no thread");
                case "doubt" -> line(said, "is in doubt");
                case "answer" -> out.remark("Model: " + text(said, "text"));
                default -> {
                }
            }
            if (what.equals(event)) {
                return;
            }
        }
    }

    private void started(Json said) {
        if (began.keySet().stream().allMatch(told::contains)) {
            round(said);
        }
        began.put(text(said, "call"), System.nanoTime());
    }

    /** Begins a stage with the first call of a round, once those of the round before are told. */
    private void round(Json said) {
        int next = said.get("round").orElseThrow().asInt();
        if (said.get("turn").orElseThrow().asInt() > 1 || next <= round) {
            return;
        }
        round = next;
        switch (next) {
            case 1 -> stage("Three reads in one message run side by side.");
            case 2 ->
                stage("An output of 2000 lines is too large: it is kept whole, and the model is shown 400.");
            case 3 -> stage("The model pages back what was cut, by the handle at its end.");
            case 4 -> stage("An invalid call: no body runs, and the model reads what is wrong.");
            case 5 -> stage("The model repairs it. Two writes of one item: the second waits for the first.");
            case 6 -> stage(
                    "A payment asks a person, by a rule of the policy. The call parks; it may wait for days.");
            default -> {
            }
        }
    }

    private void finished(Json said) {
        if (!told.add(text(said, "call"))) {
            return; // a process that goes on tells once more how calls of its round have ended
        }
        Long since = began.get(text(said, "call"));
        String result = text(said, "text");
        String took = since == null || result.startsWith("Error")
                ? ""
                : "  (" + Times.took(Duration.ofNanos(System.nanoTime() - since)) + ")";
        List<String> lines = result.lines().toList();
        String shown = lines.size() > MOST_LINES
                ? lines.size() + " lines, the last: " + lines.getLast()
                : Shown.inLine(result.replace("\n", " "), LINE);
        line(said, "-> " + shown + took);
    }

    private void line(Json said, String text) {
        round(said);
        out.remark("  " + call(said) + "  " + text);
    }

    private static String call(Json said) {
        return text(said, "tool") + " " + Shown.inLine(ShortHandles.in(text(said, "arguments")), LINE);
    }

    private static String text(Json said, String field) {
        return said.get(field).map(Json::asString).orElse("");
    }

    /** The reader's answer to the call that asks; null if there was none. */
    private @Nullable Boolean answer() throws IOException, InterruptedException {
        try (BelayClient client = client()) {
            OpenApproval open = client.approvals().open(null, 1).items().getFirst();
            out.quote(open.request().shown());
            String said = yes ? "yes" : ask();
            if (said == null) {
                return null;
            }
            boolean approved = said.toLowerCase(Locale.ROOT).startsWith("y");
            client.approvals()
                    .decide(open.keyId(), open.request().digest(),
                            approved ? ApprovalAnswer.once() : ApprovalAnswer.deny("too expensive"));
            out.line("  You " + (approved ? "approve it" : "deny it")
                    + ". No process runs now: the answer is kept.");
            return approved;
        }
    }

    private @Nullable String ask() throws InterruptedException {
        Person reader = shell.person(() -> false);
        while (true) {
            String line = reader.ask("May the model pay 378.00 for two ropes? [y/n] ", () -> true);
            if (line == null) {
                shell.err().line("");
                return null;
            }
            String word = line.strip().toLowerCase(Locale.ROOT);
            if (word.equals("y") || word.equals("yes") || word.equals("n") || word.equals("no")) {
                return word;
            }
            shell.err().line("Type y or n, and Enter.");
        }
    }

    private int leftWaiting() {
        out.line("  No answer came. The call stays parked, here:");
        out.line("  " + command + " pending --store " + database());
        return ExitCode.WAITING;
    }

    private void settle() throws IOException {
        try (BelayClient client = client()) {
            for (Doubt doubt : client.doubts().open(0, 1)) {
                stage("A doubt is listed until a person settles it. You look into the bank's book, by the idempotency key:");
                String receipt = books.booked(doubt.about().call().idempotencyKey()).orElse("");
                out.line("  doubt " + doubt.id() + ": " + doubt.about().call().name() + " "
                        + doubt.about().call().arguments().compact());
                out.line("  bank.txt: " + receipt);
                client.doubts().happened(doubt.id(), Json.string(receipt), "found in the bank's book");
                out.line("  settled: it happened");
            }
        }
    }

    private int end() throws IOException {
        stage("The ledger: what the model asked for, and how often bodies ran, in all processes together.");
        try (BelayClient client = client()) {
            Map<String, Integer> asked = new LinkedHashMap<>();
            Map<String, Integer> refused = new HashMap<>();
            for (TurnCall call : client.session(DemoWorker.SESSION).calls(1)) {
                asked.merge(call.tool(), 1, Integer::sum);
                if (call.outcome()
                        .flatMap(outcome -> outcome.code())
                        .filter("invalid_arguments"::equals)
                        .isPresent()) {
                    refused.merge(call.tool(), 1, Integer::sum);
                }
            }
            var table = new TextTable("TOOL", "ASKED", "INVALID", "RAN");
            for (Map.Entry<String, Integer> entry : asked.entrySet()) {
                // the runtime's own tool keeps no book
                table.row(entry.getKey(), entry.getValue(), refused.getOrDefault(entry.getKey(), 0),
                        entry.getKey().equals("read_output") ? "-" : books.times(entry.getKey()));
            }
            table.print(shell, "");
        }
        out.line("");
        out.line("Look into it:");
        out.line("  " + command + " sessions show " + DemoWorker.SESSION + " --store " + database());
        out.line("  " + command + " audit --store " + database());
        return ExitCode.DONE;
    }
}
