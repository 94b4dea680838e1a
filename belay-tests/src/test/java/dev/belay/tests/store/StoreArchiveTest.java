package dev.belay.tests.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.json.Json;
import dev.belay.model.Message;
import dev.belay.model.script.ScriptedModel;
import dev.belay.runtime.Belay;
import dev.belay.runtime.session.Session;
import dev.belay.runtime.store.Store;
import dev.belay.store.jdbc.JdbcStore;
import dev.belay.tool.StaticToolProvider;
import dev.belay.tool.ToolDefinition;
import dev.belay.tool.ToolEffect;
import java.io.IOException;
import java.io.StringReader;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Sessions move between SQLite and PostgreSQL, both ways, and go on there. */
@Timeout(180)
class StoreArchiveTest {

    /** What PostgreSQL cannot hold as it is, and a character beyond the first plane. */
    private static final String ODD = "a\u0000b \ud800 c \ud83d\ude00";

    @TempDir
    Path directory;

    private static Belay belay(Store store) {
        return Belay.builder()
                .model(new ScriptedModel().call("look", "{}")
                        .reply("I see " + ODD)
                        .reply("Still here.")
                        .reply("Still here."))
                .tools(StaticToolProvider.builder()
                        .raw(ToolDefinition.raw("look", "Looks.", Json.of("{\"type\":\"object\"}"))
                                .effect(ToolEffect.READ),
                                (in, context) -> "a large view: " + "x".repeat(100_000))
                        .build())
                .store(store)
                .build();
    }

    private static String exported(Session session) throws IOException {
        var lines = new StringWriter();
        session.export(lines);
        return lines.toString();
    }

    @Test
    void aSessionGoesToAServerAndBackAndGoesOn() throws Exception {
        try (var server = TestServer.start();
                Belay file = belay(JdbcStore.sqlite(directory.resolve("belay.db")));
                Store store = TestServer.open(server.url());
                Belay node = belay(store)) {
            file.session("s").turn("Look " + ODD).run();
            List<Message> said = file.session("s").messages();
            assertThat(said).hasSize(4).last().asString().contains("I see");

            Session there = node.importSession(new StringReader(exported(file.session("s"))), "there");
            assertThat(there.messages()).isEqualTo(said);
            Session back = file.importSession(new StringReader(exported(there)), "back");
            assertThat(back.messages()).isEqualTo(said);

            assertThat(store.inconsistencies(9)).isEmpty();
            node.session("there").turn("Go on.").run();
            assertThat(node.session("there").messages()).hasSize(8).startsWith(said.toArray(Message[]::new));
            file.session("back").turn("Go on.").run();
            assertThat(file.session("back").messages()).hasSize(6).startsWith(said.toArray(Message[]::new));
        }
    }
}
