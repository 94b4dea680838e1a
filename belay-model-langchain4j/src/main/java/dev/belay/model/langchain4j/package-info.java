/**
 * A bridge from {@link dev.belay.model.Model} to LangChain4j's {@code ChatModel} and {@code StreamingChatModel}.
 * {@link dev.belay.model.langchain4j.LangChain4jModel} is the only public class; the others convert requests, messages, schemas and
 * events. Sending is LangChain4j's part.
 */
@org.jspecify.annotations.NullMarked
package dev.belay.model.langchain4j;
