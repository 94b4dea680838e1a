/**
 * Any LangChain4j chat model as a Belay model, for providers without a module of their own. LangChain4j sends the requests; users
 * see only the types of {@code dev.belay.model}.
 */
@SuppressWarnings("requires-transitive-automatic") // LangChain4j has no module descriptor
module dev.belay.model.langchain4j {
    requires transitive dev.belay.core;
    requires transitive langchain4j.core;
    requires java.net.http;

    exports dev.belay.model.langchain4j;
}
