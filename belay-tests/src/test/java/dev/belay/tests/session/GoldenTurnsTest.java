package dev.belay.tests.session;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.json.Json;
import dev.belay.runtime.Belay;
import dev.belay.runtime.effect.Delivery;
import dev.belay.runtime.effect.Resolution;
import dev.belay.runtime.session.TurnResult;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Contract L.5: turns, open turns, child sessions and processes that were under way when they were recorded are finished, and
 * nothing that is recorded is done again. The files were recorded by {@link GoldenWork#main} and are never edited.
 */
class GoldenTurnsTest {

    @TempDir
    Path directory;

    private final GoldenWork work = new GoldenWork(false);
    private Map<String, String> keys = Map.of();
    private Belay belay;

    private static String text(String name) throws Exception {
        try (InputStream in = GoldenTurnsTest.class.getResourceAsStream(name)) {
            return new String(Objects.requireNonNull(in, name).readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    @BeforeEach
    void open() throws Exception {
        Path file = directory.resolve("golden.db");
        try (var connection = DriverManager.getConnection("jdbc:sqlite:" + file);
                var statement = connection.createStatement()) {
            statement.executeUpdate(text("turns-4.sql"));
        }
        keys = text("turns-4.keys").lines()
                .collect(Collectors.toMap(line -> line.substring(0, line.indexOf('=')),
                        line -> line.substring(line.indexOf('=') + 1)));
        belay = work.open(file);
    }

    @AfterEach
    void close() {
        belay.close();
    }

    private void resolve(String waiting, String value) {
        assertThat(belay.resolve(Objects.requireNonNull(keys.get(waiting)),
                Resolution.ok(Json.string(value)))).isInstanceOf(Delivery.Accepted.class);
    }

    private TurnResult.Ended result(String session) throws InterruptedException {
        return belay.session(session).input("in").orElseThrow().awaitCommit();
    }

    @Test
    void aParkedTurnIsFinishedAndItsPastIsThere() throws Exception {
        resolve("order 1", "yes");
        assertThat(result("order 1").text()).isEqualTo("seen, paid, yes");
        assertThat(belay.session("order 1").messages()).hasSize(8);
        assertThat(belay.session("order 1").input("first").orElseThrow().awaitCommit().text())
                .isEqualTo("seen");
        assertThat(work.ran).doesNotContain("pay", "approve");
    }

    @Test
    void aResumableBodyGoesOnBehindItsSteps() throws Exception {
        resolve("order 2", "by hand");
        assertThat(result("order 2").text()).isEqualTo("shipped L1 by hand");
        assertThat(work.ran).doesNotContain("label");
    }

    @Test
    void aChildSessionAndItsParentAreFinished() throws Exception {
        resolve("child", "granted");
        assertThat(result("order 3").text()).isEqualTo("granted");
        assertThat(work.ran).doesNotContain("approve");
    }

    @Test
    void aQuestionThatWasCutIsAskedAgainAndMarked() throws Exception {
        TurnResult.Ended result = result("order 4");
        assertThat(result.text()).isEqualTo("seen");
        assertThat(result.unrecorded()).isEqualTo(1);
        assertThat(work.ran).doesNotContain("look");
    }

    @Test
    void aTurnOfAProgramsOwnLoopIsFinished() throws Exception {
        belay.onReady("desk", work.desk::loop);
        resolve("order 5", "ok");
        assertThat(result("order 5").text()).isEqualTo("saw sky, paid 5, ok");
        assertThat(work.desk.ran).isEmpty();
    }

    @Test
    void aProcessIsFinished() throws Exception {
        var report = belay.processes().get("report");
        report.signal("go", Json.string("sent"));
        assertThat(report.awaitEnd().toString()).contains("page 1, sent");
        assertThat(work.ran).doesNotContain("page \"monthly\"");
    }
}
