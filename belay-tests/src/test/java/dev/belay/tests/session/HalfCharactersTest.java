package dev.belay.tests.session;

import static dev.belay.tests.session.SessionBench.call;
import static dev.belay.tests.session.SessionBench.calls;
import static dev.belay.tests.session.SessionBench.model;
import static dev.belay.tests.session.SessionBench.text;
import static dev.belay.tests.session.SessionBench.tool;
import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.model.FinishReason;
import dev.belay.model.Message;
import dev.belay.model.Model;
import dev.belay.model.ModelException;
import dev.belay.model.ModelRequest;
import dev.belay.model.ModelResponse;
import dev.belay.model.Part.CallPart;
import dev.belay.model.Part.RefusalPart;
import dev.belay.model.Usage;
import dev.belay.runtime.Belay;
import dev.belay.runtime.session.TurnCall;
import dev.belay.runtime.session.TurnResult;
import dev.belay.tool.StaticToolProvider;
import dev.belay.tool.ToolEffect;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
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
        TurnResult.Ended told = belay.session("s").turn(how).id("in").run().ended();
        assertThat(told.summary()).contains("half \ufffd");
        assertThat(belay.session("s").input("in").orElseThrow().result()).contains(told);
        assertThat(belay.stuck()).isEmpty();
    }

    /** Stored ids must not become equal: such a history stops every later turn. */
    @Test
    void callIdsThatDifferOnlyInHalvesDoNotSpoilASession() throws Exception {
        var tools = StaticToolProvider.builder()
                .raw(tool("look", ToolEffect.ONCE), (arguments, context) -> "seen")
                .build();
        List<CallPart> odd = List.of(call("\ud800", "look"), call("?", "look"), call("\ud801", "look"),
                call("\ufffd", "lo\udc00ok"), new CallPart("x", "look", "{\"a\":\"\ud800\"}"),
                new CallPart("y", "look", "{\"a\":\"\\ud800\"}"));
        Model model = model(
                request -> SessionBench.roundsSinceUser(request) == 0 ? calls(odd) : text("done"));
        Belay first = bench.open(model, builder -> builder.tools(tools));
        assertThat(first.session("s").turn("one").run().ended().text()).isEqualTo("done");
        List<Message> told = first.session("s").messages();
        first.close();
        Belay second = bench.open(model, builder -> builder.tools(tools));
        assertThat(second.session("s").messages()).isEqualTo(told);
        assertThat(second.session("s").turn("two").run().ended().text()).isEqualTo("done");
        assertThat(second.session("s").calls(2)).extracting(TurnCall::id).doesNotHaveDuplicates().hasSize(6);
        assertThat(second.stuck()).isEmpty();
    }
}
