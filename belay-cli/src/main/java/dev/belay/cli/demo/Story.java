package dev.belay.cli.demo;

import dev.belay.cli.shell.ExitCode;
import dev.belay.cli.shell.Output;
import dev.belay.cli.shell.Shell;
import dev.belay.cli.shell.TextTable;
import dev.belay.cli.shell.Times;
import dev.belay.json.Json;
import dev.belay.runtime.Belay;
import dev.belay.runtime.BelayClient;
import dev.belay.runtime.effect.Resolution;
import dev.belay.runtime.operate.PendingWait;
import dev.belay.runtime.session.TurnCall;
import dev.belay.runtime.store.Actor;
import dev.belay.runtime.store.journal.Doubt;
import dev.belay.schema.Shown;
import dev.belay.store.jdbc.JdbcStore;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Tells the demo: starts workers, kills them, asks the reader, settles the doubt, and counts what ran. Confined to one thread. */
final class Story {

    private static final int LINE = 120;

    private final Shell shell;
    private final Output out;
    private final Path home;
    private final boolean yes;
    private final Books books;
    private final Map<String, Long> began = new HashMap<>();
    private final Set<String> told = new HashSet<>();
    private int stage;

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
                    + ": the process that asked is gone. The question is in the database.");
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
        out.line(shell.colours(1) ? "\u001b[1m" + heading + "\u001b[0m" : heading);
    }

    /** Tells what a worker does until it says that something has happened. */
    private void until(WorkerProcess worker, String event) throws IOException {
        while (true) {
            Json said = worker.next();
            String what = said.get("event").orElseThrow().asString();
            switch (what) {
                case "round" ->
                    round(said.get("turn").orElseThrow().asInt(), said.get("round").orElseThrow().asInt());
                case "started" -> began.put(text(said, "call"), System.nanoTime());
                case "finished" -> finished(said);
                case "parked" -> out.line("  " + call(said) + "  waits for an answer; it holds no thread");
                case "doubt" -> out.line("  " + call(said) + "  is in doubt");
                case "answer" -> out.line("Model: " + text(said, "text"));
                default -> {
                }
            }
            if (what.equals(event)) {
                return;
            }
        }
    }

    private void round(int turn, int round) {
        switch (turn > 1 ? 0 : round) {
            case 1 -> stage("Three reads in one message run side by side.");
            case 2 -> stage("An invalid call: no body runs, and the model reads what is wrong.");
            case 3 -> stage("The model repairs it. Two writes of one item: the second waits for the first.");
            case ShopScript.ASKING -> stage("A call that needs a person parks. It may wait for days.");
            default -> {
            }
        }
    }

    private void finished(Json said) {
        if (!told.add(text(said, "call"))) {
            return; // a process that goes on tells once more how calls of its round have ended
        }
        Long since = began.get(text(said, "call"));
        String took = since == null || text(said, "text").startsWith("Error")
                || said.get("tool").orElseThrow().asString().equals("ask_person")
                        ? ""
                        : "  (" + Times.took(Duration.ofNanos(System.nanoTime() - since)) + ")";
        out.line("  " + call(said) + "  -> " + Shown.inLine(text(said, "text").replace("\n", " "), LINE)
                + took);
    }

    private static String call(Json said) {
        return text(said, "tool") + " " + Shown.inLine(text(said, "arguments"), LINE);
    }

    private static String text(Json said, String field) {
        return said.get(field).map(Json::asString).orElse("");
    }

    /** The reader's answer to the question that waits; null if there was none. */
    private @Nullable Boolean answer() throws IOException {
        try (BelayClient client = client()) {
            PendingWait wait = client.pending(null, 1).items().getFirst();
            out.line("  pending: " + wait.tool() + " "
                    + (wait.arguments() == null ? "" : wait.arguments().compact())
                    + ", key id " + wait.keyId());
            String said = yes ? "yes" : ask();
            if (said == null) {
                return null;
            }
            boolean approved = said.toLowerCase(Locale.ROOT).startsWith("y");
            client.resolve(client.reissue(wait.keyId()).token(),
                    Resolution.ok(Json.string(approved ? "yes" : "no")));
            out.line("  You answer " + (approved ? "yes" : "no")
                    + ". No process runs now: the answer is kept.");
            return approved;
        }
    }

    private @Nullable String ask() throws IOException {
        var lines = new BufferedReader(new InputStreamReader(shell.in(), StandardCharsets.UTF_8));
        while (true) {
            shell.err().print("May the model pay 378.00 for two ropes? [y/n] ");
            String line = lines.readLine();
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
        out.line("  belay pending --store " + database());
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
                table.row(entry.getKey(), entry.getValue(), refused.getOrDefault(entry.getKey(), 0),
                        books.times(entry.getKey()));
            }
            table.print(shell, "");
        }
        out.line("");
        out.line("Look into it:");
        out.line("  belay sessions show " + DemoWorker.SESSION + " --store " + database());
        out.line("  belay audit --store " + database());
        return ExitCode.DONE;
    }
}
