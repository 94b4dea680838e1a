package dev.belay.model.anthropic;

import dev.belay.testkit.model.ModelContract;
import dev.belay.testkit.model.ModelFixture;

/** Keeps, for Anthropic's Messages, the model lines of issue 6 and N.12. */
class AnthropicContractTest extends ModelContract {

    @Override
    protected ModelFixture fixture() {
        return new MessagesFixture();
    }
}
