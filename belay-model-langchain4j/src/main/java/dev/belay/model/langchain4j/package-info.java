/**
 * A bridge from {@link dev.belay.model.Model} to LangChain4j's {@code ChatModel} and {@code StreamingChatModel}.
 * {@link dev.belay.model.langchain4j.LangChain4jModel} is all there is to see.
 */
@org.jspecify.annotations.NullMarked
package dev.belay.model.langchain4j;
