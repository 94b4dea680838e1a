package dev.belay.tests.kill;

import dev.belay.json.Json;
import dev.belay.runtime.Belay;
import dev.belay.runtime.BelayClient;
import dev.belay.store.jdbc.JdbcStore;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/** A client without plugins: a line {@code submit ID} gives the command, {@code await ID} also prints its result. */
final class ActionWorker {

    private ActionWorker() {}

    public static void main(String[] args) throws Exception {
        ParentWatch.begin();
        try (BelayClient client = Belay.client(JdbcStore.existing(Path.of(args[0])));
                var commands = new BufferedReader(
                        new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
            System.out.println("ready");
            for (String line = commands.readLine(); line != null; line = commands.readLine()) {
                int blank = line.indexOf(' ');
                var given = client.session("s")
                        .actions()
                        .submit("count.add", Json.number(1), line.substring(blank + 1));
                System.out.println(line.startsWith("await") ? given.await() : "given");
            }
        }
    }
}
