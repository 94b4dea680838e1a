package dev.belay.tests.plugin;

import static dev.belay.tests.plugin.PluginBench.plugin;
import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.json.Json;
import dev.belay.model.Generation;
import dev.belay.model.Model;
import dev.belay.model.Part.CallPart;
import dev.belay.runtime.Belay;
import dev.belay.runtime.BelayBuilder;
import dev.belay.runtime.plugin.ModelSettings;
import dev.belay.runtime.plugin.PluginFactory;
import dev.belay.runtime.session.SessionToolContext;
import dev.belay.runtime.session.TurnEnd;
import dev.belay.runtime.session.TurnResult;
import dev.belay.runtime.session.TurnSettings;
import dev.belay.runtime.store.journal.JournalProbe.Moment;
import dev.belay.schema.Description;
import dev.belay.tests.plugin.PayDesk.Loop;
import dev.belay.tests.session.SessionBench;
import dev.belay.tests.session.SessionBench.Death;
import dev.belay.tool.Tool;
import dev.belay.tool.ToolEffect;
import dev.belay.tool.ToolMethods;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Contract O.3: plugins say how the model is asked, in their order. */
class ConfigHooksTest {

    private final List<String> asked = new CopyOnWriteArrayList<>();
    private final List<String> seen = new CopyOnWriteArrayList<>();
    private final PluginBench bench = new PluginBench();

    /** A model that notes its name and how it is asked. */
    private Model named(String name, Model answers) {
        return SessionBench.model(request -> {
            asked.add(name + " " + request.generation().temperature() + " " + request.generation().effort());
            return answers.complete(request);
        });
    }

    private BelayBuilder models(BelayBuilder builder, Model answers) {
        return builder.model(named("default", answers))
                .model("big", named("big", answers))
                .variant("deep", Generation.PROVIDER_DECIDES.withEffort(Generation.Effort.HIGH));
    }

    private PluginFactory saying(String id, ModelSettings settings) {
        return plugin(id, on -> on.session().config((view, now) -> {
            seen.add(id + " sees " + now.model() + " " + now.variant() + " "
                    + now.generation().temperature());
            return settings;
        }));
    }

    private static ModelSettings warm(double temperature) {
        return ModelSettings.NONE.withGeneration(Generation.PROVIDER_DECIDES.withTemperature(temperature));
    }

    @ParameterizedTest
    @EnumSource(Loop.class)
    void pluginsSayHowTheModelIsAskedInTheirOrderAndHaveTheLastWord(Loop loop) throws Exception {
        var desk = new PayDesk();
        try (Belay belay = desk.with(loop, models(PluginBench.builder(), PayDesk.model()),
                saying("a", warm(0.1).withModel("big").withVariant("deep")), saying("b", warm(0.3)),
                saying("c", ModelSettings.NONE)).build()) {
            belay.session("s").config().set(TurnSettings.NONE.withModel("default"));
            desk.turn(loop, belay);
        }
        String question = "big " + OptionalDouble.of(0.3) + " Optional[HIGH]";
        assertThat(asked).containsExactly(question, question);
        assertThat(seen).startsWith("a sees default default " + OptionalDouble.empty(),
                "b sees big deep " + OptionalDouble.of(0.1), "c sees big deep " + OptionalDouble.of(0.3));
        assertThat(seen).hasSize(6);
    }

    @Test
    void aRecordedRoundAsksNoConfigHookAgainAndItsBodiesAskTheSameModel() throws Exception {
        List<String> models = new ArrayList<>();
        @SuppressWarnings({"UnusedMethod", "EffectivelyPrivate"}) // called by reflection
        var tool = new Object() {
            @Tool(effect = ToolEffect.READ)
            @Description("Names the model.")
            public String which(SessionToolContext context) {
                models.add(context.sessions().model().name() + " " + context.sessions().model().variant());
                return "named";
            }
        };
        Model answers = bench.calling(List.of(new CallPart("a", "which", "{}")));
        UnaryOperator<BelayBuilder> more = builder -> models(builder, answers)
                .plugin(saying("a", ModelSettings.NONE.withModel("big").withVariant("deep")))
                .tools(ToolMethods.of(tool));
        try (var stores = new SessionBench()) {
            var dying = stores.dying(answers, Death.at(Moment.AFTER, "effect round/1 COMPLETED"), more);
            dying.belay.session("s").turn("Go.").id("in").submit();
            dying.awaitDeath();
            seen.clear();
            Belay next = stores.open(answers, more);
            next.session("s").input("in").orElseThrow().awaitCommit();
        }
        assertThat(seen).as("one question is left to be asked").hasSize(1);
        assertThat(models).containsExactly("big deep");
    }

    private TurnResult.Stopped stopped(PluginFactory broken) throws Exception {
        try (Belay belay = models(PluginBench.builder(), bench.calling()).plugin(broken).build()) {
            var end = (TurnResult.Stopped) belay.session("s").turn("Go.").run().ended();
            assertThat(belay.session("s").turn("Go.").run().ended().text()).isEqualTo("done: nothing");
            return end;
        }
    }

    private static PluginFactory once(String id, ModelSettings said) {
        return plugin(id, on -> on.session().config((view, now) -> {
            if (view.turn() > 1) {
                return now;
            }
            if (said == null) {
                throw new IllegalStateException("no list of models");
            }
            return said;
        }));
    }

    @Test
    void aConfigHookThatThrowsOrNamesWhatIsNotThereEndsTheTurnAndTheNextOneRuns() throws Exception {
        TurnResult.Stopped thrown = stopped(once("broken", null));
        assertThat(thrown.cause()).isEqualTo(TurnEnd.Cause.PLUGIN_ABORT);
        assertThat(thrown.message()).contains("plugin broken").contains("no list of models");
        assertThat(thrown.evidence().get("code")).contains(Json.string("config_hook_failed"));
        assertThat(stopped(once("wrong", ModelSettings.NONE.withModel("huge"))).message())
                .contains("plugin wrong")
                .contains("\"huge\"")
                .contains("[big, default]");
        assertThat(stopped(once("wrong", ModelSettings.NONE.withMaxContextTokens(0))).message())
                .contains("at least 1 token");
        assertThat(asked).as("the model was asked in the second turn only").hasSize(3);
    }
}
