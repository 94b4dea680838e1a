package dev.belay.tests.session;

import static dev.belay.tests.session.SessionBench.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.belay.json.Json;
import dev.belay.model.Message;
import dev.belay.model.Model;
import dev.belay.model.ModelException;
import dev.belay.model.ModelListener;
import dev.belay.model.ModelRequest;
import dev.belay.model.ModelResponse;
import dev.belay.runtime.Belay;
import dev.belay.runtime.session.SessionToolContext;
import dev.belay.runtime.session.TurnEnd;
import dev.belay.runtime.session.TurnResult;
import dev.belay.tool.StaticToolProvider;
import dev.belay.tool.ToolEffect;
import dev.belay.tool.context.DirectModel.DirectRequest;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** A model may break its contract by what it throws: the turn ends like one whose provider failed, and its session goes on. */
@Timeout(value = 2, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ThrowingModelTest {

    private static final String THREW = "model_invalid_request";
    private static final String INTERRUPTED = "model_interrupted";

    private final SessionBench bench = new SessionBench();

    @AfterEach
    void close() {
        bench.close();
    }

    /** Throws if the last message says so, and answers otherwise. */
    private record Throwing(Throwable thrown, boolean leavesInterrupt) implements Model {

        @Override
        public String id() {
            return "throwing";
        }

        @Override
        public ModelResponse complete(ModelRequest request, ModelListener listener) {
            if (!request.messages().getLast().equals(Message.user("Throw."))) {
                return request.messages().getLast().equals(Message.user("Ask."))
                        ? SessionBench.calls(List.of(SessionBench.call("a", "ask")))
                        : text("answered: " + SessionBench.lastReplies(request));
            }
            if (leavesInterrupt) {
                Thread.currentThread().interrupt();
            }
            Throwing.<RuntimeException>sneaky(thrown);
            throw new AssertionError("it was thrown before");
        }

        @SuppressWarnings("unchecked")
        private static <T extends Throwable> void sneaky(Throwable thrown) throws T {
            throw (T) thrown;
        }
    }

    private static final class Mute extends RuntimeException {

        private static final long serialVersionUID = 1L;

        @Override
        public String getMessage() {
            throw new IllegalStateException("no message");
        }
    }

    static Stream<Arguments> throwables() {
        var interrupted = new ModelException(ModelException.Kind.INTERRUPTED, "stopped");
        return Stream.of(Arguments.of(new AssertionError("broken"), false, THREW),
                Arguments.of(new NoClassDefFoundError("a/Client"), false, THREW),
                Arguments.of(new StackOverflowError(), false, THREW),
                Arguments.of(new OutOfMemoryError("simulated"), false, THREW),
                Arguments.of(new IOException("cut"), false, THREW),
                Arguments.of(new Exception("checked"), true, THREW),
                Arguments.of(new Throwable("bare"), false, THREW),
                Arguments.of(new Mute(), false, THREW),
                Arguments.of(new InterruptedException("of no thread"), false, INTERRUPTED),
                Arguments.of(new InterruptedException("of no thread"), true, INTERRUPTED),
                Arguments.of(interrupted, false, INTERRUPTED), Arguments.of(interrupted, true, INTERRUPTED));
    }

    @ParameterizedTest
    @MethodSource("throwables")
    void theTurnEndsAndTheSessionGoesOn(Throwable thrown, boolean leavesInterrupt, String code)
            throws Exception {
        Belay belay = bench.open(new Throwing(thrown, leavesInterrupt), builder -> builder);
        var session = belay.session("s");

        assertThat(session.turn("Throw.").run().ended()).isInstanceOfSatisfying(TurnResult.Stopped.class,
                end -> {
                    assertThat(end.cause()).isEqualTo(TurnEnd.Cause.PROVIDER_ERROR);
                    assertThat(end.evidence().get("code")).contains(Json.string(code));
                    assertThat(end.summary()).as("tells what was thrown")
                            .contains(thrown instanceof ModelException
                                    ? "stopped"
                                    : thrown instanceof InterruptedException
                                            ? "interrupted"
                                            : thrown.getClass().getName());
                });
        assertThat(belay.stuck()).isEmpty();
        assertThat(session.turn("Go on.").run().ended().text()).isEqualTo("answered: nothing");
    }

    @ParameterizedTest
    @MethodSource("throwables")
    void aLoopOfTheProgramIsThrownAModelException(Throwable thrown, boolean leavesInterrupt, String code) {
        Belay belay = bench.open(new Throwing(thrown, leavesInterrupt), builder -> builder);
        try (var turn = belay.session("s").begin("Throw.")) {
            assertThatThrownBy(() -> turn.step().answer())
                    .isInstanceOfSatisfying(ModelException.class, e -> assertThat(e.code()).isEqualTo(code));
            assertThat(turn.abandon("enough")).isInstanceOf(TurnResult.Stopped.class);
        }
        assertThat(belay.stuck()).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("throwables")
    void aBodyIsThrownAModelException(Throwable thrown, boolean leavesInterrupt, String code)
            throws Exception {
        Belay belay = bench.open(new Throwing(thrown, leavesInterrupt),
                builder -> builder.tools(StaticToolProvider.builder()
                        .raw(SessionBench.tool("ask", ToolEffect.IDEMPOTENT), (in, context) -> {
                            try {
                                return ((SessionToolContext) context).model()
                                        .complete(DirectRequest.of(Message.user("Throw.")), "once")
                                        .text();
                            } catch (ModelException e) {
                                Thread.interrupted();
                                return e.code();
                            }
                        })
                        .build()));

        assertThat(belay.session("s").turn("Ask.").run().ended().text()).isEqualTo("answered: " + code);
    }
}
