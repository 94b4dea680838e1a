package dev.belay.tests.plugin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.belay.model.Message;
import dev.belay.model.Part.CallPart;
import dev.belay.plugins.ActivityPlugin;
import dev.belay.plugins.PlanPlugin;
import dev.belay.plugins.PromptContextPlugin;
import dev.belay.plugins.SubAgentsPlugin;
import dev.belay.runtime.Belay;
import dev.belay.runtime.plugin.TurnHook;
import dev.belay.runtime.session.TurnResult;
import dev.belay.tests.session.SessionBench;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Contract O.6: the plugins of {@code belay-plugins}. */
class ShippedPluginsTest {

    private static final CallPart PLAN = new CallPart("a", "update_plan",
            "{\"steps\":[{\"text\":\"look\",\"status\":\"DONE\"},{\"text\":\"pay\",\"status\":\"OPEN\"}]}");

    private final PluginBench bench = new PluginBench();

    @Test
    void thePlanStandsBehindTheNextQuestionAndIsTold() throws Exception {
        try (Belay belay = bench.open(bench.calling(List.of(PLAN)), new PlanPlugin())) {
            belay.session("s").turn("Plan it.").run();
        }
        assertThat(bench.requests.get(0).messages().getLast()).isEqualTo(Message.user("Plan it."));
        assertThat(bench.requests.get(1).messages().getLast())
                .isEqualTo(Message.user("The plan so far:\n- [done] look\n- [open] pay"));
        assertThat(bench.toldBy(1))
                .containsExactly("plan plan.changed {\"steps\":[{\"text\":\"look\",\"status\":"
                        + "\"DONE\"},{\"text\":\"pay\",\"status\":\"OPEN\"}]}");
    }

    @Test
    void aPlanThatDoesNotFitIsToldToTheModelAndChangesNothing() throws Exception {
        var wrong = new CallPart("a", "update_plan",
                "{\"steps\":[{\"text\":\"look\",\"status\":\"LATER\"}]}");
        try (Belay belay = bench.open(bench.calling(List.of(wrong)), new PlanPlugin())) {
            belay.session("s").turn("Plan it.").run();
        }
        assertThat(bench.toldBy(1)).isEmpty();
        assertThat(bench.requests.get(1).messages().getLast()).isInstanceOf(Message.ToolMessage.class);
    }

    @Test
    void projectInstructionsAreReadOnceAndMissingFilesLeftOut(@TempDir Path directory) throws Exception {
        Files.writeString(directory.resolve("AGENTS.md"), "Use tabs.\n");
        var plugin = PromptContextPlugin.files(directory, "AGENTS.md", "MISSING.md");
        Files.writeString(directory.resolve("AGENTS.md"), "Use spaces.\n");
        try (Belay belay = bench.open(bench.calling(), plugin)) {
            belay.session("s").turn("Hello.").run();
        }
        assertThat(PluginBench.system(bench.requests.getFirst()))
                .isEqualTo("Contents of AGENTS.md:\n\nUse tabs.");
    }

    @Test
    void theEndOfEachTurnIsTold() throws Exception {
        try (Belay belay = bench.open(bench.calling(List.of(PLAN)), new PlanPlugin(), new ActivityPlugin(),
                PluginBench.plugin("guard", on -> on.turn()
                        .before(turn -> turn.turn() == 2 ? TurnHook.abort("enough") : TurnHook.goOn())))) {
            belay.session("s").turn("Plan it.").run();
            belay.session("s").turn("Again.").run();
        }
        assertThat(bench.toldBy(2)).contains(
                "activity activity {\"turn\":1,\"status\":\"finished\",\"rounds\":2,\"tokens\":25}",
                "activity activity {\"turn\":2,\"status\":\"plugin_abort\",\"rounds\":0,\"tokens\":0}");
    }

    @Test
    void aChildHasNoPlan() throws Exception {
        try (Belay belay = Belay.builder()
                .model(SessionBench.model(request -> {
                    bench.requests.add(request);
                    return bench.requests.size() == 1
                            ? SessionBench.calls(List.of(new CallPart("a", "ask_agent",
                                    "{\"agent\":\"default\",\"task\":\"Go deeper.\"}")))
                            : SessionBench.text("done");
                }))
                .plugin(new PlanPlugin())
                .plugin(new SubAgentsPlugin(Map.of("default", "the same again")))
                .build()) {
            belay.session("s").turn("Down.").run();
        }
        assertThat(bench.requests.get(0).tools()).extracting(tool -> tool.name()).contains("update_plan");
        assertThat(bench.requests.get(1).tools()).extracting(tool -> tool.name())
                .contains("ask_agent")
                .doesNotContain("update_plan");
    }

    private Belay nested(String agents) {
        return Belay.builder()
                .model(SessionBench.model(request -> {
                    bench.requests.add(request);
                    boolean offered = request.tools()
                            .stream()
                            .anyMatch(tool -> tool.name().equals("ask_agent"));
                    boolean asked = request.messages().getLast() instanceof Message.ToolMessage;
                    return offered && !asked
                            ? SessionBench.calls(List.of(new CallPart("a", "ask_agent",
                                    "{\"agent\":\"" + agents + "\",\"task\":\"Go deeper.\"}")))
                            : SessionBench.text("answer " + SessionBench.lastReplies(request));
                }))
                .agent("lawyer", agent -> agent.model(SessionBench.model(request -> SessionBench
                        .text("It is legal, of " + request.messages().getLast()))))
                .plugin(new SubAgentsPlugin(Map.of("lawyer", "knows the law", "default", "the same again")))
                .build();
    }

    @Test
    void theModelAsksAnotherAgentAndGetsItsAnswer() throws Exception {
        try (Belay belay = nested("lawyer")) {
            TurnResult.Ended result = belay.session("s").turn("Is it legal?").run().ended();
            assertThat(result.text()).contains("It is legal, of").contains("Go deeper.");
        }
        assertThat(PluginBench.system(bench.requests.getFirst())).contains("- lawyer: knows the law");
    }

    @Test
    void anUnknownAgentIsNamedToTheModelWithThoseThereAre() throws Exception {
        try (Belay belay = nested("doctor")) {
            assertThat(belay.session("s").turn("Is it legal?").run().ended().text())
                    .contains("there is no agent \"doctor\"")
                    .contains("[default, lawyer]");
        }
    }

    @Test
    void theDeepestSessionHasNoToolToGoDeeper() throws Exception {
        try (Belay belay = nested("default")) {
            TurnResult.Ended result = belay.session("s").turn("Down.").run().ended();
            assertThat(result.text()).isEqualTo("answer answer answer answer answer answer nothing");
        }
    }

    @Test
    void askingNobodyIsRefused() {
        assertThatThrownBy(() -> new SubAgentsPlugin(Map.of())).hasMessageContaining("at least one agent");
    }
}
