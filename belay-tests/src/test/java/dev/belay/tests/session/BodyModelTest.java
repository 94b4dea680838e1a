package dev.belay.tests.session;

import static dev.belay.tests.session.SessionBench.call;
import static dev.belay.tests.session.SessionBench.calls;
import static dev.belay.tests.session.SessionBench.text;
import static dev.belay.tests.session.SessionBench.tool;
import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.model.Generation;
import dev.belay.model.Generation.Effort;
import dev.belay.model.Message;
import dev.belay.model.Model;
import dev.belay.model.ModelEvent;
import dev.belay.model.ModelListener;
import dev.belay.model.ModelRequest;
import dev.belay.model.ModelResponse;
import dev.belay.runtime.Belay;
import dev.belay.runtime.process.ProcessEnd;
import dev.belay.runtime.process.ProcessStart;
import dev.belay.runtime.session.SessionToolContext;
import dev.belay.runtime.session.TurnModel;
import dev.belay.runtime.session.TurnSettings;
import dev.belay.tool.StaticToolProvider;
import dev.belay.tool.ToolEffect;
import dev.belay.tool.context.DirectModel.DirectRequest;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Contract T.1, T.2: which model a body sees, and which one it asks in which way. */
class BodyModelTest {

    private static final Generation NONE = Generation.PROVIDER_DECIDES;

    private final SessionBench bench = new SessionBench();

    @AfterEach
    void close() {
        bench.close();
    }

    private interface Body {
        Object run(SessionToolContext context) throws Exception;
    }

    /** Calls the tool once if it has one; otherwise says who it is and how it was asked. */
    private record Telling(String id) implements Model {

        @Override
        public ModelResponse complete(ModelRequest request, ModelListener listener) {
            if (request.tools().isEmpty() || !request.messages().getFirst().equals(Message.user("Act."))) {
                return text(id + SettingsTest.how(request.generation()));
            }
            return SessionBench.roundsSinceUser(request) == 0
                    ? calls(List.of(call("a", "act")))
                    : text(SessionBench.lastReplies(request));
        }
    }

    /** Tells its answer in two pieces. */
    private static final class Streaming implements Model {

        @Override
        public String id() {
            return "streaming";
        }

        @Override
        public ModelResponse complete(ModelRequest request, ModelListener listener) {
            listener.on(new ModelEvent.TextDelta("It is"));
            listener.on(new ModelEvent.TextDelta("!"));
            return text("It is!");
        }
    }

    private Belay belay(boolean resumable, Body body) {
        var tools = StaticToolProvider.builder()
                .raw(tool("act", ToolEffect.IDEMPOTENT).resumable(resumable),
                        (arguments, context) -> body.run((SessionToolContext) context))
                .build();
        return bench.open(new Telling("small-1"), builder -> builder.tools(tools)
                .model("big", new Telling("big-1"))
                .model("telling", new Streaming())
                .generation(NONE.withTemperature(0.5))
                .maxContextTokens(50_000)
                .variant("deep", NONE.withEffort(Effort.HIGH))
                .variant("sown", NONE.withSeed(9)));
    }

    private static DirectRequest direct(@Nullable String model, @Nullable String variant,
            Generation generation) {
        DirectRequest plain = DirectRequest.of(Message.user("Is it so?"));
        DirectRequest named = model == null ? plain : plain.withModel(model);
        return (variant == null ? named : named.withVariant(variant)).withGeneration(generation);
    }

    private static String asked(SessionToolContext context, DirectRequest request) {
        return context.model().complete(request, "act").text();
    }

    @Test
    void aBodySeesTheModelOfItsTurn() throws Exception {
        var seen = new AtomicReference<TurnModel>();
        Belay belay = belay(false, context -> {
            seen.set(context.sessions().model());
            return "";
        });
        belay.session("s").turn("Act.").run();
        assertThat(seen.get()).isEqualTo(
                new TurnModel("small-1", "default", "default", OptionalLong.of(50_000)));
        belay.session("s").config().set(TurnSettings.NONE.withModel("big").withMaxContextTokens(60_000));
        belay.session("s").turn("Act.").variant("deep").run();
        assertThat(seen.get()).isEqualTo(new TurnModel("big-1", "big", "deep", OptionalLong.of(60_000)));
    }

