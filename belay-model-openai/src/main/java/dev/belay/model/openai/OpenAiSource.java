package dev.belay.model.openai;

import dev.belay.model.http.BaseUrl;
import dev.belay.model.http.ModelSource;
import dev.belay.model.http.ModelTarget;

/** Offers {@link OpenAiModel} to discovery: with {@code OPENAI_API_KEY}, and for local servers. */
public final class OpenAiSource implements ModelSource {

    private static final int FIRST = 10;
    /** Small, cheap and able to call tools. */
    private static final String USUAL_MODEL = "gpt-5-mini";

    /** For discovery. */
    public OpenAiSource() {}

    @Override
    public String prefix() {
        return "OPENAI";
    }

    @Override
    public int rank() {
        return FIRST;
    }

    @Override
    public BaseUrl ownUrl() {
        return OpenAiModel.OPENAI;
    }

    @Override
    public String usualModel() {
        return USUAL_MODEL;
    }

    @Override
    public boolean speaksLocally() {
        return true;
    }

    @Override
    public OpenAiModel open(ModelTarget target) {
        return OpenAiModel.builder(target.model()).target(target).build();
    }
}
