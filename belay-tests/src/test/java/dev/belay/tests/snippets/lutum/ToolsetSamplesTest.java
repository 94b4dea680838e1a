package dev.belay.tests.snippets.lutum;

import static dev.belay.toolset.Decision.complete;
import static dev.belay.toolset.Decision.proceed;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.belay.model.Message;
import dev.belay.model.Part.ReplyPart;
import dev.belay.model.ToolSpec;
import dev.belay.model.script.ScriptStep;
import dev.belay.model.script.ScriptedModel;
import dev.belay.tests.snippets.lutum.ToolsetSamples.AppTools;
import dev.belay.toolset.CommitException;
import dev.belay.toolset.Round;
import dev.belay.toolset.RoundPlan;
import dev.belay.toolset.Step;
import dev.belay.toolset.ToolCall;
import dev.belay.toolset.ToolHooks;
import dev.belay.toolset.ToolReply;
import dev.belay.toolset.ToolSelector;
import dev.belay.toolset.Transcript;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What the page says of its samples about a set and its loop. */
class ToolsetSamplesTest {

    private static final ScriptStep THREE = ScriptStep.call("web_search", "{\"query\":\"rope\"}")
            .andCall("read_file", "{\"path\":\"a\"}")
            .andCall("write_file", "{\"path\":\"a\",\"text\":\"x\"}");

    @Test
    void selectorsNameTheToolsInOrder() {
        assertThat(ToolsetSamples.TOOLS.selectors()).extracting(ToolSelector::name)
                .containsExactly("web_search", "read_file", "write_file");
        assertThat(ToolsetSamples.TOOLS.find("rope")).isEmpty();
        assertThat(ToolsetSamples.TOOLS.byName("read_file"))
                .isEqualTo(ToolsetSamples.TOOLS.select(AppTools.ReadFile.class));
        assertThatThrownBy(() -> ToolsetSamples.TOOLS.byName("read_fiel")).hasMessageContaining("read_file");
    }

    @Test
    void loopEndsWithTheAnswer() {
        var transcript = new Transcript().user("Search and copy.");
        assertThat(ToolsetSamples.loop(transcript, new ScriptedModel().then(THREE).reply("Done.")))
                .isEqualTo("Done.");
        assertThat(transcript.messages()).hasSize(4);
        assertThat(transcript.messages().get(2)).isEqualTo(new Message.ToolMessage(List.of(
                new ReplyPart("scripted_1", "web_search", ReplyPart.Status.OK, "[\"Result for: rope\"]"),
                new ReplyPart("scripted_2", "read_file", ReplyPart.Status.OK, "text of a"),
                new ReplyPart("scripted_3", "write_file", ReplyPart.Status.OK, "true"))));
    }

    @Test
    void commitFindsMissingAndDuplicateRepliesAndKeepsTheOrderOfTheMessage() {
        var transcript = new Transcript().user("Search and copy.");
        Round<AppTools> round = round(transcript, THREE);
        List<ToolReply> replies = round.calls().stream().map(ToolsetSamples::execute).toList();
        assertThatThrownBy(() -> round.commit(List.of(replies.get(2), replies.get(2))))
                .isInstanceOfSatisfying(CommitException.class, error -> assertThat(error.problems())
                        .extracting(CommitException.Problem::code)
                        .containsExactly("duplicate_reply", "missing_reply", "missing_reply"));
        round.commit(replies.reversed());
        assertThat(transcript.messages().getLast())
                .isInstanceOfSatisfying(Message.ToolMessage.class, message -> assertThat(message.replies())
                        .extracting(ReplyPart::toolName)
                        .containsExactly("web_search", "read_file", "write_file"));
    }

    @Test
    void expectOneCountsAndDiscardDropsTheMessage() {
        var transcript = new Transcript().user("Search and copy.");
        Round<AppTools> round = round(transcript, THREE);
        assertThatThrownBy(round::expectOne).hasMessageContaining("found 3");
        assertThatThrownBy(round::expectAtMostOne).hasMessageContaining("found 3");
        round.discard();
        assertThat(transcript.messages()).containsExactly(Message.user("Search and copy."));
        assertThatThrownBy(() -> round.commit(List.of())).hasMessageContaining("round_closed");
    }

