package dev.belay.tests.plugin;

import static dev.belay.tests.plugin.PluginBench.plugin;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.belay.model.Message;
import dev.belay.model.Model;
import dev.belay.model.ModelEvent;
import dev.belay.model.ModelListener;
import dev.belay.model.ModelRequest;
import dev.belay.model.ModelResponse;
import dev.belay.model.script.ScriptedModel;
import dev.belay.runtime.Belay;
import dev.belay.runtime.plugin.PluginFactory;
import dev.belay.runtime.session.OpenTurn;
import dev.belay.runtime.session.TurnEnd;
import dev.belay.runtime.session.TurnEvent;
import dev.belay.runtime.session.TurnResult;
import dev.belay.tests.plugin.PayDesk.Loop;
import dev.belay.tests.session.SessionBench;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Contract O.3: hooks on what the model says and on what it is offered. */
class OutputHooksTest {

    private final List<String> streamed = new ArrayList<>();

    /** Says a secret in two pieces. */
    private static final Model TALKING = new Model() {
        @Override
        public String id() {
            return "talking";
        }

        @Override
        public ModelResponse complete(ModelRequest request, ModelListener listener) {
            listener.on(new ModelEvent.TextDelta("the key is "));
            listener.on(new ModelEvent.TextDelta("4711"));
            return SessionBench.text("the key is 4711");
        }
    };

    private TurnResult.Ended stream(PluginFactory... plugins) throws Exception {
        try (Belay belay = new PluginBench().open(TALKING, plugins)) {
            TurnResult.Ended result = belay.session("s").turn("Tell.").stream(event -> {
                if (event instanceof TurnEvent.Text text) {
                    streamed.add(text.chunk());
                }
            }).ended();
            assertThat(belay.session("s").messages()).hasSize(result.text().isEmpty() ? 1 : 2);
            return result;
        }
    }

    @Test
    void aStreamIsMadeOfOtherPiecesAndTheAnswerStays() throws Exception {
        TurnResult.Ended result = stream(
                plugin("hide",
                        on -> on.output().stream((view, chunk) -> List.of(chunk.replace("4711", "****")))),
                plugin("split", on -> on.output()
                        .stream((view,
                                chunk) -> chunk.startsWith("*") ? List.of("**", "**") : List.of(chunk))));
        assertThat(streamed).containsExactly("the key is ", "**", "**");
        assertThat(result.text()).isEqualTo("the key is 4711");
    }

    @Test
    void aStreamHookThatFailsKeepsTheRestFromListenersAndTheAnswerStays() throws Exception {
        TurnResult.Ended result = stream(plugin("broken", on -> on.output().stream((view, chunk) -> {
            throw new IllegalStateException("no");
        })));
        assertThat(streamed).isEmpty();
        assertThat(result.text()).isEqualTo("the key is 4711");
    }

    @Test
    void theAnswerThatAHookMakesIsTheOneThatIsRecorded() throws Exception {
        TurnResult.Ended result = stream(plugin("hide", on -> on.output()
                .response((view, said) -> new ModelResponse(
                        Message.assistant(said.text().replace("4711", "****")), said.finish(), said.usage(),
                        said.model(), said.responseId()))));
        assertThat(result.text()).isEqualTo("the key is ****");
    }

    @Test
    void anAnswerWhoseHookFailsIsNotUsedAndIsPaidFor() throws Exception {
        TurnResult.Ended result = stream(plugin("broken", on -> on.output().response((view, said) -> {
            throw new IllegalStateException("no scanner");
        })));
        var end = (TurnResult.Stopped) result;
        assertThat(end.cause()).isEqualTo(TurnEnd.Cause.PLUGIN_ABORT);
        assertThat(end.message()).isEqualTo("plugin broken: no scanner");
        assertThat(end.evidence().text()).contains("response_hook_failed");
        assertThat(result.usage().total()).hasValue(15);
    }

    @Test
    void hooksOfAnswersWorkInALoopOfAProgramsOwn() throws Exception {
        var hide = plugin("hide", on -> {
            on.output().stream((view, chunk) -> List.of(chunk.replace("4711", "****")));
            on.output()
                    .response((view, said) -> new ModelResponse(
                            Message.assistant(said.text().replace("4711", "****")), said.finish(),
                            said.usage(), said.model(), said.responseId()));
        });
        List<String> heard = new ArrayList<>();
        try (Belay belay = new PluginBench().open(new ScriptedModel().reply("the key is 4711"), hide);
                OpenTurn turn = belay.session("s").begin("Tell.")) {
            turn.step().listener(event -> heard.add(event.toString())).answer();
            assertThat(turn.finish().text()).isEqualTo("the key is ****");
            assertThat(belay.session("s").messages().getLast())
                    .isEqualTo(Message.assistant("the key is ****"));
        }
        assertThat(heard).isNotEmpty().noneMatch(event -> event.contains("4711"));
        try (Belay belay = new PluginBench().open(new ScriptedModel().reply("the key is 4711"),
                plugin("broken", on -> on.output().response((view, said) -> {
                    throw new IllegalStateException("no scanner");
                })))) {
            try (OpenTurn turn = belay.session("s").begin("Tell.", "in")) {
                assertThatThrownBy(() -> turn.step().answer()).hasMessageContaining("no scanner");
            }
            var end = (TurnResult.Stopped) belay.session("s").input("in").orElseThrow().awaitCommit();
            assertThat(end.cause()).isEqualTo(TurnEnd.Cause.PLUGIN_ABORT);
            assertThat(belay.session("s").messages()).containsExactly(Message.user("Tell."));
        }
    }

    @Test
    void aHookCannotTakeCallsAway() throws Exception {
        var desk = new PayDesk();
        try (Belay belay = desk.with(Loop.RUNTIME, PluginBench.builder().model(PayDesk.model()),
                plugin("cut", on -> on.output().response((view, said) -> SessionBench.text("none"))))
                .build()) {
            var end = (TurnResult.Stopped) desk.turn(Loop.RUNTIME, belay);
            assertThat(end.message()).contains("must keep the calls");
        }
        assertThat(desk.paid).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(Loop.class)
    void aCallOfAToolThatAPluginLeavesOutIsUnavailable(Loop loop) throws Exception {
        var desk = new PayDesk();
        assertThat(desk.reply(loop, plugin("hide", on -> on.catalog()
                .offer((view, tool) -> !tool.name().equals("pay")))))
                .startsWith("Error (tool_unavailable): ");
        assertThat(desk.paid).isEmpty();
    }

    @Test
    void aPluginThatCannotSayWhatIsOfferedEndsTheTurnAndTheNextOneRuns() throws Exception {
        try (Belay belay = new PluginBench().open(PayDesk.model(), new PlanPlugin(), plugin("broken",
                on -> on.catalog().offer((view, tool) -> {
                    if (view.turn() == 1) {
                        throw new IllegalStateException("no");
                    }
                    return true;
                })))) {
            var end = (TurnResult.Stopped) belay.session("s").turn("Go.").run().ended();
            assertThat(end.cause()).isEqualTo(TurnEnd.Cause.PLUGIN_ABORT);
            assertThat(end.evidence().text()).contains("offer_hook_failed").contains("\"broken\"");
            assertThat(belay.session("s").turn("Go.").run().ended().text()).startsWith("done: ");
        }
    }
}
