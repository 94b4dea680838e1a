/**
 * Any LangChain4j chat model as a Belay model, for the long tail of providers. The wire is LangChain4j's; what is said and
 * heard is {@code dev.belay.model}'s.
 */
@SuppressWarnings("requires-transitive-automatic") // LangChain4j has no module descriptor
module dev.belay.model.langchain4j {
    requires transitive dev.belay.core;
    requires transitive langchain4j.core;
    requires java.net.http;

    exports dev.belay.model.langchain4j;
}
