package dev.belay.model.script;

import static dev.belay.model.script.RequestMatcher.hasReplyFor;
import static dev.belay.model.script.RequestMatcher.lastUserTextContains;
import static dev.belay.model.script.RequestMatcher.offers;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.belay.json.Json;
import dev.belay.model.FinishReason;
import dev.belay.model.Message;
import dev.belay.model.ModelEvent;
import dev.belay.model.ModelEvent.Started;
import dev.belay.model.ModelEvent.TextDelta;
import dev.belay.model.ModelException;
import dev.belay.model.ModelRequest;
import dev.belay.model.ModelResponse;
import dev.belay.model.NativePayload;
import dev.belay.model.Part.CallPart;
import dev.belay.model.Part.ReasoningPart;
import dev.belay.model.Part.ReplyPart;
import dev.belay.model.Part.ReplyPart.Status;
import dev.belay.model.Part.TextPart;
import dev.belay.model.ResponseReducer;
import dev.belay.model.ToolSpec;
import dev.belay.model.Usage;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

class ScriptedModelTest {

    private static final ModelRequest ASK = ModelRequest.of(Message.user("refund order 42"));

    @Test
    void theQueueAnswersInOrder() {
        ScriptedModel model = new ScriptedModel().reply("one").call("f", "{\"a\":1}").refuse("no");
        assertThat(model.id()).isEqualTo("scripted");
        assertThat(model.complete(ASK)).isEqualTo(
                new ModelResponse(Message.assistant("one"), FinishReason.STOP, Usage.NONE, "scripted",
                        "scripted_1"));
        assertThat(model.complete(ASK))
                .isEqualTo(new ModelResponse(Message.assistant(new CallPart("scripted_1", "f", "{\"a\":1}")),
                        FinishReason.TOOL_CALLS, Usage.NONE, "scripted", "scripted_2"));
        ModelResponse refused = model.complete(ASK);
        assertThat(refused.refusal()).contains("no");
        assertThat(refused.finish()).isEqualTo(FinishReason.REFUSAL);
    }

    @Test
    void oneAnswerMayHoldReasoningTextAndSeveralCalls() {
        NativePayload payload = new NativePayload("p", Json.of("{}"));
        ModelResponse response = new ScriptedModel("m").then(ScriptStep.reasoning("hm")
                .andText("Look.")
                .andCall("f", "{}")
                .andCall("g", "not json")
                .andCall("", "h", "")
                .finish(FinishReason.LENGTH)
                .usage(Usage.of(5, 6))
                .nativePayload(payload)).complete(ASK);
        assertThat(response.message().parts()).containsExactly(new ReasoningPart("hm"), new TextPart("Look."),
                new CallPart("scripted_1", "f", "{}"), new CallPart("scripted_2", "g", "not json"),
                new CallPart("", "h", ""));
        assertThat(response.message().nativePayload()).isEqualTo(payload);
        assertThat(response.finish()).isEqualTo(FinishReason.LENGTH);
        assertThat(response.usage()).isEqualTo(Usage.of(5, 6));
        assertThat(response.model()).isEqualTo("m");
    }

    @Test
    void whatIsStreamedReducesToWhatIsReturned() {
        ScriptedModel model = new ScriptedModel().then(
                ScriptStep.text("Hello there").andCall("f", "{\"a\":12345}").usage(Usage.of(1, 2)).chunks(3));
        List<ModelEvent> heard = new ArrayList<>();
        ModelResponse returned = model.complete(ASK, heard::add);
        assertThat(heard).hasSize(1 + 4 + 1 + 4 + 1 + 1);
        assertThat(ResponseReducer.reduce(heard)).isEqualTo(returned);
    }

    @Test
    void chunksCanBeGivenOneByOne() {
        List<ModelEvent> heard = new ArrayList<>();
        new ScriptedModel().then(ScriptStep.text("Hello").chunks("H", "", "ello")).complete(ASK, heard::add);
        assertThat(heard.subList(1, 4)).containsExactly(new TextDelta("H"), new TextDelta(""),
                new TextDelta("ello"));
        assertThatThrownBy(() -> ScriptStep.text("Hello").chunks("H", "allo"))
                .hasMessage("the chunks must make up the text \"Hello\", not \"Hallo\"");
        assertThatThrownBy(() -> ScriptStep.text("Hello").chunks(0)).hasMessageContaining("at least 1");
    }

    @Test
    void anEmptyAnswerCanBeScripted() {
        ModelResponse response = new ScriptedModel().reply("").complete(ASK);
        assertThat(response.message().parts()).isEmpty();
        assertThat(response.finish()).isEqualTo(FinishReason.STOP);
    }

    @Test
    void errorsComeBeforeAnythingIsHeard() {
        ModelException error = new ModelException(ModelException.Kind.RATE_LIMITED, "slow down");
        List<ModelEvent> heard = new ArrayList<>();
        assertThatThrownBy(() -> new ScriptedModel().error(error).complete(ASK, heard::add)).isSameAs(error);
        assertThat(heard).isEmpty();
    }

