package dev.belay.model.openai;

import dev.belay.testkit.model.ModelContract;
import dev.belay.testkit.model.ModelFixture;

/** Holds Chat Completions to the contract of models. */
class OpenAiChatContractTest extends ModelContract {

    @Override
    protected ModelFixture fixture() {
        return new ChatFixture();
    }
}
