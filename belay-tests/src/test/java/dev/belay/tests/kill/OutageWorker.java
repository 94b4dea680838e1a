package dev.belay.tests.kill;

import dev.belay.model.openai.OpenAiModel;
import dev.belay.runtime.Belay;
import dev.belay.store.jdbc.JdbcStore;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/**
 * A process whose model is at a provider on this machine. {@code ask TEXT} gives an input with the id {@code in} and says that it was
 * accepted; {@code await} prints how its turn ended; {@code quit} closes.
 */
final class OutageWorker {

    private OutageWorker() {}

    public static void main(String[] args) throws Exception {
        ParentWatch.begin();
        var model = OpenAiModel.builder("small").baseUrl("http://127.0.0.1:" + args[1] + "/v1").build();
        try (var belay = Belay.builder().model(model).store(JdbcStore.sqlite(Path.of(args[0]))).build()) {
            System.out.println("ready");
            var commands = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
            for (String line = commands.readLine(); line != null && !line.equals("quit"); line = commands
                    .readLine()) {
                if (line.startsWith("ask ")) {
                    belay.session("s").turn(line.substring(4)).id("in").submit();
                    System.out.println("accepted");
                } else {
                    var result = belay.session("s").input("in").orElseThrow().awaitCommit();
                    System.out.println(result.summary() + " after " + result.rounds() + " round");
                }
            }
        }
    }
}
