package dev.belay.model.langchain4j;

import dev.langchain4j.model.ModelProvider;
import dev.langchain4j.model.chat.ChatModel;
import dev.langchain4j.model.chat.StreamingChatModel;
import dev.langchain4j.model.chat.request.ChatRequest;
import dev.langchain4j.model.chat.request.ChatRequestParameters;
import dev.langchain4j.model.chat.response.ChatResponse;
import dev.langchain4j.model.chat.response.StreamingChatResponseHandler;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Function;

/** LangChain4j models without a network, which keep what they were asked. */
final class FakeChat {

    private FakeChat() {}

    static final class Blocking implements ChatModel {

        final List<ChatRequest> asked = Collections.synchronizedList(new ArrayList<>());
        private final Function<ChatRequest, ChatResponse> answer;

        Blocking(Function<ChatRequest, ChatResponse> answer) {
            this.answer = answer;
        }

        @Override
        public ChatResponse doChat(ChatRequest request) {
            asked.add(request);
            return answer.apply(request);
        }

        @Override
        public ChatRequestParameters defaultRequestParameters() {
            return ChatRequestParameters.builder().modelName("fake-1").build();
        }

        @Override
        public ModelProvider provider() {
            return ModelProvider.MISTRAL_AI;
        }
    }

    static final class Streaming implements StreamingChatModel {

        private final BiConsumer<ChatRequest, StreamingChatResponseHandler> answer;

        Streaming(BiConsumer<ChatRequest, StreamingChatResponseHandler> answer) {
            this.answer = answer;
        }

        @Override
        public void doChat(ChatRequest request, StreamingChatResponseHandler handler) {
            answer.accept(request, handler);
        }
    }
}
