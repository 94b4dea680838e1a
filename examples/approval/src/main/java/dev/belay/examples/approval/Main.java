package dev.belay.examples.approval;

import dev.belay.json.Json;
import dev.belay.model.Message;
import dev.belay.runtime.Belay;
import dev.belay.runtime.BelayClient;
import dev.belay.runtime.operate.OpenApproval;
import dev.belay.runtime.operate.VerbResult;
import dev.belay.runtime.policy.ApprovalAnswer;
import dev.belay.runtime.session.InputHandle;
import dev.belay.runtime.store.Actor;
import dev.belay.store.jdbc.JdbcStore;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** The process of the persons who decide: it has neither models nor tools. It prints what each side sees. */
public final class Main {

    private static final Duration PATIENCE = Duration.ofMinutes(2);

    private final PrintStream out;
    private final Path home;

    private Main(PrintStream out, Path home) {
        this.out = out;
        this.home = home;
    }

    public static void main(String[] args) throws Exception {
        run(System.out);
    }

    static void run(PrintStream out) throws Exception {
        Path home = Files.createTempDirectory("belay-approval");
        try {
            Files.createDirectories(home.resolve("bank/payments"));
            new Main(out, home).tell();
        } finally {
            delete(home);
        }
    }

    private void tell() throws Exception {
        OpenApproval open;
        try (var first = new RunningWorker(true); BelayClient desk = desk("anna")) {
            desk.session("order-42").turn("Refund order 42.").id("in").submit();
            open = await(desk);
            out.println("worker 1: the call asks, and the bank has paid " + bank("nothing"));
            first.kill();
            out.println("worker 1: killed (SIGKILL)");
        }
        out.println("anna sees:");
        open.request().shown().lines().forEach(line -> out.println("  " + line));
        decide(open);
        try (var second = new RunningWorker(false)) {
            second.awaits("paid");
            out.println("worker 2: the bank has paid, and has not answered yet");
            second.kill();
            out.println("worker 2: killed (SIGKILL)");
        }
        try (var third = new RunningWorker(true); BelayClient desk = desk("anna")) {
            InputHandle input = desk.session("order-42").input("in").orElseThrow();
            out.println("worker 3: " + input.awaitCommit().text());
            told(desk);
            third.kill();
        }
        out.println("bank: " + Files.readAllLines(home.resolve("bank/requests")).size()
                + " requests with one idempotency key, " + bank(""));
    }

    private BelayClient desk(String person) {
        return Belay.client(JdbcStore.existing(home.resolve("belay.db"))).as(new Actor(person, "desk"));
    }

    private void decide(OpenApproval open) {
        // region decide
        String digest = open.request().digest(); // of exactly what was shown
        try (BelayClient anna = desk("anna"); BelayClient ben = desk("ben")) {
            VerbResult changed = anna.approvals()
                    .decide(open.keyId(), digest,
                            ApprovalAnswer.edit(Json.of("{\"order\": 42, \"cents\": 9000}")));
            VerbResult late = ben.approvals().decide(open.keyId(), digest, ApprovalAnswer.deny("too much"));
            out.println("anna: changes the amount: " + changed);
            out.println("ben: denies too late: " + late);
        }
        // endregion
    }

    /** What the model and the auditor see. */
    private void told(BelayClient desk) {
        for (Message message : desk.session("order-42").messages()) {
            switch (message) {
                case Message.UserMessage user -> out.println("the model reads: " + user.text());
                case Message.ToolMessage tool ->
                    out.println("the model reads: " + tool.replies().getFirst().text());
                default -> {
                }
            }
        }
        desk.audit(0, 9)
                .forEach(entry -> out.println("audit: " + entry.note().verb() + " by "
                        + entry.note().by().name() + " through " + entry.note().by().door()));
    }

    /** What the books of the bank say. */
    private String bank(String nothing) throws IOException {
        try (Stream<Path> files = Files.list(home.resolve("bank/payments"))) {
            List<Path> all = files.toList();
            return all.isEmpty() ? nothing : all.size() + " payment: " + Files.readString(all.getFirst());
        }
    }

    /** Looks until a call asks. */
    private static OpenApproval await(BelayClient desk) throws InterruptedException {
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (System.nanoTime() - end < 0) {
            List<OpenApproval> open = desk.approvals().open(null, 1).items();
            if (!open.isEmpty()) {
                return open.getFirst();
            }
            Thread.sleep(20);
        }
        throw new IllegalStateException("no call has asked within " + PATIENCE);
    }

    /** A worker in a process of its own. */
    private final class RunningWorker implements AutoCloseable {

        private final Process process;
        private final BufferedReader says;

        RunningWorker(boolean bankAnswers) throws IOException {
            process = new ProcessBuilder(List.of(
                    Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                    "--enable-native-access=ALL-UNNAMED", "-cp", System.getProperty("java.class.path"),
                    Worker.class.getName(), home.toString(), Boolean.toString(bankAnswers)))
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start();
            says = process.inputReader(StandardCharsets.UTF_8);
            awaits("ready true");
        }

        void awaits(String line) throws IOException {
            String said = says.readLine();
            if (!line.equals(said)) {
                throw new IllegalStateException(
                        "the worker should have said \"" + line + "\", but said " + said);
            }
        }

        void kill() {
            process.destroyForcibly().onExit().join();
        }

        @Override
        public void close() {
            kill();
        }
    }

    private static void delete(Path directory) throws IOException {
        try (Stream<Path> all = Files.walk(directory)) {
            for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(path);
            }
        }
    }
}
