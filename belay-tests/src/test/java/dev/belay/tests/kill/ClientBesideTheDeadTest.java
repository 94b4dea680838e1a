package dev.belay.tests.kill;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.runtime.Belay;
import dev.belay.runtime.BelayClient;
import dev.belay.runtime.operate.VerbResult;
import dev.belay.runtime.session.Session;
import dev.belay.runtime.session.TurnCall;
import dev.belay.store.jdbc.JdbcStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Contract V.1: a client lists everything in the file of a process that was killed, and changes no row of it. */
class ClientBesideTheDeadTest {

    @TempDir
    Path directory;

    private Path file() {
        return directory.resolve("belay.db");
    }

    @Test
    void clientListsEverythingOfADeadWorkerAndChangesNoRow() throws Exception {
        try (var worker = new WorkerProcess(ClientWorker.class, file(), 0)) {
            worker.kill();
        }
        Map<String, List<String>> before = dump();
        List<String> owners = owners();
        assertThat(before.get("owner")).hasSize(1);
        try (BelayClient client = Belay.client(JdbcStore.existing(file()))) {
            look(client);
            assertThat(dump()).isEqualTo(before);
        }
        assertThat(dump()).isEqualTo(before);
        assertThat(owners()).as("locks").isEqualTo(owners);

        try (BelayClient client = Belay.client(JdbcStore.existing(file()))) {
            assertThat(client.session("new").turn("Hello.").submit().turn()).contains(1L);
            Map<String, List<String>> submitted = dump();
            List.of("scope", "effect", "wait", "wait_key", "resource", "doubt", "pause", "audit")
                    .forEach(table -> assertThat(submitted.get(table)).as("rows of the dead stay: " + table)
                            .containsAll(before.get(table)));
            assertThat(client.abandon(client.session("running").id(), 1, "its process died"))
                    .isEqualTo(VerbResult.DONE);
            Map<String, List<String>> after = dump();
            assertThat(after.get("owner")).as("enrolled by its first write")
                    .hasSize(2)
                    .containsAll(before.get("owner"));
            assertThat(owners()).hasSize(2);
            assertThat(after.get("audit")).as("says what was done")
                    .last()
                    .asString()
                    .contains("|abandon|running/1|{\"reason\":\"its process died\"}|");
        }
        assertThat(owners()).as("its own lock is gone").isEqualTo(owners);
    }

    private static void look(BelayClient client) throws Exception {
        assertThat(client.sessions(null, 99).items())
                .extracting(entry -> entry.head().id() + " " + entry.state() + " "
                        + (entry.waits() == null ? null : entry.waits().what()))
                .containsExactly("asked WAITING APPROVAL", "doubted IDLE null", "open READY PROGRAM",
                        "parked WAITING COMPLETION", "running READY PROCESS", "stuck STUCK OPERATOR");
        assertThat(client.pending(null, 9).items())
                .extracting(wait -> wait.kind() + " " + wait.session() + " " + wait.process() + " "
                        + wait.tool())
                .containsExactly("COMPLETION parked null ask", "COMPLETION stuck null ask",
                        "COMPLETION null p null", "APPROVAL asked null refund");
        assertThat(client.approvals().open(null, 9).items()).hasSize(1);
        assertThat(client.doubts().open(0, 9)).singleElement()
                .satisfies(doubt -> assertThat(doubt.about().call().session()).isEqualTo("doubted"));
        assertThat(client.pauses()).singleElement().extracting("reason").isEqualTo("no paper");
        assertThat(client.waitingForPlugins()).isEmpty();
        assertThat(client.stuck()).singleElement().extracting("because").isEqualTo("for the test");
        assertThat(client.openTurns(null, 9)).singleElement().extracting("inputId").isEqualTo("in");
        assertThat(client.processes().list(0, 9))
                .extracting(process -> process.id() + " " + Objects.requireNonNull(process.waits()).what())
                .containsExactly("p EVENT");
        assertThat(client.processes().stuck()).isEmpty();
        assertThat(client.processes().get("p").events(0, 9)).singleElement()
                .extracting("type")
                .isEqualTo("began");
        assertThat(client.waitingFor()).containsKey("default");
        assertThat(client.audit(0, 9)).extracting(entry -> entry.note().verb())
                .containsExactly("ask", "pause");
        Session parked = client.session("parked");
        assertThat(parked.calls(1)).extracting(TurnCall::tool).containsExactly("ask");
        assertThat(parked.waits()).singleElement().extracting("announcement").isEqualTo("waits for a person");
        assertThat(parked.turns(1, 9)).hasSize(1);
        assertThat(parked.messages()).isEmpty();
        assertThat(parked.config().get()).isNotNull();
        assertThat(client.session("running").calls(1)).hasSize(1);
        parked.export(new StringBuilder());
    }

    private List<String> owners() throws Exception {
        try (Stream<Path> files = Files.list(directory.resolve("belay.db-owners"))) {
            return files.map(Path::getFileName).map(Path::toString).sorted().toList();
        }
    }

    /** All rows of all tables. The connection is read-only, so that closing it leaves the log as it is. */
    private Map<String, List<String>> dump() throws SQLException {
        Map<String, List<String>> tables = new TreeMap<>();
        try (Connection db = DriverManager.getConnection("jdbc:sqlite:file:" + file() + "?mode=ro");
                var names = db.createStatement()) {
            List<String> all = new ArrayList<>();
            try (ResultSet found = names
                    .executeQuery("select name from sqlite_schema where type = 'table'")) {
                while (found.next()) {
                    all.add(found.getString(1));
                }
            }
            for (String table : all) {
                try (var select = db.createStatement();
                        ResultSet rows = select.executeQuery("select * from " + table)) {
                    List<String> lines = new ArrayList<>();
                    while (rows.next()) {
                        var line = new StringBuilder();
                        for (int i = 1; i <= rows.getMetaData().getColumnCount(); i++) {
                            line.append(rows.getString(i)).append('|');
                        }
                        lines.add(line.toString());
                    }
                    tables.put(table, lines);
                }
            }
        }
        return tables;
    }
}
