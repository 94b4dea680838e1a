/** OpenAI's two protocols, Chat Completions and Responses, and every server that speaks one of them. */
module dev.belay.model.openai {
    requires transitive dev.belay.core;
    requires transitive dev.belay.model.http;

    exports dev.belay.model.openai;

    provides dev.belay.model.http.ModelSource with dev.belay.model.openai.OpenAiSource;
}
