package dev.belay.examples.refund;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** Starts a worker, kills it while the refund waits, starts another, kills it while it pays, and counts the money. */
public final class Main {

    private final PrintStream out;
    private final Bank bank;
    private final Path journal;

    private Main(PrintStream out, Bank bank, Path journal) {
        this.out = out;
        this.bank = bank;
        this.journal = journal;
    }

    public static void main(String[] args) throws Exception {
        run(System.out);
    }

    static void run(PrintStream out) throws Exception {
        Path directory = Files.createTempDirectory("belay-refund");
        try (var bank = new Bank()) {
            new Main(out, bank, directory.resolve("journal.db")).tell();
        } finally {
            delete(directory);
        }
    }

    private void tell() throws Exception {
        String key;
        try (var first = new RunningWorker()) {
            key = bank.awaitAsked();
            out.println("worker 1: asked the desk for an approval, and waits");
            first.kill();
            out.println("worker 1: killed (SIGKILL)");
        }
        try (var second = new RunningWorker()) {
            int status = Bank.Client.approve(second.webhook(), key);
            out.println("worker 2: the approval came by its webhook (" + status + ")");
            bank.awaitPayment();
            out.println("worker 2: the bank has paid, and has not answered yet");
            second.kill();
            out.println("worker 2: killed (SIGKILL)");
        }
        bank.answerPayments();
        try (var third = new RunningWorker()) {
            out.println("worker 3: " + third.outcome());
        }
        out.println("bank: " + bank.requests() + " requests with one idempotency key, " + bank.payments()
                + " payment");
    }

    /** A worker in a process of its own. */
    private final class RunningWorker implements AutoCloseable {

        private final Process process;
        private final BufferedReader says;
        private final int webhook;

        RunningWorker() throws IOException {
            process = new ProcessBuilder(command()).redirectError(ProcessBuilder.Redirect.INHERIT).start();
            says = process.inputReader(StandardCharsets.UTF_8);
            webhook = Integer.parseInt(next("webhook "));
        }

        private List<String> command() {
            List<String> command = new ArrayList<>(List.of(
                    Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                    "--enable-native-access=ALL-UNNAMED", "-cp", System.getProperty("java.class.path"),
                    Worker.class.getName()));
            command.add(journal.toString());
            command.add(Integer.toString(bank.port()));
            return command;
        }

        private String next(String word) throws IOException {
            String line = says.readLine();
            if (line == null || !line.startsWith(word)) {
                throw new IllegalStateException(
                        "the worker should have said \"" + word + "…\", but said " + line);
            }
            return line.substring(word.length());
        }

        int webhook() {
            return webhook;
        }

        String outcome() throws IOException {
            return next("outcome ");
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
