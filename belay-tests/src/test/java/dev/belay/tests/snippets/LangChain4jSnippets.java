package dev.belay.tests.snippets;

import dev.belay.model.Model;
import dev.belay.model.langchain4j.LangChain4jModel;
import dev.langchain4j.model.chat.ChatModel;
import dev.langchain4j.model.chat.StreamingChatModel;
import java.util.List;

/** The code that the documents show of {@code belay-model-langchain4j}. */
final class LangChain4jSnippets {

    private LangChain4jSnippets() {}

    static List<Model> bridge(ChatModel chatModel, StreamingChatModel streamingChatModel) {
        // region bridge
        Model model = LangChain4jModel.of(chatModel);
        Model streaming = LangChain4jModel.of(streamingChatModel).withId("mistral-large");
        // endregion
        return List.of(model, streaming);
    }
}
