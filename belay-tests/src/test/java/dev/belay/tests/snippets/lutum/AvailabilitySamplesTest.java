package dev.belay.tests.snippets.lutum;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.belay.BelayException;
import dev.belay.model.ToolChoice;
import dev.belay.model.ToolSpec;
import dev.belay.model.script.ScriptedModel;
import dev.belay.tests.snippets.lutum.AvailabilitySamples.AppTools;
import dev.belay.toolset.ToolStepRequest;
import dev.belay.toolset.Transcript;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** What the page says of availability and requirements. */
class AvailabilitySamplesTest {

    private final ScriptedModel model = new ScriptedModel().reply("Hello.");

    @Test
    void toolsThatAreOffAreOfferedOnRequest() {
        AvailabilitySamples.plus(new Transcript().user("Delete a."), model);
        assertThat(offered()).containsExactly("web_search", "read_file", "delete_file");
    }

    @Test
    void defaultLeavesOutWhatIsOff() {
        ask(request -> {});
        assertThat(offered()).containsExactly("web_search", "read_file");
        assertThat(model.requests().getLast().toolChoice()).isEqualTo(ToolChoice.auto());
    }

    @Test
    void allOffersEverything() {
        ask(ToolStepRequest::all);
        assertThat(offered()).containsExactly("web_search", "read_file", "delete_file");
    }

    @Test
    void onlyKeepsTheOrderOfTheCaller() {
        ask(request -> request.only(AppTools.DeleteFile.class)
                .only(AppTools.WebSearch.class)
                .only(AppTools.DeleteFile.class));
        assertThat(offered()).containsExactly("delete_file", "web_search");
    }

    @Test
    void requirementsAreAsked() {
        ask(ToolStepRequest::requireAny);
        assertThat(model.requests().getLast().toolChoice()).isEqualTo(ToolChoice.any());
        model.reply("Hello.");
        ask(request -> request.require(AppTools.ReadFile.class));
        assertThat(model.requests().getLast().toolChoice()).isEqualTo(ToolChoice.specific("read_file"));
    }

    @Test
    void impossibleRequirementIsRefusedBeforeTheModelIsAsked() {
        assertThatThrownBy(() -> ask(request -> request.require(AppTools.DeleteFile.class)))
                .isInstanceOfSatisfying(BelayException.class,
                        error -> assertThat(error.code()).isEqualTo("invalid_tool_constraints"));
        assertThat(model.requests()).isEmpty();
    }

    private void ask(Consumer<ToolStepRequest<AppTools, String>> change) {
        var request = new Transcript().user("Hello?").step(model).tools(AvailabilitySamples.TOOLS);
        change.accept(request);
        request.run();
    }

    private List<String> offered() {
        return model.requests().getLast().tools().stream().map(ToolSpec::name).toList();
    }
}
