package dev.belay.model.langchain4j;

import dev.belay.model.Model;
import dev.belay.model.ModelListener;
import dev.belay.model.ModelRequest;
import dev.belay.model.ModelResponse;
import dev.langchain4j.model.ModelProvider;
import dev.langchain4j.model.chat.ChatModel;
import dev.langchain4j.model.chat.StreamingChatModel;
import dev.langchain4j.model.chat.request.ChatRequest;
import dev.langchain4j.model.chat.request.ChatRequestParameters;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.ThreadFactory;
import org.jspecify.annotations.Nullable;

/**
 * A LangChain4j model as a Belay model. Keys, addresses, timeouts and retries are set where the LangChain4j model is built.
 *
 * <p>Each request runs on a thread of its own, by default a virtual one. So interrupting the caller ends the call even if the
 * provider's client ignores interrupts, and a listener receives every event on the caller's thread. Settings that LangChain4j does
 * not have are refused before anything is sent: a seed, an effort of reasoning, uploaded files, files other than PDF, audio and
 * video. Thread-safe if the LangChain4j model is.
 */
public final class LangChain4jModel implements Model {

    private final String id;
    private final String provider;
    private final Source source;
    private final ThreadFactory threads;

    /** Asks, on a thread where it may block, and passes what arrives to the answer. */
    @FunctionalInterface
    interface Source {
        void ask(ChatRequest request, StreamedAnswer answer);
    }

    private LangChain4jModel(String id, String provider, Source source, ThreadFactory threads) {
        this.id = id;
        this.provider = provider;
        this.source = source;
        this.threads = threads;
    }

    /** Wraps a model that answers in one piece. */
    public static LangChain4jModel of(ChatModel model) {
        return new LangChain4jModel(name(model.defaultRequestParameters(), model), provider(model.provider()),
                (request, answer) -> answer.onCompleteResponse(model.chat(request)),
                Thread.ofVirtual().name("belay-langchain4j").factory());
    }

    /** Wraps a model that streams. */
    public static LangChain4jModel of(StreamingChatModel model) {
        return new LangChain4jModel(name(model.defaultRequestParameters(), model), provider(model.provider()),
                model::chat, Thread.ofVirtual().name("belay-langchain4j").factory());
    }

    /** The same under another name; default: the model name that LangChain4j was given, else the class. */
    public LangChain4jModel withId(String name) {
        if (name.isBlank()) {
            throw new IllegalArgumentException("the id of a model must not be blank");
        }
        return new LangChain4jModel(name, provider, source, threads);
    }

    /** The same with another source of threads for requests; default: virtual threads. */
    public LangChain4jModel onThreads(ThreadFactory factory) {
        return new LangChain4jModel(id, provider, source, Objects.requireNonNull(factory, "factory"));
    }

    @Override
    public String id() {
        return id;
    }

    @Override
    public ModelResponse complete(ModelRequest request, ModelListener listener) {
        ChatRequest asked = ChatRequests.of(request, provider);
        StreamedAnswer answer = new StreamedAnswer(id, provider);
        Thread thread = threads.newThread(() -> {
            try {
                source.ask(asked, answer);
            } catch (Throwable e) {
                answer.onError(e);
            }
        });
        return answer.await(thread, listener);
    }

    private static String name(@Nullable ChatRequestParameters parameters, Object model) {
        String name = parameters == null ? null : parameters.modelName();
        return name == null || name.isBlank() ? model.getClass().getSimpleName() : name;
    }

    private static String provider(@Nullable ModelProvider provider) {
        return "langchain4j-"
                + (provider == null ? ModelProvider.OTHER : provider).name().toLowerCase(Locale.ROOT);
    }
}
