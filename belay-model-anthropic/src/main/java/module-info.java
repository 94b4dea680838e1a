/** Anthropic's protocol, Messages, and every server that speaks it. */
module dev.belay.model.anthropic {
    requires transitive dev.belay.core;
    requires transitive dev.belay.model.http;

    exports dev.belay.model.anthropic;

    provides dev.belay.model.http.ModelSource with dev.belay.model.anthropic.AnthropicSource;
}
