package dev.belay.tests.kill;

import dev.belay.json.Json;
import dev.belay.model.Model;
import dev.belay.model.script.ScriptedModel;
import dev.belay.runtime.Belay;
import dev.belay.store.jdbc.JdbcStore;
import dev.belay.toolbox.Toolbox;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;

/** The process that is killed while a command of its model runs. Its arguments are the file and the seconds to sleep. */
final class CommandWorker {

    private CommandWorker() {}

    public static void main(String[] args) throws IOException {
        ParentWatch.begin();
        Path file = Path.of(args[0]);
        String command = "touch begun; (setsid sleep " + args[1] + " &); sleep " + args[1];
        Belay belay = belay(file, new ScriptedModel().call("run_command",
                Json.object(Map.of("command", Json.string(command))).text()));
        belay.session("s").turn("run it").id("i").submit();
        System.out.println("ready");
        while (System.in.read() >= 0) {
            // runs until it is killed, or until the test is gone
        }
        Runtime.getRuntime().halt(1);
    }

    static Belay belay(Path file, Model model) {
        return Belay.builder()
                .model(model)
                .tools(Toolbox.in(Objects.requireNonNull(file.getParent())).commands().build())
                .store(JdbcStore.sqlite(file))
                .build();
    }
}
