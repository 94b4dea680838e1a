package dev.belay.tests.session;

import static dev.belay.tests.session.SessionBench.model;
import static dev.belay.tests.session.SessionBench.text;
import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.model.FinishReason;
import dev.belay.model.Message;
import dev.belay.model.ModelException;
import dev.belay.model.ModelRequest;
import dev.belay.model.ModelResponse;
import dev.belay.model.Part.RefusalPart;
import dev.belay.model.Usage;
import dev.belay.runtime.Belay;
import dev.belay.runtime.session.TurnResult;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Contract P.2: half of a character, which a model may say and JSON cannot, ends no turn otherwise than a whole one. */
class HalfCharactersTest {

    private static final String HALF = "half \ud83d";

    private final SessionBench bench = new SessionBench();

    @AfterEach
    void close() {
        bench.close();
    }

    private static ModelResponse answer(ModelRequest request) {
        return switch (((Message.UserMessage) request.messages().getFirst()).text()) {
            case "refuse" -> new ModelResponse(Message.assistant(new RefusalPart(HALF)), FinishReason.REFUSAL,
                    Usage.NONE, "m", "");
            case "fail" -> throw new ModelException(ModelException.Kind.INVALID_REQUEST, HALF)
                    .withPartial(text(HALF));
            default -> text(HALF);
        };
    }

    @ParameterizedTest
    @ValueSource(strings = {"answer", "refuse", "fail"})
    void aTurnEndsWithASubstituteAndIsReadAgainAsItWasTold(String how) throws Exception {
        Belay belay = bench.open(model(HalfCharactersTest::answer), builder -> builder);
        TurnResult told = belay.session("s").turn(how).id("in").run();
        assertThat(told.text()).contains("half \ufffd");
        assertThat(belay.session("s").input("in").orElseThrow().result()).contains(told);
        assertThat(belay.stuck()).isEmpty();
    }
}
