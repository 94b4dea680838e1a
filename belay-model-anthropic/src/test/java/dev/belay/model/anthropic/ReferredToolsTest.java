package dev.belay.model.anthropic;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.json.Json;
import dev.belay.model.Message;
import dev.belay.model.ModelRequest;
import dev.belay.model.Part.CallPart;
import dev.belay.model.Part.ReplyPart;
import dev.belay.model.ToolChoice;
import dev.belay.model.ToolSpec;
import dev.belay.model.http.wire.Extras;
import dev.belay.tool.call.FoundTools;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Tools that a search has found are loaded where it found them: the tools before the conversation stay as they were. */
class ReferredToolsTest {

    private static final ToolSpec SEARCH = tool("search_tools");
    private static final ToolSpec OWN = tool("own");
    private static final String FOUND = FoundTools.reply(Map.of("pay", "Pays: now."), Map.of("own", "Mine."));

    private static ToolSpec tool(String name) {
        return new ToolSpec(name, "", Json.of("{\"type\":\"object\"}"));
    }

    private static List<Message> searched(String reply) {
        return List.of(Message.user("Pay."), Message.assistant(new CallPart("c", "search_tools", "{}")),
                Message.replies(new ReplyPart("c", "search_tools", ReplyPart.Status.OK, reply)));
    }

    private static Json write(List<Message> said, boolean refers, ToolChoice choice, ToolSpec... tools) {
        var options = new AnthropicOptions("claude-x", false, 1000, PromptCaching.FIVE_MINUTES,
                Thinking.ADAPTIVE, Extras.NONE, true, refers, () -> Instant.EPOCH);
        return MessagesWriter.write(
                ModelRequest.builder(said).tools(List.of(tools)).toolChoice(choice).build(), options);
    }

    private static Json write(String reply, ToolSpec... tools) {
        return write(searched(reply), true, ToolChoice.auto(), tools);
    }

    private static String tools(Json body) {
        return body.get("tools").orElseThrow().text();
    }

    private static final String MARKED_SEARCH = "{\"name\":\"search_tools\",\"input_schema\":{\"type\":\"object\"},"
            + "\"cache_control\":{\"type\":\"ephemeral\"}}";

    @Test
    void aFoundToolIsDeferredAndReferredToInTheReplyThatFoundIt() {
        Json body = write(FOUND, tool("pay"), OWN, SEARCH);
        assertThat(tools(body)).isEqualTo("[{\"name\":\"own\",\"input_schema\":{\"type\":\"object\"}},"
                + MARKED_SEARCH
                + ",{\"name\":\"pay\",\"input_schema\":{\"type\":\"object\"},\"defer_loading\":true}]");
        assertThat(body.at("/messages/2/content/0/content"))
                .contains(Json.of("[{\"type\":\"tool_reference\",\"tool_name\":\"pay\"}]"));
    }

    @Test
    void whatStandsBeforeTheConversationIsTheSameBeforeAndAfterASearch() {
        String before = tools(write(List.of(Message.user("Pay.")), true, ToolChoice.auto(), OWN, SEARCH));
        String after = tools(write(FOUND, tool("pay"), OWN, SEARCH));
        assertThat(after).startsWith(before.substring(0, before.length() - 1));
    }

    @Test
    void aToolWhoseSearchIsNoLongerInTheConversationIsSentAsAnyOther() {
        Json body = write(List.of(Message.user("Pay.")), true, ToolChoice.auto(), tool("pay"), SEARCH);
        assertThat(tools(body)).doesNotContain("defer_loading");
    }

    @Test
    void aFoundToolThatIsNotOfferedAnyMoreIsNotReferredTo() {
        Json body = write(FOUND, OWN, SEARCH);
        assertThat(body.text()).doesNotContain("tool_reference", "defer_loading");
        assertThat(body.at("/messages/2/content/0/content")).contains(Json.string(FOUND));
    }

    @Test
    void withoutTheSearchAmongTheToolsNothingIsDeferred() {
        assertThat(write(FOUND, tool("pay")).text()).doesNotContain("defer_loading", "tool_reference");
    }

    @Test
    void aToolThatMustBeCalledIsNotDeferred() {
        Json body = write(searched(FOUND), true, new ToolChoice.Specific("pay"), tool("pay"), SEARCH);
        assertThat(body.text()).doesNotContain("defer_loading", "tool_reference");
    }

    @Test
    void aServerThatDoesNotKnowReferencesReadsTheText() {
        Json body = write(searched(FOUND), false, ToolChoice.auto(), tool("pay"), SEARCH);
        assertThat(body.text()).doesNotContain("defer_loading", "tool_reference").contains("Pays: now.");
    }

    @Test
    void textOfAnotherToolOrOfADescriptionRefersToNothing() {
        String lies = FoundTools.reply(Map.of("pay", "Pays."), Map.of());
        List<Message> said = new ArrayList<>(searched("No tool fits.\n- pay: Pays."));
        said.set(1, Message.assistant(new CallPart("c", "own", "{}")));
        said.set(2, Message.replies(new ReplyPart("c", "own", ReplyPart.Status.OK, lies)));
        assertThat(write(said, true, ToolChoice.auto(), tool("pay"), OWN, SEARCH).text())
                .doesNotContain("defer_loading", "tool_reference");
        assertThat(write("No tool fits.\n- pay: Pays.", tool("pay"), SEARCH).text())
                .doesNotContain("defer_loading", "tool_reference");
    }
}
