package dev.belay.tests.session;

import static dev.belay.tests.session.SessionBench.model;
import static dev.belay.tests.session.SessionBench.text;
import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.model.Message;
import dev.belay.model.Model;
import dev.belay.model.ModelException;
import dev.belay.runtime.Belay;
import dev.belay.runtime.operate.VerbResult;
import dev.belay.runtime.session.StuckTurn;
import dev.belay.store.jdbc.JdbcStore;
import dev.belay.tool.StaticToolProvider;
import dev.belay.tool.ToolEffect;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Contract L.7: a turn whose own row cannot be read is stuck and listed, and hides no other. */
class DamagedTurnTest {

    @TempDir
    Path directory;

    private Belay open(Model model) {
        return Belay.builder()
                .model(model)
                .store(JdbcStore.sqlite(directory.resolve("b.db")))
                .drain(Duration.ZERO)
                .build();
    }

    /** A turn that a process has begun and given back. */
    private void leave(String session) throws Exception {
        var asked = new CountDownLatch(1);
        try (Belay belay = open(model(request -> {
            asked.countDown();
            try {
                new CountDownLatch(1).await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            throw new ModelException(ModelException.Kind.INTERRUPTED, "cut");
        }))) {
            belay.session(session).turn("Go.").id("in").submit();
            asked.await();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"{\"v\":99}", "{\"v\":1,\"session\":5}", "no JSON {"})
    void aTurnThatCannotBeReadIsListedWithItsSession(String damaged) throws Exception {
        leave("a session");
        leave("the damaged one");
        try (Connection file = DriverManager.getConnection("jdbc:sqlite:" + directory.resolve("b.db"));
                var update = file.prepareStatement("update scope_input set value = ? where value like ?")) {
            update.setString(1, damaged);
            update.setString(2, "%the damaged one%");
            assertThat(update.executeUpdate()).isEqualTo(1);
        }
        try (Belay belay = open(model(request -> text("done")))) {
            assertThat(belay.session("a session").turn("Go.").id("in").run().ended().text())
                    .isEqualTo("done");
            List<StuckTurn> stuck = belay.stuck();
            while (stuck.isEmpty()) {
                LockSupport.parkNanos(SessionBench.A_MOMENT);
                stuck = belay.stuck();
            }
            assertThat(stuck).singleElement().satisfies(turn -> {
                assertThat(turn.session().value()).isEqualTo("the damaged one");
                assertThat(turn.turn()).isEqualTo(1);
                assertThat(turn.because()).isNotBlank();
            });
            assertThat(belay.abandon(stuck.getFirst(), "unreadable")).isEqualTo(VerbResult.DONE);
            assertThat(belay.stuck()).isEmpty();
            assertThat(belay.session("the damaged one").turn("On.").run().ended().text()).isEqualTo("done");
            assertThat(belay.session("the damaged one").messages().getFirst()).isEqualTo(Message.user("Go."));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"delete from effect", "update effect set ordinal = ordinal + 1",
        "update effect set result = '{}' where result is not null"})
    void aTurnWhoseRecordsAreDamagedIsAbandonedWithoutThem(String damage) throws Exception {
        var entered = new CountDownLatch(1);
        var tools = StaticToolProvider.builder()
                .raw(SessionBench.tool("wait", ToolEffect.ONCE), (in, context) -> {
                    entered.countDown();
                    new CountDownLatch(1).await();
                    return "";
                })
                .build();
        Model model = SessionBench.calling(List.of(SessionBench.call("a", "wait")));
        try (Belay belay = Belay.builder()
                .model(model)
                .tools(tools)
                .store(JdbcStore.sqlite(directory.resolve("b.db")))
                .drain(Duration.ZERO)
                .build()) {
            belay.session("s").turn("Go.").id("in").submit();
            entered.await();
        }
        try (Connection file = DriverManager.getConnection("jdbc:sqlite:" + directory.resolve("b.db"));
                var statement = file.createStatement()) {
            assertThat(statement.executeUpdate(damage)).isPositive();
        }
        try (Belay belay = open(model(request -> text("done")))) {
            List<StuckTurn> stuck = belay.stuck();
            while (stuck.isEmpty()) {
                LockSupport.parkNanos(SessionBench.A_MOMENT);
                stuck = belay.stuck();
            }
            assertThat(belay.abandon(stuck.getFirst(), "unreadable")).isEqualTo(VerbResult.DONE);
            assertThat(belay.session("s").input("in").orElseThrow().awaitCommit().summary())
                    .contains("unreadable");
            assertThat(belay.session("s").turn("On.").run().ended().text()).isEqualTo("done");
        }
    }
}