    @Test
    void aQuestionOfABodyIsAskedAsTheTurnIsUnlessItSaysOtherwise() throws Exception {
        Belay belay = belay(false, context -> asked(context, direct(null, null, NONE)) + ", "
                + asked(context, direct("default", "sown", NONE)) + ", "
                + asked(context, direct(null, "default", NONE.withTemperature(1))));
        belay.session("s").config().set(TurnSettings.NONE.withModel("big"));
        assertThat(belay.session("s").turn("Act.").variant("deep").run().ended().text())
                .isEqualTo("big-1 t0.5 HIGH, small-1 t0.5 s9, big-1 t1.0");
    }

    @Test
    void aListenerOfABodyHearsTheAnswer() throws Exception {
        for (boolean resumable : new boolean[]{false, true}) {
            List<ModelEvent> heard = new CopyOnWriteArrayList<>();
            Belay belay = belay(resumable, context -> asked(context,
                    direct("telling", null, NONE).withListener(heard::add)));
            belay.session("s" + resumable).turn("Act.").run();
            assertThat(heard).containsExactly(new ModelEvent.TextDelta("It is"),
                    new ModelEvent.TextDelta("!"));
        }
    }

    @Test
    void aResumableBodysQuestionIsAskedInItsVariantToo() throws Exception {
        Belay belay = belay(true, context -> asked(context, direct(null, "sown", NONE)));
        assertThat(belay.session("s").turn("Act.").run().ended().text()).isEqualTo("small-1 t0.5 s9");
    }

    @Test
    void aNameThatIsNotThereIsToldToTheModelWithThoseThereAre() throws Exception {
        for (boolean resumable : new boolean[]{false, true}) {
            Belay variant = belay(resumable, context -> asked(context, direct(null, "dep", NONE)));
            assertThat(variant.session("v" + resumable).turn("Act.").run().ended().text()).isEqualTo(
                    "Error (unknown_variant): there is no variant of the name \"dep\" here; there are"
                            + " [deep, default, sown]");
            Belay model = belay(resumable, context -> asked(context, direct("bgi", null, NONE)));
            assertThat(model.session("m" + resumable).turn("Act.").run().ended().text()).isEqualTo(
                    "Error (unknown_model): there is no model of the name \"bgi\" here; there are"
                            + " [big, default, telling]");
        }
    }

    @Test
    void aChildsTurnHasTheSettingsItIsGiven() throws Exception {
        Belay belay = belay(false, context -> {
            var child = context.sessions().create("helper");
            return child.turn("one", "Think.").await().text() + ", "
                    + child.turn("two", "Think.", TurnSettings.NONE.withModel("big").withVariant("deep"))
                            .await()
                            .text();
        });
        belay.session("s").config().set(TurnSettings.NONE.withVariant("sown"));
        assertThat(belay.session("s").turn("Act.").run().ended().text())
                .as("what is set for the session above does not count below")
                .isEqualTo("small-1 t0.5, big-1 t0.5 HIGH");
        Belay wrong = belay(false, context -> context.sessions()
                .create("helper")
                .turn("one", "Think.", TurnSettings.NONE.withModel("bgi"))
                .await()
                .text());
        assertThat(wrong.session("t").turn("Act.").run().ended().text()).startsWith("Error (unknown_model)");
    }

    @Test
    void aTurnThatAProcessRunsHasTheSettingsOfItsSession() throws Exception {
        Belay belay = belay(false, context -> "");
        belay.session("s").config().set(TurnSettings.NONE.withModel("big").withVariant("deep"));
        var handle = belay.processes().start(ProcessStart.turn("s", "Think."));
        assertThat(handle.awaitEnd()).isInstanceOfSatisfying(ProcessEnd.Completed.class,
                end -> assertThat(end.value().asString()).isEqualTo("big-1 t0.5 HIGH"));
    }
}
