package dev.belay.model.anthropic;

import dev.belay.testkit.model.ModelContract;
import dev.belay.testkit.model.ModelFixture;

/** Contract N.12, and what is asked of every model, for Anthropic's Messages. */
class AnthropicContractTest extends ModelContract {

    @Override
    protected ModelFixture fixture() {
        return new MessagesFixture();
    }
}
