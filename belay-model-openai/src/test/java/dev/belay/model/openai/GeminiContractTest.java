package dev.belay.model.openai;

import dev.belay.model.Model;
import dev.belay.testkit.model.ClientSetup;
import dev.belay.testkit.model.ModelContract;
import dev.belay.testkit.model.ModelFixture;
import java.util.List;

/** Gemini's dialect of Chat Completions keeps the contract of models. */
class GeminiContractTest extends ModelContract {

    @Override
    protected ModelFixture fixture() {
        return new ChatFixture() {

            @Override
            public Model model(ClientSetup setup) {
                return Clients.model(setup,
                        OpenAiModel.gemini(setup.model()).gemini(Gemini.DEFAULT.withThoughts()));
            }

            @Override
            public List<List<String>> recorded() {
                return List.of(RecordedStreams.thoughtsOfGemini(), RecordedStreams.callsOfGemini());
            }
        };
    }
}
