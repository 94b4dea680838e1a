package dev.belay.model.langchain4j;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.belay.model.Message;
import dev.belay.model.ModelEvent;
import dev.belay.model.ModelException;
import dev.belay.model.ModelRequest;
import dev.belay.model.ModelResponse;
import dev.belay.model.ResponseReducer;
import dev.langchain4j.agent.tool.ToolExecutionRequest;
import dev.langchain4j.data.message.AiMessage;
import dev.langchain4j.model.chat.response.ChatResponse;
import dev.langchain4j.model.chat.response.CompleteToolCall;
import dev.langchain4j.model.chat.response.PartialThinking;
import dev.langchain4j.model.chat.response.PartialToolCall;
import dev.langchain4j.model.chat.response.StreamingChatResponseHandler;
import dev.langchain4j.model.output.FinishReason;
import dev.langchain4j.model.output.TokenUsage;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Callbacks in any order and with odd values: the caller gets an answer, or a typed failure with what had arrived. */
@Timeout(600)
class SpoiledAnswerTest {

    private static final int RUNS = Integer.getInteger("belay.fuzz", 2_000);
    private static final ModelRequest GO = ModelRequest.of(Message.user("go"));
    private static final List<String> TEXTS = List.of("", "Hi", "{\"q\":", "1}", "\ud83d", "\ude00", "\u0000",
            "null");
    private static final List<Integer> NUMBERS = List.of(-1, 0, 1, 7, Integer.MAX_VALUE, Integer.MIN_VALUE);

    @Test
    void spoiledCallbacksAreAnAnswerOrATypedFailure() {
        int answers = 0;
        for (long seed = 0; seed < RUNS; seed++) {
            Random random = new Random(seed);
            answers += heard("seed " + seed, handler -> {
                for (int left = random.nextInt(6); left > 0; left--) {
                    callback(handler, random);
                }
                if (random.nextInt(10) == 0) {
                    handler.onError(new IllegalStateException("zebra"));
                }
                handler.onCompleteResponse(response(random));
            }) ? 1 : 0;
        }
        assertThat(answers).isBetween(RUNS / 10, RUNS * 9 / 10);
    }

    @Test
    void anAnswerWithoutAMessageKeepsWhatHadArrived() {
        ModelException failure = catchThrowableOfType(ModelException.class, () -> model(handler -> {
            handler.onPartialResponse("Hal");
            handler.onCompleteResponse(null);
        }).complete(GO));
        assertThat(failure.kind()).isEqualTo(ModelException.Kind.PROTOCOL);
        assertThat(failure.partial())
                .hasValueSatisfying(partial -> assertThat(partial.text()).isEqualTo("Hal"));
    }

    @Test
    void aNumberOfACallThatIsNoneBreaksTheProtocol() {
        ModelException failure = catchThrowableOfType(ModelException.class, () -> model(handler -> {
            handler.onPartialResponse("Hal");
            handler.onCompleteToolCall(new CompleteToolCall(Integer.MIN_VALUE,
                    ToolExecutionRequest.builder().id("a").name("f").arguments("{}").build()));
        }).complete(GO));
        assertThat(failure.kind()).isEqualTo(ModelException.Kind.PROTOCOL);
        assertThat(failure.partial())
                .hasValueSatisfying(partial -> assertThat(partial.text()).isEqualTo("Hal"));
    }

    private static void callback(StreamingChatResponseHandler handler, Random random) {
        switch (random.nextInt(4)) {
            case 0 -> handler.onPartialResponse(text(random));
            case 1 -> handler.onPartialThinking(new PartialThinking(pick(TEXTS.subList(1, 4), random)));
            case 2 -> handler.onPartialToolCall(PartialToolCall.builder()
                    .index(Math.max(0, pick(NUMBERS, random)))
                    .id(text(random))
                    .name("find")
                    .partialArguments(pick(TEXTS.subList(1, 4), random))
                    .build());
            default -> handler.onCompleteToolCall(new CompleteToolCall(pick(NUMBERS, random), call(random)));
        }
    }

    private static ChatResponse response(Random random) {
        List<ToolExecutionRequest> calls = new ArrayList<>();
        for (int left = random.nextInt(3); left > 0; left--) {
            calls.add(call(random));
        }
        AiMessage message = AiMessage.builder()
                .text(text(random))
                .thinking(random.nextBoolean() ? null : text(random))
                .toolExecutionRequests(calls)
                .build();
        return ChatResponse.builder()
                .aiMessage(message)
                .tokenUsage(random.nextBoolean()
                        ? null
                        : new TokenUsage(pick(NUMBERS, random), pick(NUMBERS, random)))
                .finishReason(random.nextBoolean() ? null : FinishReason.STOP)
                .build();
    }

    private static ToolExecutionRequest call(Random random) {
        return ToolExecutionRequest.builder()
                .id(text(random))
                .name(text(random))
                .arguments(random.nextInt(4) == 0 ? null : text(random))
                .build();
    }

    private static boolean heard(String what, Consumer<StreamingChatResponseHandler> answering) {
        List<ModelEvent> events = new ArrayList<>();
        try {
            ModelResponse response = model(answering).complete(GO, events::add);
            assertThat(ResponseReducer.reduce(events)).as(what).isEqualTo(response);
            return true;
        } catch (ModelException failure) {
            ResponseReducer arrived = new ResponseReducer();
            events.forEach(arrived::accept);
            assertThat(failure.partial()).as(what).isEqualTo(arrived.partial());
            return false;
        } catch (RuntimeException untyped) {
            throw new AssertionError(what, untyped);
        }
    }

    private static LangChain4jModel model(Consumer<StreamingChatResponseHandler> answering) {
        return LangChain4jModel.of(new FakeChat.Streaming((request, handler) -> answering.accept(handler)));
    }

    /** Some providers pass null for what is missing. */
    private static @Nullable String text(Random random) {
        String text = pick(TEXTS, random);
        return text.equals("null") ? null : text;
    }

    private static <T> T pick(List<T> from, Random random) {
        return from.get(random.nextInt(from.size()));
    }
}
