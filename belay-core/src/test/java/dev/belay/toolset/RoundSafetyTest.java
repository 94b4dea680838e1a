package dev.belay.toolset;

import static dev.belay.toolset.Decision.complete;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.belay.json.Json;
import dev.belay.json.JsonMismatchException;
import dev.belay.model.Message;
import dev.belay.model.Model;
import dev.belay.model.ModelException;
import dev.belay.model.ModelListener;
import dev.belay.model.ModelRequest;
import dev.belay.model.ModelResponse;
import dev.belay.model.script.ScriptStep;
import dev.belay.model.script.ScriptedModel;
import dev.belay.tool.Nested;
import dev.belay.tool.Tool;
import dev.belay.tool.ToolFailure;
import dev.belay.tool.ToolInput;
import dev.belay.tool.ToolOutcome;
import dev.belay.tool.ToolResult;
import dev.belay.tool.Tools;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** What careless and hostile code around a round cannot do. */
class RoundSafetyTest {

    @Tools
    sealed interface Till {
        @Tool(undescribed = true)
        record Pay(int cents) implements Till, ToolInput<String> {}

        @Nested
        record Archive(Papers papers) implements Till {
            public Archive {
                if (papers instanceof Papers.Find(String words) && words.isEmpty()) {
                    throw new IllegalArgumentException("say what to look for");
                }
            }
        }
    }

    @Tools
    sealed interface Papers {
        @Tool(undescribed = true)
        record Find(String words) implements Papers, ToolInput<String> {}
    }

    private static final Toolset<Till> TILL = Toolset.of(Till.class);

    private static Round<Till> round(Transcript transcript, ScriptStep says) {
        Step<Till, String> step = transcript.step(new ScriptedModel().then(says)).tools(TILL).run();
        return ((Step.NeedsTools<Till, String>) step).round();
    }

    private static Transcript asked() {
        return new Transcript().user("Pay.");
    }

    private static ToolCall<Till> pay() {
        return round(asked(), ScriptStep.call("pay", "{\"cents\":5}")).expectOne();
    }

    private static String code(ToolReply reply) {
        return ((ToolOutcome.Failure) reply.outcome()).failure().code();
    }

    @Test
    @SuppressWarnings("NullAway")
    void aResultWithoutItsFailureIsContainedAndCanBeCommitted() {
        Transcript transcript = asked();
        Round<Till> round = round(transcript, ScriptStep.call("pay", "{\"cents\":5}"));
        ToolReply reply = round.expectOne()
                .attempt(new Till.Pay(5), context -> ToolResult.failure((ToolFailure) null));
        assertThat(code(reply)).isEqualTo("tool_threw");
        round.commit(List.of(reply));
        assertThat(transcript.messages()).hasSize(3);
    }

    @Test
    void nothingRunsForAStaleRound() {
        Transcript transcript = asked();
        Round<Till> round = round(transcript, ScriptStep.call("pay", "{\"cents\":5}"));
        transcript.user("Wait!");
        List<String> ran = new ArrayList<>();
        CommitException stale = catchThrowableOfType(CommitException.class,
                () -> round.expectOne().run(new Till.Pay(5), context -> {
                    ran.add("body");
                    return "paid";
                }));
        assertThat(stale.code()).isEqualTo("stale_round");
        assertThat(ran).isEmpty();
    }

    @Test
    void aNestedRecordThatRefusesIsAnIssueAndTheOtherCallsAreDelivered() {
        Round<Till> round = round(asked(),
                ScriptStep.call("pay", "{\"cents\":5}").andCall("find", "{\"words\":\"\"}"));
        assertThat(round.calls()).extracting(ToolCall::name).containsExactly("pay");
        assertThat(round.issues()).singleElement().satisfies(issue -> {
            assertThat(issue.failure().code()).isEqualTo("invalid_arguments");
            assertThat(issue.failure().message()).endsWith("say what to look for");
        });
    }

    @Test
    void aHookCannotCompleteAnotherInput() {
        var hooks = ToolHooks.of(TILL).on(Till.Pay.class, (call, in) -> complete(new Till.Pay(999), "paid"));
        assertThat(pay().apply(hooks)).isInstanceOfSatisfying(HookedCall.Rejected.class,
                stopped -> assertThat(code(stopped.reply())).isEqualTo("before_hook_failed"));
    }

    @Test
    void anotherFormOfAnswerHasAnOfferOfItsOwn() {
        var model = new ScriptedModel().reply("Done.");
        var plain = asked().step(model).tools(TILL);
        plain.as(Till.Pay.class).only(List.of());
        plain.run();
        assertThat(model.lastRequest().orElseThrow().tools()).hasSize(2);
    }

    @Test
    void ofTwoRoundsOfOneVersionOneIsCommitted() throws Exception {
        for (int i = 0; i < 200; i++) {
            Transcript transcript = asked();
            Round<Till> first = round(transcript, ScriptStep.call("pay", "{\"cents\":1}"));
            Round<Till> second = round(transcript, ScriptStep.call("pay", "{\"cents\":2}"));
            var start = new CountDownLatch(1);
            var committed = new AtomicInteger();
            List<Thread> threads = List.of(committer(first, start, committed),
                    committer(second, start, committed));
            start.countDown();
            for (Thread thread : threads) {
                thread.join();
            }
            assertThat(committed).hasValue(1);
            assertThat(transcript.messages()).hasSize(3);
        }
    }

    private static Thread committer(Round<Till> round, CountDownLatch start, AtomicInteger committed) {
        ToolReply reply = round.expectOne().fail("never mind");
        return Thread.ofPlatform().start(() -> {
            try {
                start.await();
                round.commit(List.of(reply));
                committed.incrementAndGet();
            } catch (CommitException stale) {
                assertThat(stale.code()).isEqualTo("stale_round");
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
    }

    @Test
    @SuppressWarnings("NullAway")
    void aModelThatReturnsNullBrokeTheProtocol() {
        var model = new Model() {
            @Override
            public String id() {
                return "nothing";
            }

            @Override
            public ModelResponse complete(ModelRequest request, ModelListener listener) {
                return null;
            }
        };
        Transcript transcript = asked();
        assertThatThrownBy(() -> transcript.step(model).answer()).isInstanceOfSatisfying(ModelException.class,
                broken -> assertThat(broken.kind()).isEqualTo(ModelException.Kind.PROTOCOL));
        assertThat(transcript.messages()).containsExactly(Message.user("Pay."));
    }

    @Test
    void jsonThatATypedBodyCannotReadIsNotTheModelsFault() {
        assertThat(code(pay().run(new Till.Pay(5), context -> Json.of("<html>502</html>").text())))
                .isEqualTo("tool_threw");
        assertThat(code(pay().run(new Till.Pay(5), context -> {
            throw new JsonMismatchException("of a service");
        }))).isEqualTo("tool_threw");
    }

    @Test
    void anExceptionThatCannotBeAskedForItsMessageIsContained() {
        ToolReply reply = pay().run(new Till.Pay(5), context -> {
            throw new Sulking();
        });
        assertThat(reply.outcome().text()).isEqualTo("Error (tool_threw): Sulking");
    }

    private static final class Sulking extends RuntimeException {
        private static final long serialVersionUID = 1L;

        @Override
        public String getMessage() {
            throw new IllegalStateException("no");
        }
    }
}
