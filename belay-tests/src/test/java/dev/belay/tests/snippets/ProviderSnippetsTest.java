package dev.belay.tests.snippets;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.model.Message;
import dev.belay.model.Model;
import dev.belay.model.ModelRequest;
import dev.langchain4j.data.message.AiMessage;
import dev.langchain4j.model.chat.ChatModel;
import dev.langchain4j.model.chat.StreamingChatModel;
import dev.langchain4j.model.chat.request.ChatRequest;
import dev.langchain4j.model.chat.response.ChatResponse;
import dev.langchain4j.model.chat.response.StreamingChatResponseHandler;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What the documents say of Anthropic's models and of LangChain4j's. */
class ProviderSnippetsTest {

    @Test
    void theBuilderMakesAModelWithoutAskingAnybody() {
        assertThat(AnthropicSnippets.builder("sk-ant-1").id()).isEqualTo("claude-sonnet-4-6");
    }

    @Test
    void bothKindsOfLangChain4jModelsAreModels() {
        ChatResponse answer = ChatResponse.builder().aiMessage(AiMessage.from("hello")).build();
        List<Model> models = LangChain4jSnippets.bridge(new ChatModel() {
            @Override
            public ChatResponse doChat(ChatRequest request) {
                return answer;
            }
        }, new StreamingChatModel() {
            @Override
            public void doChat(ChatRequest request, StreamingChatResponseHandler handler) {
                handler.onCompleteResponse(answer);
            }
        });
        for (Model model : models) {
            assertThat(model.complete(ModelRequest.of(Message.user("hi"))).text()).isEqualTo("hello");
        }
        assertThat(models.getLast().id()).isEqualTo("mistral-large");
    }
}
