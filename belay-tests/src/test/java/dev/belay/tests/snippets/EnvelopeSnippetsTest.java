package dev.belay.tests.snippets;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.model.Message;
import dev.belay.model.ModelRequest;
import dev.belay.model.envelope.TextEnvelopeModel;
import dev.belay.model.script.ScriptedModel;
import dev.belay.toolset.Transcript;
import org.junit.jupiter.api.Test;

/** What {@code docs/text-envelope.md} says of its code; R.2 through a whole loop. */
class EnvelopeSnippetsTest {

    private final ScriptedModel local = new ScriptedModel();

    @Test
    void anOrdinaryLoopRunsOnAModelThatOnlyWrites() {
        local.reply("I will look it up!")
                .reply("{\"kind\":\"tool_call\",\"tool_name\":\"balanse\",\"arguments\":{}}")
                .reply("{\"kind\":\"tool_call\",\"tool_name\":\"balance\",\"arguments\":{\"account\":7}}")
                .reply("```json\n{\"kind\":\"tool_call\",\"tool_name\":\"balance\",\"arguments\":{\"account\":\"A\"}}\n```")
                .reply("{\"kind\":\"final\",\"content\":\"There are\\n```\\n12.50\\n```\\nin it.\"}");
        Transcript transcript = new Transcript().user("How much is in account A?");
        assertThat(EnvelopeSnippets.loop(transcript, EnvelopeSnippets.over(local)))
                .isEqualTo("There are\n```\n12.50\n```\nin it.");
        local.assertExhausted();
        String last = local.lastRequest().orElseThrow().messages().toString();
        assertThat(last)
                .contains("Error (unknown_tool)", "Error (invalid_arguments)", "\"content\":\"12.50\"")
                .doesNotContain("I will look it up!");
    }

    @Test
    void theProbeDecides() {
        local.call("belay_probe", "{\"word\":\"ready\"}").reply("no").reply("no").call("belay_probe", "{}");
        assertThat(EnvelopeSnippets.probe(local)).isSameAs(local);
        assertThat(EnvelopeSnippets.probe(local)).isInstanceOf(TextEnvelopeModel.class);
        assertThat(EnvelopeSnippets.choose(local)).isInstanceOf(TextEnvelopeModel.class);
        assertThat(EnvelopeSnippets.choose(local)).isSameAs(local);
    }

    @Test
    void settingsKeepTheModel() {
        local.reply("plain");
        assertThat(EnvelopeSnippets.settings(local).complete(ModelRequest.of(Message.user("hi"))).text())
                .isEqualTo("plain");
    }
}
