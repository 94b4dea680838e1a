package dev.belay.tests.session;

import static dev.belay.tests.session.SessionBench.call;
import static dev.belay.tests.session.SessionBench.calling;
import static dev.belay.tests.session.SessionBench.tool;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.belay.BelayException;
import dev.belay.json.Json;
import dev.belay.runtime.Belay;
import dev.belay.runtime.operate.VerbResult;
import dev.belay.runtime.session.Session;
import dev.belay.runtime.session.StuckTurn;
import dev.belay.runtime.session.TurnEnd;
import dev.belay.runtime.session.TurnResult;
import dev.belay.runtime.store.Store;
import dev.belay.runtime.store.StoredMessage;
import dev.belay.store.jdbc.JdbcStore;
import dev.belay.tests.Intercepted;
import dev.belay.tool.StaticToolProvider;
import dev.belay.tool.ToolEffect;
import java.io.StringReader;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A history that is damaged cannot be sent to a model, but its session can be read, freed of its turn, and copied as far as it is whole. */
@Timeout(value = 2, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class DamagedHistoryTest {

    /** The reply of the model in the second turn, with two calls. */
    private static final int PLACE = 5;

    @TempDir
    Path directory;

    /** What has become of a message. */
    enum Damage {
        MISSING("delete from message where place = ?"),
        BROKEN("update message set value = 'no JSON {' where place = ?"),
        CHANGED("update message set value = '{\"user\":[{\"text\":\"other\"}]}' where place = ?"),
        REPEATED_CALL_ID("update message set place = place where place = ?");

        private final String sql;

        Damage(String sql) {
            this.sql = sql;
        }
    }

    private Belay open(Store store) {
        return Belay.builder()
                .model(calling(List.of(call("a", "look"), call("b", "look"))))
                .tools(StaticToolProvider.builder()
                        .raw(tool("look", ToolEffect.READ), (arguments, context) -> "seen")
                        .build())
                .store(store)
                .build();
    }

    private Belay open() {
        return open(JdbcStore.sqlite(directory.resolve("b.db")));
    }

    /** Two calls of one message get one id, as a store can have kept it. */
    private static Object repeating(String what, Intercepted.Real real) throws Throwable {
        Object answer = Objects.requireNonNull(real.call());
        if (!what.contains(", message ")) {
            return answer;
        }
        return ((List<?>) answer).stream()
                .map(StoredMessage.class::cast)
                .map(one -> one.place() < PLACE
                        ? one
                        : new StoredMessage(one.place(), one.turn(),
                                Json.of(one.message().text().replace("\"b\"", "\"a\""))))
                .toList();
    }

    private Belay damaged(Damage damage) throws Exception {
        try (Belay belay = open()) {
            belay.session("s").turn("One.").id("1").run();
            belay.session("s").turn("Two.").id("2").run();
            assertThat(belay.session("s").messages()).hasSize(8);
            belay.session("sound").turn("One.").id("1").run();
        }
        try (Connection file = DriverManager.getConnection("jdbc:sqlite:" + directory.resolve("b.db"));
                var update = file.prepareStatement(damage.sql + " and session = 's'")) {
            update.setInt(1, PLACE);
            assertThat(update.executeUpdate()).isEqualTo(1);
        }
        Store store = JdbcStore.sqlite(directory.resolve("b.db"));
        return open(damage == Damage.REPEATED_CALL_ID
                ? Intercepted.store(store, (what, real) -> repeating(what, real))
                : store);
    }

    private static StuckTurn awaitStuck(Belay belay) {
        List<StuckTurn> stuck = belay.stuck();
        while (stuck.isEmpty()) {
            LockSupport.parkNanos(SessionBench.A_MOMENT);
            stuck = belay.stuck();
        }
        return stuck.getFirst();
    }

    private static void assertCode(String code, ThrowingCallable call) {
        assertThatThrownBy(call).isInstanceOfSatisfying(BelayException.class,
                e -> assertThat(e.code()).isEqualTo(code));
    }

    @ParameterizedTest
    @EnumSource(Damage.class)
    void aTurnOfItCanBeAbandonedAgainAndAgain(Damage damage) throws Exception {
        try (Belay belay = damaged(damage)) {
            Session session = belay.session("s");
            for (int turn = 3; turn <= 4; turn++) {
                var input = session.turn("More.").id(String.valueOf(turn)).submit();
                StuckTurn stuck = awaitStuck(belay);
                assertThat(stuck.because()).isNotBlank();
                assertCode("session_stuck", input::awaitCommit);
                assertThat(belay.retry(stuck)).isEqualTo(VerbResult.DONE);
                stuck = awaitStuck(belay);
                assertThat(belay.abandon(stuck, "damaged")).isEqualTo(VerbResult.DONE);
                assertThat(input.awaitCommit()).isInstanceOfSatisfying(TurnResult.Stopped.class,
                        end -> assertThat(end.cause()).isEqualTo(TurnEnd.Cause.ABANDONED));
                assertThat(session.head().orElseThrow().revision()).isEqualTo(turn);
            }
            assertThat(belay.session("sound").turn("Go on.").run().ended().text())
                    .isEqualTo("done: seen, seen");
        }
    }

    @ParameterizedTest
    @EnumSource(Damage.class)
    void itIsExportedAsFarAsItIsWhole(Damage damage) throws Exception {
        try (Belay belay = damaged(damage)) {
            var out = new StringBuilder();
            belay.session("s").export(out);
            List<String> lines = out.toString().lines().toList();
            assertThat(lines).as("head, turns, messages, end").hasSize(1 + 2 + 8 + 1);
            assertThat(lines.get(3)).contains("One.");
            assertThat(lines.get(10)).contains("done: seen, seen");
            assertThat(Json.of(lines.get(3 + PLACE)).get("damaged").isPresent())
                    .isEqualTo(damage != Damage.REPEATED_CALL_ID);
            assertCode("invalid_export", () -> belay.importSession(new StringReader(out.toString()), "copy"));
            assertThat(belay.session("copy").head()).isEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource(Damage.class)
    void itCanBeForkedInFrontOfTheDamage(Damage damage) throws Exception {
        try (Belay belay = damaged(damage)) {
            assertCode("journal_corrupt", () -> belay.session("s").fork("all", 2));
            assertThat(belay.session("all").head()).isEmpty();
            belay.session("s").fork("front", 1);
            assertThat(belay.session("front").turn("Go on.").run().ended().text())
                    .isEqualTo("done: seen, seen");
        }
    }

    @ParameterizedTest
    @EnumSource(Damage.class)
    void itIsReadWithACodeAndDeleted(Damage damage) throws Exception {
        try (Belay belay = damaged(damage)) {
            assertThat(belay.sessions(null, 9).items()).hasSize(2);
            assertThat(belay.session("s").turn(2).orElseThrow().row().end()).isNotNull();
            assertThat(belay.session("s").calls(2)).hasSize(2);
            if (damage != Damage.REPEATED_CALL_ID) {
                assertCode("journal_corrupt", () -> belay.session("s").messages());
            }
            assertThat(belay.session("s").delete()).isEqualTo(VerbResult.DONE);
            assertThat(belay.session("s").turn("Anew.").run().ended().text()).isEqualTo("done: seen, seen");
        }
    }
}
