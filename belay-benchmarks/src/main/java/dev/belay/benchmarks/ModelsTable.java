package dev.belay.benchmarks;

import dev.belay.model.Message;
import dev.belay.model.Model;
import dev.belay.model.ModelEvent.TextDelta;
import dev.belay.model.ModelRequest;
import dev.belay.model.openai.OpenAiModel;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Prints the time that Belay adds to the raw stream of a model server on this machine: up to the first token, one request after
 * the other; and with a thousand streams at once, each on a virtual thread. The raw client is the JDK's, reading up to the first
 * line with a token. Both take turns.
 */
public final class ModelsTable {

    private static final int WARM_UP = 500;
    private static final int ROUNDS = 2_000;
    private static final int STREAMS = 1_000;
    private static final int TOKENS = 50;
    private static final Duration PACE = Duration.ofMillis(40);
    private static final ModelRequest QUESTION = ModelRequest.of(Message.user("Say something."));
    private static final String BODY = "{\"model\":\"m\",\"messages\":[{\"role\":\"user\",\"content\":\"Say something.\"}],\"stream\":true}";

    /** Asks once. */
    @FunctionalInterface
    private interface Client {

        /** Returns the nanoseconds until the first token, and reads the stream to its end. */
        long firstToken() throws IOException, InterruptedException;
    }

    /**
     * The times of a thousand streams.
     *
     * @param wall seconds until all had ended
     * @param median milliseconds until the first token
     * @param high the same for the slowest in a hundred
     */
    private record Crowd(double wall, double median, double high) {}

    private ModelsTable() {}

    /** Runs both parts. */
    public static void main(String[] args) throws Exception {
        System.out.println(
                "| one stream after the other | median to first token | 99 % | added, median | bar: under 20 ms |");
        System.out.println("|---|---:|---:|---:|---|");
        try (TokenServer server = TokenServer.start(1, Duration.ZERO)) {
            List<Client> clients = List.of(raw(server), belay(server));
            List<long[]> times = takeTurns(clients);
            double bare = micros(times.get(0), 50);
            double ours = micros(times.get(1), 50);
            System.out.printf("| JDK HttpClient, raw | %.0f µs | %.0f µs | | |%n", bare,
                    micros(times.get(0), 99));
            System.out.printf("| Belay OpenAiModel | %.0f µs | %.0f µs | %.0f µs | %s |%n", ours,
                    micros(times.get(1), 99),
                    ours - bare, ours - bare < 20_000 ? "holds" : "BROKEN");
        }
        System.out.println();
        System.out.printf(
                "| %d streams at once, %d tokens %d ms apart | all ended after | median to first token | 99 %% |%n",
                STREAMS, TOKENS, PACE.toMillis());
        System.out.println("|---|---:|---:|---:|");
        try (TokenServer server = TokenServer.start(TOKENS, PACE)) {
            for (int repetition = 0; repetition < 2; repetition++) {
                print("JDK HttpClient, raw", crowd(raw(server)), repetition);
                print("Belay OpenAiModel", crowd(belay(server)), repetition);
            }
        }
        System.exit(0); // otherwise the process would wait for the raw client's threads
    }

    private static void print(String label, Crowd crowd, int repetition) {
        System.err.printf("%s, repetition %d done%n", label, repetition + 1);
        if (repetition > 0) {
            System.out.printf("| %s | %.2f s | %.0f ms | %.0f ms |%n", label, crowd.wall,
                    crowd.median, crowd.high);
        }
    }

    private static List<long[]> takeTurns(List<Client> clients) throws IOException, InterruptedException {
        List<long[]> times = clients.stream().map(client -> new long[ROUNDS]).toList();
        for (int round = -WARM_UP; round < ROUNDS; round++) {
            for (int i = 0; i < clients.size(); i++) {
                int turn = (i + Math.floorMod(round, clients.size())) % clients.size();
                long time = clients.get(turn).firstToken();
                if (round >= 0) {
                    times.get(turn)[round] = time;
                }
            }
        }
        times.forEach(Arrays::sort);
        return times;
    }

    private static Crowd crowd(Client client) throws InterruptedException, ExecutionException {
        long start = System.nanoTime();
        long[] first = new long[STREAMS];
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Callable<Long>> calls = new ArrayList<>();
            for (int i = 0; i < STREAMS; i++) {
                calls.add(client::firstToken);
            }
            List<Future<Long>> times = threads.invokeAll(calls);
            for (int i = 0; i < STREAMS; i++) {
                first[i] = times.get(i).get();
            }
        }
        double wall = (System.nanoTime() - start) / 1e9;
        Arrays.sort(first);
        return new Crowd(wall, micros(first, 50) / 1000, micros(first, 99) / 1000);
    }

    private static Client raw(TokenServer server) {
        HttpClient client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
        HttpRequest request = HttpRequest.newBuilder(URI.create(server.baseUrl() + "/chat/completions"))
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(BODY))
                .build();
        return () -> {
            long start = System.nanoTime();
            long first = -1;
            try (InputStream body = client.send(request, HttpResponse.BodyHandlers.ofInputStream()).body();
                    BufferedReader lines = new BufferedReader(
                            new InputStreamReader(body, StandardCharsets.UTF_8))) {
                for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                    if (first < 0 && line.contains("\"content\"")) {
                        first = System.nanoTime() - start;
                    }
                }
            }
            return first;
        };
    }

    private static Client belay(TokenServer server) {
        Model model = OpenAiModel.builder("m").baseUrl(server.baseUrl()).build();
        return () -> {
            long start = System.nanoTime();
            long[] first = {-1};
            model.complete(QUESTION, event -> {
                if (first[0] < 0 && event instanceof TextDelta) {
                    first[0] = System.nanoTime() - start;
                }
            });
            return first[0];
        };
    }

    private static double micros(long[] sorted, int percent) {
        return sorted[Math.min(sorted.length - 1, sorted.length * percent / 100)] / 1e3;
    }
}
