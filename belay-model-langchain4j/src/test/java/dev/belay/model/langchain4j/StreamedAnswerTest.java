package dev.belay.model.langchain4j;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.belay.model.FinishReason;
import dev.belay.model.Message;
import dev.belay.model.ModelEvent;
import dev.belay.model.ModelEvent.CallArguments;
import dev.belay.model.ModelEvent.CallStarted;
import dev.belay.model.ModelEvent.Finished;
import dev.belay.model.ModelEvent.ReasoningDelta;
import dev.belay.model.ModelEvent.Started;
import dev.belay.model.ModelEvent.TextDelta;
import dev.belay.model.ModelEvent.UsageReported;
import dev.belay.model.ModelException;
import dev.belay.model.ModelListener;
import dev.belay.model.ModelRequest;
import dev.belay.model.ModelResponse;
import dev.belay.model.Part.CallPart;
import dev.belay.model.ResponseReducer;
import dev.belay.model.Usage;
import dev.langchain4j.agent.tool.ToolExecutionRequest;
import dev.langchain4j.data.message.AiMessage;
import dev.langchain4j.exception.AuthenticationException;
import dev.langchain4j.exception.HttpException;
import dev.langchain4j.exception.InvalidRequestException;
import dev.langchain4j.exception.RateLimitException;
import dev.langchain4j.model.chat.response.ChatResponse;
import dev.langchain4j.model.chat.response.CompleteToolCall;
import dev.langchain4j.model.chat.response.PartialResponse;
import dev.langchain4j.model.chat.response.PartialResponseContext;
import dev.langchain4j.model.chat.response.PartialThinking;
import dev.langchain4j.model.chat.response.PartialToolCall;
import dev.langchain4j.model.chat.response.StreamingChatResponseHandler;
import dev.langchain4j.model.chat.response.StreamingHandle;
import dev.langchain4j.model.output.TokenUsage;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Streams, interruption and failures of a LangChain4j model. */
@Timeout(120)
class StreamedAnswerTest {

    private static final ModelRequest GO = ModelRequest.of(Message.user("go"));

    private final List<ModelEvent> heard = new ArrayList<>();

    @Test
    void piecesAreHeardOnTheCallersThreadAsTheyCome() {
        List<Thread> threads = new ArrayList<>();
        LangChain4jModel model = streaming(handler -> {
            handler.onPartialThinking(new PartialThinking("hm"));
            handler.onPartialResponse("Hel");
            handler.onPartialResponse("lo");
            handler.onPartialToolCall(piece(10, "b", "other", "{"));
            handler.onPartialToolCall(piece(2, "a", "find", "{\"q\""));
            handler.onPartialToolCall(piece(10, "b", "other", "}"));
            handler.onPartialToolCall(piece(2, "a", "find", ":1}"));
            handler.onCompleteToolCall(new CompleteToolCall(2, call("a", "find", "{\"q\":1}")));
            handler.onCompleteResponse(ChatResponse.builder()
                    .aiMessage(AiMessage.builder()
                            .thinking("hm")
                            .text("Hello")
                            .toolExecutionRequests(
                                    List.of(call("a", "find", "{\"q\":1}"), call("b", "other", "{}")))
                            .build())
                    .tokenUsage(new TokenUsage(3, 4))
                    .finishReason(dev.langchain4j.model.output.FinishReason.TOOL_EXECUTION)
                    .build());
        });
        ModelResponse response = model.complete(GO, event -> {
            threads.add(Thread.currentThread());
            heard.add(event);
        });
        assertThat(threads).containsOnly(Thread.currentThread());
        assertThat(
                heard.stream().filter(event -> !(event instanceof Finished)).filter(StreamedAnswerTest::says))
                .containsExactly(new Started("Streaming", ""), new ReasoningDelta("hm"), new TextDelta("Hel"),
                        new TextDelta("lo"), new CallStarted(10, "b", "other"), new CallArguments(10, "{"),
                        new CallStarted(2, "a", "find"), new CallArguments(2, "{\"q\""),
                        new CallArguments(10, "}"),
                        new CallArguments(2, ":1}"), new UsageReported(Usage.of(3, 4)));
        assertThat(response.calls()).containsExactly(new CallPart("a", "find", "{\"q\":1}"),
                new CallPart("b", "other", "{}"));
        assertThat(ResponseReducer.reduce(heard)).isEqualTo(response);
    }

