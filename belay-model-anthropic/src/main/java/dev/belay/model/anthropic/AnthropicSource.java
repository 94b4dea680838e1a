package dev.belay.model.anthropic;

import dev.belay.model.http.BaseUrl;
import dev.belay.model.http.ModelSource;
import dev.belay.model.http.ModelTarget;

/** Offers {@link AnthropicModel} to discovery, with {@code ANTHROPIC_API_KEY}. */
public final class AnthropicSource implements ModelSource {

    /** After OpenAI, as documented. */
    private static final int SECOND = 20;

    /** For discovery. */
    public AnthropicSource() {}

    @Override
    public String prefix() {
        return "ANTHROPIC";
    }

    @Override
    public int rank() {
        return SECOND;
    }

    @Override
    public BaseUrl ownUrl() {
        return AnthropicModel.ANTHROPIC;
    }

    @Override
    public String usualModel() {
        return AnthropicModel.DEFAULT_MODEL;
    }

    @Override
    public boolean speaksLocally() {
        return false;
    }

    @Override
    public AnthropicModel open(ModelTarget target) {
        return AnthropicModel.builder(target.model()).target(target).build();
    }
}
