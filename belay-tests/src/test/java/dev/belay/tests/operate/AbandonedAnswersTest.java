package dev.belay.tests.operate;

import static dev.belay.tests.session.SessionBench.call;
import static dev.belay.tests.session.SessionBench.calling;
import static dev.belay.tests.session.SessionBench.tool;
import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.json.Json;
import dev.belay.runtime.Belay;
import dev.belay.runtime.BelayClient;
import dev.belay.runtime.effect.Delivery;
import dev.belay.runtime.effect.Resolution;
import dev.belay.runtime.operate.SessionEntry;
import dev.belay.runtime.operate.VerbResult;
import dev.belay.runtime.operate.WaitsFor;
import dev.belay.runtime.store.SessionId;
import dev.belay.tool.StaticToolProvider;
import dev.belay.tool.ToolDefinition;
import dev.belay.tool.ToolEffect;
import dev.belay.tool.ToolException;
import dev.belay.tool.ToolFailure;
import dev.belay.tool.ToolOutcome;
import dev.belay.tool.option.RetryAdvice;
import dev.belay.tool.option.RetryPolicy;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A call of an abandoned turn has the outcome that was accepted for its key. */
class AbandonedAnswersTest {

    private static final SessionId S = new SessionId("s");

    @TempDir
    Path folder;

    @ParameterizedTest
    @CsvSource({"memory, false", "sqlite, false", "sqlite, true"})
    void anAnswerAcceptedInTheBackoffIsTheOutcomeOfAnAbandonedCall(String where, boolean resumable)
            throws Exception {
        try (var bench = new OperatorBench(where, folder)) {
            ToolDefinition flaky = tool("flaky", ToolEffect.READ).resumable(resumable)
                    .retry(RetryPolicy.attempts(2));
            Belay belay = bench.worker(calling(List.of(call("c1", "flaky"))),
                    builder -> builder.tools(StaticToolProvider.builder().raw(flaky, (arguments, context) -> {
                        bench.tokens.add(context.completionKey().token());
                        throw new ToolException(ToolFailure
                                .of(ToolFailure.Kind.EXTERNAL, "tool_failed", "busy")
                                .withRetry(RetryAdvice.after(Duration.ofHours(1))));
                    }).build()));
            belay.session(S).turn("Go.").submit();
            String token = bench.token();
            OperatorBench.until(() -> belay.sessions(null, 9)
                    .items()
                    .stream()
                    .map(SessionEntry::waits)
                    .anyMatch(waits -> waits != null && waits.what() == WaitsFor.For.TIME));
            belay.close();
            BelayClient client = bench.client();
            assertThat(client.resolve(token, Resolution.ok(Json.string("accepted"))))
                    .isEqualTo(new Delivery.Accepted());
            assertThat(client.abandon(S, 1, "no use")).isEqualTo(VerbResult.DONE);
            assertThat(client.session(S).messages()).as("the history").asString().contains("accepted");
            assertThat(client.session(S).calls(1)).singleElement()
                    .satisfies(made -> assertThat(made.outcome())
                            .contains(new ToolOutcome.Success(Json.string("accepted"))));
        }
    }
}
