package dev.belay.model.openai;

import dev.belay.testkit.model.ModelContract;
import dev.belay.testkit.model.ModelFixture;

/** Holds the Responses API to the contract of models. */
class OpenAiResponsesContractTest extends ModelContract {

    @Override
    protected ModelFixture fixture() {
        return new ResponsesFixture();
    }
}
