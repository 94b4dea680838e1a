package dev.belay.tests.kill;

import dev.belay.runtime.Belay;
import dev.belay.store.jdbc.JdbcStore;
import dev.belay.tests.session.SessionBench;
import dev.belay.tool.StaticToolProvider;
import dev.belay.tool.ToolEffect;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;

/** A program that defines one agent. Its arguments are the file and the number of the agent; it obeys {@link AgentKillTest}. */
final class AgentWorker {

    static final List<String> AGENTS = List.of("clerk", "lawyer");

    private AgentWorker() {}

    public static void main(String[] args) throws Exception {
        ParentWatch.begin();
        String own = AGENTS.get(Integer.parseInt(args[1]));
        var tools = StaticToolProvider.builder()
                .raw(SessionBench.tool("sign", ToolEffect.IDEMPOTENT), (in, context) -> own)
                .build();
        var model = SessionBench.calling(List.of(SessionBench.call("c", "sign")));
        try (Belay belay = Belay.builder()
                .agent(own, agent -> agent.model(model).tools(tools))
                .store(JdbcStore.sqlite(Path.of(args[0])))
                .build()) {
            System.out.println("ready");
            var commands = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
            for (String line = commands.readLine(); line != null; line = commands.readLine()) {
                String[] words = line.split(" ", -1);
                int number = Integer.parseInt(words[1]);
                for (int n = 0; n < number; n++) {
                    if (words[0].equals("own")) {
                        belay.agent(own).session(own + "-" + n).turn("Go.").id("own").submit();
                    } else {
                        // an input for the other program's agent: accepted here, answered there
                        belay.session(words[0] + "-" + n).turn("Go.").id("cross").queue().submit();
                    }
                }
                System.out.println("done");
            }
        }
    }
}