    @Test
    void whatWasNotStreamedIsHeardAtTheEnd() {
        LangChain4jModel model = streaming(handler -> {
            handler.onPartialResponse("Hel");
            handler.onPartialToolCall(piece(0, "a", "find", "{\"q\""));
            handler.onCompleteResponse(ChatResponse.builder()
                    .aiMessage(AiMessage.builder()
                            .text("Hello")
                            .toolExecutionRequests(
                                    List.of(call("a", "find", "{\"q\":1}"), call("b", "other", "{}")))
                            .build())
                    .build());
        });
        ModelResponse response = model.complete(GO, heard::add);
        assertThat(response.text()).isEqualTo("Hello");
        assertThat(response.calls()).containsExactly(new CallPart("a", "find", "{\"q\":1}"),
                new CallPart("b", "other", "{}"));
        assertThat(response.finish()).isEqualTo(FinishReason.TOOL_CALLS);
        assertThat(ResponseReducer.reduce(heard)).isEqualTo(response);
    }

    @Test
    void anErrorInMidStreamCarriesWhatHadArrived() {
        LangChain4jModel model = streaming(handler -> {
            handler.onPartialResponse("Hel");
            handler.onError(new RateLimitException("slow down"));
        });
        ModelException error = catchThrowableOfType(ModelException.class, () -> model.complete(GO));
        assertThat(error.kind()).isEqualTo(ModelException.Kind.RATE_LIMITED);
        assertThat(error).hasMessageContaining("slow down");
        assertThat(error.partial().orElseThrow().text()).isEqualTo("Hel");
    }

    @Test
    void whatComesAfterTheEndIsDropped() {
        LangChain4jModel model = streaming(handler -> {
            handler.onCompleteResponse(ChatResponse.builder().aiMessage(AiMessage.from("one")).build());
            handler.onPartialResponse("two");
            handler.onError(new IllegalStateException("late"));
        });
        assertThat(model.complete(GO, heard::add).text()).isEqualTo("one");
        assertThat(heard).last().isInstanceOf(Finished.class);
    }

    @Test
    void noMessageAtAllIsAProtocolFailure() {
        LangChain4jModel model = streaming(handler -> handler.onCompleteResponse(null));
        assertThat(kind(() -> model.complete(GO))).isEqualTo(ModelException.Kind.PROTOCOL);
    }

