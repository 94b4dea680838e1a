package dev.belay.examples.operator;

import dev.belay.json.Json;
import dev.belay.runtime.Belay;
import dev.belay.runtime.BelayClient;
import dev.belay.runtime.effect.Resolution;
import dev.belay.runtime.operate.PendingWait;
import dev.belay.runtime.operate.SessionEntry;
import dev.belay.runtime.operate.VerbResult;
import dev.belay.runtime.operate.WaitsFor;
import dev.belay.runtime.session.InputHandle;
import dev.belay.runtime.store.Actor;
import dev.belay.runtime.store.journal.Doubt;
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
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** The operator: a process without models and tools. It lets workers work, kills one, and puts right what went wrong. */
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
        Path home = Files.createTempDirectory("belay-operator");
        try {
            Files.createDirectory(home.resolve("bank"));
            new Main(out, home).tell();
        } finally {
            delete(home);
        }
    }

    private void tell() throws Exception {
        try (var first = new RunningWorker(); BelayClient operator = operator()) {
            operator.session("order-1").turn("Pay ann.").id("in").submit();
            first.awaits("booked");
            first.kill();
            out.println("worker 1: killed while the bank booked a payment (SIGKILL)");
        }
        Files.createFile(home.resolve("outage"));
        try (var second = new RunningWorker(); BelayClient operator = operator()) {
            doubt(operator);
            lostKey(operator);
            outage(operator);
            out.println();
            operator.audit(0, 9)
                    .forEach(entry -> out.println("audit: " + entry.note().verb() + " by "
                            + entry.note().by().name() + " through " + entry.note().by().door()));
            second.kill();
        }
    }

    // region client
    private BelayClient operator() {
        return Belay.client(JdbcStore.existing(home.resolve("belay.db"))).as(new Actor("on-call", "example"));
    }
    // endregion

    private void doubt(BelayClient operator) throws Exception {
        InputHandle input = operator.session("order-1").input("in").orElseThrow();
        out.println("order-1: " + input.awaitCommit().text());
        // region doubt
        for (Doubt doubt : operator.doubts().open(0, 50)) {
            out.println("doubt: " + doubt.about().call().name() + " " + doubt.about().call().arguments()
                    + " of session " + doubt.about().call().session());
            Path booking = home.resolve("bank").resolve(doubt.about().call().idempotencyKey());
            VerbResult result = Files.exists(booking)
                    ? operator.doubts()
                            .happened(doubt.id(), Json.string(Files.readString(booking)),
                                    "it is in the books")
                    : operator.doubts().didNotHappen(doubt.id(), "it is not in the books");
            out.println("operator: it is in the books, so it happened: " + result);
        }
        // endregion
        out.println("order-1: " + operator.session("order-1").turn("So?").submit().awaitCommit().text());
    }

    private void lostKey(BelayClient operator) throws Exception {
        out.println();
        InputHandle input = operator.session("order-2").turn("Ask the manager.").submit();
        PendingWait wait = await(() -> operator.pending(null, 1).items().stream().findFirst());
        out.println("pending: " + wait.tool() + " of session " + wait.session() + ", and its key was lost");
        String key = operator.reissue(wait.keyId()).token();
        out.println("operator: a number is no answer: "
                + operator.resolve(key, Resolution.ok(Json.number(7))).getClass().getSimpleName());
        out.println("operator: answers for the manager: "
                + operator.resolve(key, Resolution.ok(Json.string("yes"))).getClass().getSimpleName());
        out.println("order-2: " + input.awaitCommit().text());
    }

    private void outage(BelayClient operator) throws Exception {
        out.println();
        InputHandle input = operator.session("order-3").turn("Hello.").submit();
        SessionEntry waiting = await(() -> operator.sessions(null, 9)
                .items()
                .stream()
                .filter(entry -> entry.head().id().value().equals("order-3"))
                .filter(entry -> entry.state() == SessionEntry.State.WAITING && entry.waits() != null
                        && entry.waits().what() == WaitsFor.For.MODEL)
                .findFirst());
        out.println("sessions: " + waiting.head().id() + " is " + waiting.state()
                + ", because the provider is down");
        Files.delete(home.resolve("outage"));
        out.println("operator: the provider is back");
        out.println("order-3: " + input.awaitCommit().text());
    }

    /** Looks until there is something to see. */
    private static <T> T await(Supplier<Optional<T>> look) throws InterruptedException {
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (System.nanoTime() - end < 0) {
            Optional<T> seen = look.get();
            if (seen.isPresent()) {
                return seen.get();
            }
            Thread.sleep(20);
        }
        throw new IllegalStateException("nothing came within " + PATIENCE);
    }

    /** A worker in a process of its own. */
    private final class RunningWorker implements AutoCloseable {

        private final Process process;
        private final BufferedReader says;

        RunningWorker() throws IOException {
            process = new ProcessBuilder(List.of(
                    Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                    "--enable-native-access=ALL-UNNAMED", "-cp", System.getProperty("java.class.path"),
                    Worker.class.getName(), home.toString()))
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
