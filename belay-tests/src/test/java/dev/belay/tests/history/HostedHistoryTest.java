package dev.belay.tests.history;

import static dev.belay.tests.session.SessionBench.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.belay.model.Message;
import dev.belay.model.ModelException;
import dev.belay.runtime.Belay;
import dev.belay.runtime.BelayBuilder;
import dev.belay.runtime.history.Compaction;
import dev.belay.runtime.plugin.HistoryHook.Reason;
import dev.belay.runtime.session.OpenTurn;
import dev.belay.runtime.session.Session;
import dev.belay.runtime.store.Store;
import dev.belay.runtime.store.memory.InMemoryStore;
import dev.belay.store.jdbc.JdbcStore;
import dev.belay.toolset.Answer;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Contract O.9 in loops that a program owns. In memory and in a file. */
class HostedHistoryTest {

    private static final int CONTEXT = 2_000;

    /** Where sessions are kept. */
    enum Kept {
        IN_MEMORY, IN_A_FILE
    }

    @TempDir
    Path folder;

    private final HistoryBench bench = new HistoryBench();

    private BelayBuilder builder(Kept kept) {
        Store store = kept == Kept.IN_MEMORY
                ? InMemoryStore.open()
                : JdbcStore.sqlite(folder.resolve("s.db"));
        return Belay.builder().model(bench.looking(0)).store(store);
    }

    private static String asked(Session session, String question) {
        try (OpenTurn turn = session.begin(question)) {
            return ((Answer.Given<String>) turn.step().answer()).value();
        }
    }

    @ParameterizedTest
    @EnumSource
    void aStepGoesFromEightyPercentToFiftyAndIsSummarised(Kept kept) {
        try (Belay belay = builder(kept).maxContextTokens(CONTEXT).build()) {
            Session session = belay.session("s");
            for (int i = 0; i < 20; i++) {
                asked(session, "Question " + i + " word".repeat(150));
            }
            assertThat(session.history()).hasSizeGreaterThan(1).allSatisfy(step -> {
                assertThat(step.reason()).isEqualTo(Reason.FULL);
                assertThat(step.tokensAfter()).isLessThanOrEqualTo(CONTEXT / 2);
                assertThat(step.models()).containsOnly("default");
            });
            assertThat(bench.requests).allSatisfy(
                    request -> assertThat(HistoryBench.tokens(request)).isLessThanOrEqualTo(CONTEXT));
            assertThat(HistoryBench.changedBeginnings(
                    bench.requests.stream().map(request -> request.messages()).toList()))
                    .as("between steps requests only grow at the end")
                    .isEqualTo(session.history().size());
            assertThat(session.messages()).hasSize(40)
                    .allSatisfy(message -> assertThat(message.toString()).doesNotContain("Summary of"));
            for (Compaction step : session.history()) {
                assertThat(session.request(step.turn(), 1).orElseThrow().messages())
                        .isEqualTo(bench.requests.get((int) step.turn() - 1).messages());
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void aProviderThatFindsARequestTooLongIsAskedOnceMoreAfterAStep(Kept kept) {
        var refusals = new AtomicInteger();
        try (Belay belay = builder(kept).model(bench.answering(request -> {
            if (request.messages().size() > 8) {
                refusals.incrementAndGet();
                throw new ModelException(ModelException.Kind.CONTEXT_TOO_LONG, "too long");
            }
            return text("ok");
        })).build()) {
            Session session = belay.session("s");
            for (int i = 0; i < 12; i++) {
                assertThat(asked(session, "Question " + i + ": how much is " + i + " and " + i + "?"))
                        .isEqualTo("ok");
            }
            assertThat(session.history()).hasSize(refusals.get())
                    .isNotEmpty()
                    .allMatch(step -> step.reason() == Reason.REFUSED);
        }
    }

    @ParameterizedTest
    @EnumSource
    void anInputLargerThanTheContextIsANamedErrorAndSpoilsNoOtherTurn(Kept kept) {
        try (Belay belay = builder(kept).maxContextTokens(CONTEXT).build()) {
            Session session = belay.session("s");
            asked(session, "Question 0");
            try (OpenTurn turn = session.begin("word ".repeat(9_000))) {
                assertThatThrownBy(() -> turn.step().answer()).isInstanceOfSatisfying(ModelException.class,
                        e -> assertThat(e.kind()).isEqualTo(ModelException.Kind.CONTEXT_TOO_LONG))
                        .hasMessageContaining("has " + CONTEXT);
                turn.abandon("too long");
            }
            assertThat(asked(session, "Still there?")).isEqualTo("done");
            assertThat(bench.requests.getLast().messages()).contains(Message.user("Question 0"))
                    .hasSizeGreaterThan(2);
        }
    }

    @ParameterizedTest
    @EnumSource
    void whatAProgramAsksForIsDoneBeforeTheNextStep(Kept kept) {
        try (Belay belay = builder(kept).build()) {
            Session session = belay.session("s");
            for (int i = 0; i < 6; i++) {
                asked(session, "Question " + i);
            }
            session.compact();
            asked(session, "And now?");
            assertThat(session.history()).singleElement().satisfies(step -> {
                assertThat(step.reason()).isEqualTo(Reason.ASKED);
                assertThat(step.turn()).isEqualTo(7);
            });
        }
    }
}