    @Test
    void errorsInMidStreamCarryWhatWasHeard() {
        ScriptStep step = ScriptStep.text("Hello")
                .chunks(2)
                .usage(Usage.of(9, 3))
                .thenError(new ModelException(ModelException.Kind.CONNECTION, "reset"));
        List<ModelEvent> heard = new ArrayList<>();
        ModelException error = catchThrowableOfType(ModelException.class,
                () -> new ScriptedModel().then(step).complete(ASK, heard::add));
        assertThat(error.code()).isEqualTo("model_connection");
        assertThat(error.partial()).contains(new ModelResponse(Message.assistant("Hello"), FinishReason.OTHER,
                Usage.of(9, 3), "scripted", "scripted_1"));
        assertThat(heard)
                .startsWith(new Started("scripted", "scripted_1"), new TextDelta("He"), new TextDelta("ll"),
                        new TextDelta("o"))
                .noneMatch(ModelEvent.Finished.class::isInstance);
    }

    @Test
    void responsesCanBeComputed() {
        ScriptedModel model = new ScriptedModel().respond(request -> new ModelResponse(
                Message.assistant("you sent " + request.messages().size()), FinishReason.OTHER, Usage.NONE,
                "x", "y"));
        List<ModelEvent> heard = new ArrayList<>();
        assertThat(model.complete(ASK, heard::add)).isEqualTo(
                new ModelResponse(Message.assistant("you sent 1"), FinishReason.OTHER, Usage.NONE, "x", "y"));
        assertThat(heard).contains(new TextDelta("you sent 1"));
    }