    @Test
    void planLeavesToYouWhatHooksDidNotAnswer() {
        var transcript = new Transcript().user("Search and copy.");
        Round<AppTools> round = round(transcript, THREE.andCall("raed_file", "{}"));
        ToolHooks<AppTools> cache = ToolHooks.of(ToolsetSamples.TOOLS)
                .on(AppTools.ReadFile.class, (call, in) -> complete(in, "cached"));
        RoundPlan<AppTools> plan = round.apply(cache);
        assertThat(plan.pending()).extracting(ToolCall::name).containsExactly("web_search", "write_file");
        assertThat(plan.handled()).hasSize(1);
        assertThat(plan.rejected()).isEmpty();
        assertThat(plan.issues()).singleElement()
                .extracting(issue -> issue.failure().code())
                .isEqualTo("unknown_tool");
        assertThat(plan.continueSuggestion()).isPresent();
        assertThat(plan.apply(ToolHooks.of(ToolsetSamples.TOOLS)
                .onEvery((call, in) -> proceed(in))).pending()).hasSize(2);
        ToolsetSamples.applyHooks(round, cache);
        assertThat(transcript.messages().getLast())
                .isInstanceOfSatisfying(Message.ToolMessage.class, message -> assertThat(message.replies())
                        .extracting(ReplyPart::text)
                        .containsExactly("[\"Result for: rope\"]", "cached", "true",
                                "Error (unknown_tool): there is no tool \"raed_file\"; did you mean read_file?"));
    }

    @Test
    void ownReplyReplacesTheAutomaticOne() {
        var transcript = new Transcript().user("Search and copy.");
        Round<AppTools> round = round(transcript, ScriptStep.call("raed_file", "{}"));
        round.commit(List.of(round.issues().getFirst().complete("I read it for you.")));
        assertThat(transcript.messages().getLast()).isEqualTo(new Message.ToolMessage(List.of(
                new ReplyPart("scripted_1", "raed_file", ReplyPart.Status.OK, "I read it for you."))));
    }

    @Test
    void hookOfEveryToolBlocksAQuery() {
        RoundPlan<AppTools> plan = round(new Transcript().user("Search."),
                ScriptStep.call("web_search", "{\"query\":\"secret\"}")
                        .andCall("web_search", "{\"query\":\"rope\"}"))
                .apply(ToolsetSamples.BLOCK);
        assertThat(plan.rejected()).singleElement()
                .satisfies(rejected -> assertThat(rejected.reply().outcome().text())
                        .isEqualTo("Rejected: blocked query"));
        assertThat(plan.pending()).hasSize(1);
    }

    @Test
    void lastDescriptionWins() {
        ToolHooks<AppTools> hooks = ToolHooks.of(ToolsetSamples.TOOLS)
                .describe(AppTools.WebSearch.class, tool -> Optional.of("from a hook"))
                .describe(AppTools.ReadFile.class, tool -> Optional.of("Reads a file of the user."))
                .describe(AppTools.WriteFile.class, tool -> Optional.empty());
        var model = new ScriptedModel().reply("Hello.");
        ToolsetSamples.describe(new Transcript().user("Hello?"), model, hooks);
        assertThat(model.requests().getFirst().tools()).extracting(ToolSpec::description)
                .containsExactly("Search only public sources.", "Reads a file of the user.",
                        "Writes a file.");
    }

    private static Round<AppTools> round(Transcript transcript, ScriptStep script) {
        return switch (transcript.step(new ScriptedModel().then(script)).tools(ToolsetSamples.TOOLS).run()) {
            case Step.NeedsTools(var round) -> round;
            case Step.Finished(var text) -> throw new AssertionError(text);
            case Step.Refused(var why) -> throw new AssertionError(why);
        };
    }
}