    @Test
    void interruptionEndsABlockedCallAndLetsGoOfTheProvider() throws InterruptedException {
        CountDownLatch asked = new CountDownLatch(1);
        CountDownLatch letGo = new CountDownLatch(1);
        LangChain4jModel model = LangChain4jModel.of(new FakeChat.Blocking(request -> {
            asked.countDown();
            awaitForEver(letGo);
            throw new IllegalStateException("was let go");
        }));
        interrupted(model, asked, ModelListener.silent());
        assertThat(letGo.await(20, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void interruptionCancelsAStream() throws InterruptedException {
        CountDownLatch heardText = new CountDownLatch(1);
        CountDownLatch cancelled = new CountDownLatch(1);
        LangChain4jModel model = streaming(handler -> handler.onPartialResponse(new PartialResponse("Hel"),
                new PartialResponseContext(handle(cancelled))));
        ModelException error = interrupted(model, heardText, event -> {
            if (event instanceof TextDelta) {
                heardText.countDown();
            }
        });
        assertThat(cancelled.await(20, TimeUnit.SECONDS)).isTrue();
        assertThat(error.partial().orElseThrow().text()).isEqualTo("Hel");
    }

    @Test
    void aStreamThatBeginsAfterTheCallerHasGoneIsCancelled() throws InterruptedException {
        CountDownLatch asked = new CountDownLatch(1);
        CountDownLatch cancelled = new CountDownLatch(1);
        AtomicReference<StreamingChatResponseHandler> late = new AtomicReference<>();
        LangChain4jModel model = streaming(handler -> {
            late.set(handler);
            asked.countDown();
        });
        interrupted(model, asked, ModelListener.silent());
        late.get()
                .onPartialResponse(new PartialResponse("Hel"), new PartialResponseContext(handle(cancelled)));
        assertThat(cancelled.getCount()).isZero();
    }

    @Test
    void whatAListenerThrowsEndsTheCallAndTheStream() throws InterruptedException {
        CountDownLatch cancelled = new CountDownLatch(1);
        LangChain4jModel model = streaming(handler -> handler.onPartialResponse(new PartialResponse("Hel"),
                new PartialResponseContext(handle(cancelled))));
        IllegalStateException stop = new IllegalStateException("stop");
        assertThatThrownBy(() -> model.complete(GO, event -> {
            throw stop;
        })).isSameAs(stop);
        assertThat(cancelled.await(20, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void aThreadThatIsInterruptedAsksNobody() {
        FakeChat.Blocking model = new FakeChat.Blocking(
                request -> ChatResponse.builder().aiMessage(AiMessage.from("x")).build());
        Thread.currentThread().interrupt();
        try {
            assertThat(kind(() -> LangChain4jModel.of(model).complete(GO)))
                    .isEqualTo(ModelException.Kind.INTERRUPTED);
        } finally {
            assertThat(Thread.interrupted()).isTrue();
        }
        assertThat(model.asked).isEmpty();
    }

    static Stream<Arguments> failures() {
        return Stream.of(Arguments.of(new AuthenticationException("key"), ModelException.Kind.AUTHENTICATION),
                Arguments.of(new RateLimitException("slow"), ModelException.Kind.RATE_LIMITED),
                Arguments.of(new dev.langchain4j.exception.ModelNotFoundException("m"),
                        ModelException.Kind.UNKNOWN_MODEL),
                Arguments.of(new dev.langchain4j.exception.ContentFilteredException("f"),
                        ModelException.Kind.CONTENT_FILTERED),
                Arguments.of(new InvalidRequestException("bad"), ModelException.Kind.INVALID_REQUEST),
                Arguments.of(new InvalidRequestException("maximum context length is 8"),
                        ModelException.Kind.CONTEXT_TOO_LONG),
                Arguments.of(new InvalidRequestException("m does not support tools"),
                        ModelException.Kind.TOOLS_UNSUPPORTED),
                Arguments.of(new dev.langchain4j.exception.UnsupportedFeatureException("x"),
                        ModelException.Kind.INVALID_REQUEST),
                Arguments.of(new dev.langchain4j.exception.TimeoutException("t"),
                        ModelException.Kind.TIMEOUT),
                Arguments.of(new dev.langchain4j.exception.UnresolvedModelServerException("u"),
                        ModelException.Kind.CONNECTION),
                Arguments.of(new dev.langchain4j.exception.InternalServerException("i"),
                        ModelException.Kind.UNAVAILABLE),
                Arguments.of(new HttpException(403, "no"), ModelException.Kind.PERMISSION),
                Arguments.of(new HttpException(413, "no"), ModelException.Kind.CONTEXT_TOO_LONG),
                Arguments.of(new HttpException(418, "no"), ModelException.Kind.INVALID_REQUEST),
                Arguments.of(new HttpException(529, "no"), ModelException.Kind.UNAVAILABLE),
                Arguments.of(new RuntimeException(new java.net.http.HttpTimeoutException("t")),
                        ModelException.Kind.TIMEOUT),
                Arguments.of(new RuntimeException(new IOException("gone")), ModelException.Kind.CONNECTION),
                Arguments.of(new dev.langchain4j.exception.RetriableException("r"),
                        ModelException.Kind.UNAVAILABLE),
                Arguments.of(new dev.langchain4j.exception.RetriableException(new IOException("gone")),
                        ModelException.Kind.CONNECTION),
                Arguments.of(new dev.langchain4j.exception.NonRetriableException("n"),
                        ModelException.Kind.INVALID_REQUEST),
                Arguments.of(new IllegalStateException("?"), ModelException.Kind.PROTOCOL));
    }

    @ParameterizedTest
    @MethodSource("failures")
    void everyFailureHasAKind(RuntimeException thrown, ModelException.Kind kind) {
        LangChain4jModel model = LangChain4jModel.of(new FakeChat.Blocking(request -> {
            throw thrown;
        }));
        ModelException error = catchThrowableOfType(ModelException.class, () -> model.complete(GO));
        assertThat(error.kind()).isEqualTo(kind);
        assertThat(error).hasMessageContaining("fake-1").hasCause(thrown);
    }

    @Test
    void anErrorOfTheMachineIsNotDescribed() {
        OutOfMemoryError fatal = new OutOfMemoryError("none left");
        assertThatThrownBy(() -> LangChain4jModel.of(new FakeChat.Blocking(request -> {
            throw fatal;
        })).complete(GO)).isSameAs(fatal);
    }

    @Test
    void threadsCanBeYours() {
        AtomicReference<Thread> used = new AtomicReference<>();
        LangChain4jModel model = LangChain4jModel.of(new FakeChat.Blocking(request -> {
            used.set(Thread.currentThread());
            return ChatResponse.builder().aiMessage(AiMessage.from("x")).build();
        })).onThreads(Thread.ofPlatform().name("mine").factory());
        model.complete(GO);
        assertThat(used.get().getName()).isEqualTo("mine");
    }

    private static boolean says(ModelEvent event) {
        return !event.equals(new TextDelta("")) && !event.equals(new ReasoningDelta(""));
    }

    private static LangChain4jModel streaming(Consumer<StreamingChatResponseHandler> script) {
        return LangChain4jModel.of(new FakeChat.Streaming((request, handler) -> script.accept(handler)));
    }

    private static PartialToolCall piece(int index, String id, String name, String arguments) {
        return PartialToolCall.builder().index(index).id(id).name(name).partialArguments(arguments).build();
    }

    private static ToolExecutionRequest call(String id, String name, String arguments) {
        return ToolExecutionRequest.builder().id(id).name(name).arguments(arguments).build();
    }

    private static ModelException.Kind kind(Runnable call) {
        return catchThrowableOfType(ModelException.class, call::run).kind();
    }

    private static StreamingHandle handle(CountDownLatch cancelled) {
        return new StreamingHandle() {
            @Override
            public void cancel() {
                cancelled.countDown();
            }

            @Override
            public boolean isCancelled() {
                return cancelled.getCount() == 0;
            }
        };
    }

    /** Interrupts a caller once the latch is down, and gives what it threw. */
    private static ModelException interrupted(LangChain4jModel model, CountDownLatch asked,
            ModelListener listener)
            throws InterruptedException {
        AtomicReference<ModelException> thrown = new AtomicReference<>();
        AtomicReference<Boolean> flag = new AtomicReference<>();
        Thread caller = Thread.ofVirtual().start(() -> {
            thrown.set(catchThrowableOfType(ModelException.class, () -> model.complete(GO, listener)));
            flag.set(Thread.currentThread().isInterrupted());
        });
        assertThat(asked.await(20, TimeUnit.SECONDS)).isTrue();
        caller.interrupt();
        caller.join();
        assertThat(thrown.get().kind()).isEqualTo(ModelException.Kind.INTERRUPTED);
        assertThat(flag.get()).isTrue();
        return thrown.get();
    }

    private static void awaitForEver(CountDownLatch letGo) {
        try {
            new CountDownLatch(1).await();
        } catch (InterruptedException e) {
            letGo.countDown();
        }
    }
}