    @Test
    void computedResponsesTakeNoAdditions() {
        ScriptStep computed = ScriptStep.respond(request -> {
            throw new AssertionError("not asked");
        });
        assertThatThrownBy(() -> computed.andText("x"))
                .hasMessageContaining("it cannot have TextPart[text=x]");
        assertThatThrownBy(() -> computed.usage(Usage.NONE)).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> computed.finish(FinishReason.STOP))
                .hasMessageContaining("it cannot have STOP");
        assertThat(computed).hasToString("a computed response");
    }

    @Test
    void rulesAnswerAheadOfTheQueueAndAgain() {
        ScriptedModel model = new ScriptedModel().reply("queue")
                .when(hasReplyFor("refund"), ScriptStep.text("done"))
                .when(lastUserTextContains("refund"), ScriptStep.call("refund", "{}"));
        assertThat(model.complete(ASK).calls()).hasSize(1);
        assertThat(model.complete(ASK).calls()).hasSize(1);
        assertThat(model.complete(answered("refund")).text()).isEqualTo("done");
        assertThat(model.complete(ModelRequest.of(Message.user("hello"))).text()).isEqualTo("queue");
    }

    @Test
    void aRuleMayAnswerOnce() {
        ScriptedModel model = new ScriptedModel().then(ScriptStep.text("rule").when(request -> true).once())
                .reply("queue");
        assertThat(model.complete(ASK).text()).isEqualTo("rule");
        assertThat(model.complete(ASK).text()).isEqualTo("queue");
        assertThatThrownBy(() -> model.then(ScriptStep.text("x").once()))
                .hasMessageContaining("once() is for rules");
    }

    @Test
    void matchersLookWhereTheySay() {
        ModelRequest offering = ModelRequest.builder(ASK.messages())
                .tools(List.of(new ToolSpec("refund", "", Json.of("{}"))))
                .build();
        assertThat(offers("refund").test(offering)).isTrue();
        assertThat(offers("refund").test(ASK)).isFalse();
        assertThat(hasReplyFor("other").test(answered("refund"))).isFalse();
        List<Message> later = new ArrayList<>(answered("refund").messages());
        later.add(Message.assistant("done"));
        later.add(Message.user("thanks"));
        assertThat(hasReplyFor("refund").test(ModelRequest.builder(later).build())).isFalse();
        assertThat(lastUserTextContains("refund").test(ModelRequest.builder(later).build())).isFalse();
        assertThat(lastUserTextContains("thank").test(ModelRequest.builder(later).build())).isTrue();
        assertThat(lastUserTextContains("a").test(ModelRequest.of(Message.system("a")))).isFalse();
        RequestMatcher both = lastUserTextContains("refund").and(offers("refund"));
        assertThat(both.test(offering)).isTrue();
        assertThat(both.test(ASK)).isFalse();
        assertThat(both.description()).isEqualTo("last user text contains \"refund\" and offers \"refund\"");
    }

    @Test
    void requestsAreKeptFailedOnesToo() {
        ModelRequest second = ModelRequest.of(Message.user("again"));
        ScriptedModel model = new ScriptedModel().reply("one");
        assertThat(model.lastRequest()).isEmpty();
        model.complete(ASK);
        assertThatThrownBy(() -> model.complete(second)).isInstanceOf(ModelException.class);
        assertThat(model.requests()).containsExactly(ASK, second);
        assertThat(model.lastRequest()).contains(second);
    }

    @Test
    void runningOutSaysWhatWasAsked() {
        ScriptedModel model = new ScriptedModel().when(offers("x"), ScriptStep.text("never"));
        ModelException error = catchThrowableOfType(ModelException.class, () -> model.complete(ASK));
        assertThat(error.retryable()).isFalse();
        assertThat(error).hasMessageContaining("no answer to request 1")
                .hasMessageContaining("no rule matches of [text \"never\" when offers \"x\"]")
                .hasMessageContaining(
                        "The last of 1 messages is the user's: \"refund order 42\"; the tools are []");
    }

    @Test
    void unusedStepsAreListed() {
        ScriptStep same = ScriptStep.text("same");
        ScriptedModel model = new ScriptedModel().then(same)
                .then(same)
                .when(offers("x"), ScriptStep.call("x", "{}"))
                .error(new ModelException(ModelException.Kind.TIMEOUT, "late"));
        model.complete(ASK);
        assertThatThrownBy(model::assertExhausted).isInstanceOf(AssertionError.class)
                .hasMessage("3 scripted steps were never used: [text \"same\", call x {} when offers \"x\", "
                        + "error model_timeout]");
    }

    @Test
    void stepsSayWhatTheyAre() {
        assertThat(ScriptStep.reasoning("hm").andRefusal("no").when(request -> true))
                .hasToString("reasoning \"hm\", refusal \"no\" when a predicate holds");
        assertThat(ScriptStep.text("")).hasToString("an empty answer");
        assertThatThrownBy(() -> new ScriptedModel("")).hasMessageContaining("must not be empty");
    }

    @Test
    void aFailedAttemptMayHaveCostSomething() {
        ScriptStep step = ScriptStep.error(new ModelException(ModelException.Kind.UNAVAILABLE, "down"))
                .usage(Usage.of(7, 0));
        ModelException error = catchThrowableOfType(ModelException.class,
                () -> new ScriptedModel().then(step).complete(ASK));
        assertThat(error.usage()).isEqualTo(Usage.of(7, 0));
    }

    @Test
    void aUsedUpScriptIsExhausted() {
        ScriptedModel model = new ScriptedModel().reply("one")
                .when(lastUserTextContains("refund"), ScriptStep.text("r"));
        model.complete(ASK);
        model.complete(ModelRequest.of(Message.user("hello")));
        model.assertExhausted();
    }

    @Test
    void interruptionEndsTheCall() {
        ScriptedModel model = new ScriptedModel().then(ScriptStep.text("Hello").chunks(1)).reply("next");
        try {
            ModelException error = catchThrowableOfType(ModelException.class,
                    () -> model.complete(ASK, event -> {
                        if (event.equals(new TextDelta("e"))) {
                            Thread.currentThread().interrupt();
                        }
                    }));
            assertThat(error.code()).isEqualTo("model_interrupted");
            assertThat(error.partial().orElseThrow().text()).isEqualTo("He");
            assertThat(Thread.currentThread().isInterrupted()).isTrue();
            assertThatThrownBy(() -> model.complete(ASK)).hasMessageContaining("interrupted");
        } finally {
            Thread.interrupted();
        }
        assertThat(model.complete(ASK).text()).isEqualTo("next");
    }

    @Test
    void whatTheListenerThrowsReachesTheCaller() {
        IllegalStateException thrown = new IllegalStateException("enough");
        assertThatThrownBy(() -> new ScriptedModel().reply("x").complete(ASK, event -> {
            throw thrown;
        })).isSameAs(thrown);
    }

    @Test
    void concurrentRequestsTakeDifferentSteps() throws InterruptedException {
        int threads = 16;
        ScriptedModel model = new ScriptedModel();
        List<String> scripted = new ArrayList<>();
        for (int i = 0; i < threads; i++) {
            model.reply("reply " + i);
            scripted.add("reply " + i);
        }
        Queue<String> answers = new ConcurrentLinkedQueue<>();
        CountDownLatch go = new CountDownLatch(threads);
        List<Thread> running = new ArrayList<>();
        for (int i = 0; i < threads; i++) {
            running.add(Thread.ofVirtual().start(() -> {
                go.countDown();
                try {
                    go.await();
                } catch (InterruptedException e) {
                    throw new AssertionError(e);
                }
                answers.add(model.complete(ASK).text());
            }));
        }
        for (Thread thread : running) {
            thread.join();
        }
        assertThat(answers).containsExactlyInAnyOrderElementsOf(scripted);
        model.assertExhausted();
    }

    private static ModelRequest answered(String tool) {
        return ModelRequest.of(Message.user("refund order 42"),
                Message.assistant(new CallPart("1", tool, "{}")),
                Message.replies(new ReplyPart("1", tool, Status.OK, "ok")));
    }
}
