package dev.belay.tests.history;

import static dev.belay.tests.session.SessionBench.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.belay.json.Json;
import dev.belay.model.ModelException;
import dev.belay.model.ModelRequest;
import dev.belay.runtime.Belay;
import dev.belay.runtime.plugin.HistoryHook.Reason;
import dev.belay.runtime.session.OpenTurn;
import dev.belay.runtime.session.Session;
import dev.belay.runtime.session.TurnResult;
import dev.belay.runtime.store.Store;
import dev.belay.runtime.store.memory.InMemoryStore;
import dev.belay.store.jdbc.JdbcStore;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Contract O.9: a provider that finds a request too long gets a shorter one, once. */
class RefusedRequestsTest {

    @TempDir
    Path folder;

    private final HistoryBench bench = new HistoryBench();
    private final AtomicInteger refusals = new AtomicInteger();

    /** A provider that refuses some requests; it gives up after a hundred, so that no test asks for ever. */
    private Belay open(String where, Predicate<ModelRequest> refuses) {
        Store store = where.equals("memory")
                ? InMemoryStore.open()
                : JdbcStore.sqlite(folder.resolve("s.db"));
        return Belay.builder().store(store).model(bench.answering(request -> {
            if (refuses.test(request)) {
                boolean enough = refusals.incrementAndGet() > 100;
                throw new ModelException(enough
                        ? ModelException.Kind.PROTOCOL
                        : ModelException.Kind.CONTEXT_TOO_LONG, "too long");
            }
            return text("ok");
        })).build();
    }

    private static String question(int number) {
        return "Question " + number + ": how much is " + number + " and " + number + "?";
    }

    @ParameterizedTest
    @ValueSource(strings = {"memory", "sqlite"})
    void itIsAskedOnceMoreAfterAStep(String where) throws Exception {
        try (Belay belay = open(where, request -> request.messages().size() > 12)) {
            Session session = belay.session("s");
            for (int i = 0; i < 20; i++) {
                assertThat(session.turn(question(i)).run()).isInstanceOf(TurnResult.Finished.class);
            }
            assertThat(refusals.get()).isEqualTo(session.history().size()).isPositive();
            assertThat(session.history()).allMatch(step -> step.reason() == Reason.REFUSED);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"memory", "sqlite"})
    void oneThatRefusesTheShorterRequestTooIsNotAskedAThirdTime(String where) throws Exception {
        var strict = new boolean[1];
        try (Belay belay = open(where, request -> strict[0])) {
            Session session = belay.session("s");
            for (int i = 0; i < 8; i++) {
                session.turn(question(i)).run();
            }
            strict[0] = true;
            TurnResult.Ended result = session.turn(question(8)).run().ended();
            assertThat(result).isInstanceOfSatisfying(TurnResult.Stopped.class, stop -> assertThat(
                    stop.evidence().get("code")).contains(Json.string("model_context_too_long")));
            assertThat(refusals).hasValue(2);
            assertThat(session.history()).hasSize(1);
            try (OpenTurn turn = session.begin(question(9))) {
                assertThatThrownBy(() -> turn.step().answer()).extracting("code")
                        .isEqualTo("model_context_too_long");
                turn.abandon("too long");
            }
            assertThat(refusals).as("in a loop of a program's own").hasValueBetween(3, 4);
            strict[0] = false;
            assertThat(session.turn(question(10)).run()).isInstanceOf(TurnResult.Finished.class);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"memory", "sqlite"})
    void whatCannotBeMadeShorterIsNotSentAgain(String where) throws Exception {
        try (Belay belay = open(where, request -> request.messages().size() > 2)) {
            Session session = belay.session("s");
            session.turn("One").run();
            TurnResult.Ended result = session.turn("Two").run().ended();
            assertThat(result).isInstanceOfSatisfying(TurnResult.Stopped.class, stop -> assertThat(
                    stop.evidence().get("code")).contains(Json.string("model_context_too_long")));
            assertThat(refusals).hasValue(1);
            assertThat(session.history()).isEmpty();
        }
    }
}
