package dev.belay.model.anthropic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.belay.json.Json;
import dev.belay.model.Generation;
import dev.belay.model.Generation.Effort;
import dev.belay.model.Message;
import dev.belay.model.Message.AssistantMessage;
import dev.belay.model.ModelException;
import dev.belay.model.ModelRequest;
import dev.belay.model.NativePayload;
import dev.belay.model.OutputSpec;
import dev.belay.model.Part.CallPart;
import dev.belay.model.Part.FilePart;
import dev.belay.model.Part.ImagePart;
import dev.belay.model.Part.ReasoningPart;
import dev.belay.model.Part.RefusalPart;
import dev.belay.model.Part.ReplyPart;
import dev.belay.model.Part.Source;
import dev.belay.model.Part.TextPart;
import dev.belay.model.ToolChoice;
import dev.belay.model.ToolSpec;
import dev.belay.model.http.wire.Extras;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Contract N.2, N.12: what a request to Anthropic looks like, letter by letter. */
class MessagesWriterTest {

    private static final ToolSpec FIND = new ToolSpec("find", "Finds.", Json.of("{\"type\": \"object\"}"));
    private static final ToolSpec BARE = new ToolSpec("bare", "", Json.of("{\"type\":\"object\"}"));

    private static final Instant NOW = Instant.parse("2026-11-16T10:00:00Z");

    @Test
    void theContainerOfTheLastAnswerIsCarriedOnUntilItExpires() {
        Message first = working("{\"id\":\"container_1\",\"expires_at\":\"2026-11-16T10:00:01Z\"}");
        Message second = working("{\"id\":\"container_2\"}");
        Message gone = working("{\"id\":\"container_3\",\"expires_at\":\"2026-11-16T09:59:59.5Z\"}");
        assertThat(write(after(first)).get("container")).contains(Json.string("container_1"));
        assertThat(write(after(first, second)).get("container")).contains(Json.string("container_2"));
        assertThat(write(after(first, gone)).get("container")).isEmpty();
        assertThat(write(after()).get("container")).isEmpty();
    }

    @Test
    void theContainerThatAProgramAsksForIsTheOneInUse() {
        Message said = working("{\"id\":\"container_1\"}");
        assertThat(write(after(said), "{\"skills\":[]}"))
                .isEqualTo(Json.of("{\"skills\":[],\"id\":\"container_1\"}"));
        assertThat(write(after(said), "{\"id\":\"mine\"}")).isEqualTo(Json.of("{\"id\":\"mine\"}"));
        assertThat(write(after(said), "\"mine\"")).isEqualTo(Json.string("mine"));
    }

    @Test
    void anOwnAnswerThatIsSpoiledIsLeftOut() {
        String deep = "[".repeat(509) + "]".repeat(509);
        for (String spoiled : List.of("null", "[]", "{}", "{\"content\":1}", "{\"content\":[{\"type\":1}]}",
                "{\"content\":[{\"type\":\"tool_use\",\"id\":1}]}",
                "{\"content\":[{\"type\":\"x\",\"y\":" + deep + "}]}")) {
            Message said = new AssistantMessage(List.of(new TextPart("Done.")),
                    new NativePayload("anthropic-messages", Json.of(spoiled)));
            assertThat(write(after(said)).at("/messages/1/content")).as(spoiled)
                    .contains(Json.of("[{\"type\":\"text\",\"text\":\"Done.\"}]"));
        }
        assertThat(write(after(working("{\"id\":7,\"expires_at\":7}"))).get("container")).isEmpty();
    }

    @Test
    void argumentsThatAreTooDeepForARequestGoBackAsText() {
        String deep = "{\"a\":" + "[".repeat(510) + "]".repeat(510) + "}";
        Json body = write(
                ModelRequest.of(Message.user("Hi"), Message.assistant(new CallPart("c", "find", deep)),
                        Message.replies(new ReplyPart("c", "find", ReplyPart.Status.ERROR, "too deep"))));
        assertThat(body.at("/messages/1/content/0/input/INVALID_JSON")).contains(Json.string(deep));
    }

    private static Message working(String container) {
        return new AssistantMessage(List.of(new TextPart("Done.")), new NativePayload("anthropic-messages",
                Json.of("{\"content\":[{\"type\":\"text\",\"text\":\"Done.\"}],\"container\":" + container
                        + "}")));
    }

    private static ModelRequest after(Message... said) {
        List<Message> history = new ArrayList<>(List.of(Message.user("Hi")));
        for (Message message : said) {
            history.add(message);
            history.add(Message.user("Go on."));
        }
        return ModelRequest.builder(history).build();
    }

    private static Json write(ModelRequest request, String container) {
        AnthropicOptions options = new AnthropicOptions("claude-x", true, 1000, PromptCaching.OFF,
                Thinking.ADAPTIVE, Extras.NONE.withField("container", Json.of(container), List.of()), true,
                true, () -> NOW);
        return MessagesWriter.write(request, options).get("container").orElseThrow();
    }

    @Test
    void aWholeRequestLooksLikeThis() {
        Json body = write(ModelRequest.builder(List.of(Message.system("Be brief."), Message.user("Hi")))
                .tools(List.of(FIND, BARE))
                .toolChoice(ToolChoice.specific("find"))
                .generation(Generation.PROVIDER_DECIDES.withTemperature(0.5)
                        .withTopP(0.9)
                        .withMaxOutputTokens(100)
                        .withStop("END")
                        .withSeed(7))
                .build());
        assertThat(body.text()).isEqualTo(
                "{\"model\":\"claude-x\",\"max_tokens\":100,\"stream\":true,\"temperature\":0.5,\"top_p\":0.9,"
                        + "\"stop_sequences\":[\"END\"],"
                        + "\"tools\":[{\"name\":\"find\",\"description\":\"Finds.\",\"input_schema\":{\"type\": \"object\"}},"
                        + "{\"name\":\"bare\",\"input_schema\":{\"type\":\"object\"}}],"
                        + "\"tool_choice\":{\"type\":\"tool\",\"name\":\"find\"},"
                        + "\"system\":[{\"type\":\"text\",\"text\":\"Be brief.\"}],"
                        + "\"messages\":[{\"role\":\"user\",\"content\":[{\"type\":\"text\",\"text\":\"Hi\"}]}]}");
    }

    @Test
    void textOfNothingButBlanksIsLeftOut() {
        Message replies = Message.replies(new ReplyPart("c", "find", ReplyPart.Status.OK, "found"));
        Json foreign = write(ModelRequest.of(Message.system(" "), Message.user("Hi"),
                Message.assistant(new TextPart("\n\n"), new CallPart("c", "find", "{}")), replies));
        String call = "[{\"type\":\"tool_use\",\"id\":\"c\",\"name\":\"find\",\"input\":{}}]";
        assertThat(foreign.at("/messages/1/content")).contains(Json.of(call));
        assertThat(foreign.get("system")).isEmpty();
        Json own = Json.of("[{\"type\":\"text\",\"text\":\"\"}," + call.substring(1));
        Json replayed = write(ModelRequest.of(Message.user("Hi"), new AssistantMessage(
                List.of(new CallPart("c", "find", "{}")),
                new NativePayload("anthropic-messages", Json.object(Map.of("content", own)))),
                replies));
        assertThat(replayed.at("/messages/1/content")).contains(Json.of(call));
    }

    @Test
    void aNameThatAModelMadeUpIsSentAsOneThatCanBe() {
        Json body = write(ModelRequest.of(Message.user("Hi"),
                Message.assistant(new CallPart("c", "find all.now", "{}")),
                Message.replies(new ReplyPart("c", "find all.now", ReplyPart.Status.REJECTED, "unknown"))));
        assertThat(body.at("/messages/1/content/0/name")).contains(Json.string("find_all_now"));
    }

    @Test
    void whatIsNotSetIsNotSent() {
        assertThat(write(ModelRequest.of(Message.user("Hi"))).fields().keySet()).containsExactly("model",
                "max_tokens",
                "stream", "messages");
    }

    @Test
    void repliesCarryTheirErrorMark() {
        Json body = write(ModelRequest.of(Message.user("go"),
                Message.assistant(new ReasoningPart("unsigned"), new TextPart("on it"),
                        new CallPart("a", "find", "{\"q\": 1}"),
                        new CallPart("b", "find", ""), new CallPart("c", "find", "{cut"),
                        new CallPart("d", "find", "[1]")),
                Message.replies(new ReplyPart("a", "find", ReplyPart.Status.OK, "found"),
                        new ReplyPart("b", "find", ReplyPart.Status.OK, ""),
                        new ReplyPart("c", "find", ReplyPart.Status.ERROR, "Error (malformed_arguments): no"),
                        new ReplyPart("d", "find", ReplyPart.Status.REJECTED, "Rejected: no"))));
        assertThat(body.at("/messages/1").orElseThrow()).isEqualTo(Json.of("""
                {"role":"assistant","content":[{"type":"text","text":"on it"},
                 {"type":"tool_use","id":"a","name":"find","input":{"q":1}},
                 {"type":"tool_use","id":"b","name":"find","input":{}},
                 {"type":"tool_use","id":"c","name":"find","input":{"INVALID_JSON":"{cut"}},
                 {"type":"tool_use","id":"d","name":"find","input":{"INVALID_JSON":"[1]"}}]}"""));
        assertThat(body.at("/messages/2").orElseThrow()).isEqualTo(
                Json.of("""
                        {"role":"user","content":[{"type":"tool_result","tool_use_id":"a","content":"found"},
                         {"type":"tool_result","tool_use_id":"b"},
                         {"type":"tool_result","tool_use_id":"c","content":"Error (malformed_arguments): no","is_error":true},
                         {"type":"tool_result","tool_use_id":"d","content":"Rejected: no","is_error":true}]}"""));
    }

    @Test
    void idsOfOthersAreMadeFit() {
        Json body = write(ModelRequest.of(Message.user("go"),
                Message.assistant(new CallPart("call:1", "find", "{}"), new CallPart("call/1", "find", "{}")),
                Message.replies(new ReplyPart("call/1", "find", ReplyPart.Status.OK, "2"),
                        new ReplyPart("call:1", "find", ReplyPart.Status.OK, "1"))));
        assertThat(body.at("/messages/1/content/0/id").orElseThrow().asString()).isEqualTo("call_1_0");
        assertThat(body.at("/messages/1/content/1/id").orElseThrow().asString()).isEqualTo("call_1_1");
        assertThat(new MessagesFixture().replyIds(body)).containsExactly("call_1_1", "call_1_0");
    }

    @Test
    void anOwnAnswerGoesBackLetterByLetter() {
        String blocks = "[{\"type\":\"thinking\",\"thinking\":\"hm\",\"signature\":\"s\"},"
                + " {\"type\":\"redacted_thinking\",\"data\":\"xyz\"},"
                + " {\"type\":\"tool_use\",\"id\":\"toolu_1\",\"name\":\"find\",\"input\":{\"q\": 1.0}}]";
        AssistantMessage said = new AssistantMessage(
                List.of(new CallPart("call_1_0", "find", "{\"q\": 1.0}")),
                new NativePayload("anthropic-messages", Json.of("{\"content\":" + blocks + "}")));
        Json body = write(ModelRequest.of(Message.user("go"), said,
                Message.replies(new ReplyPart("call_1_0", "find", ReplyPart.Status.OK, "1"))));
        assertThat(body.text()).contains("\"content\":" + blocks);
        assertThat(new MessagesFixture().replyIds(body)).containsExactly("toolu_1");
    }

    @Test
    void laterInstructionsStayInTheirPlace() {
        Json body = write(ModelRequest.of(Message.system("One."), Message.system("Two."), Message.user("Hi"),
                Message.assistant(new RefusalPart("No.")), Message.system("Be kind."),
                Message.user("Please")));
        assertThat(body.get("system").orElseThrow().items()).hasSize(2);
        assertThat(new MessagesFixture().words(body)).containsExactly("One.", "Two.", "Hi", "No.", "Be kind.",
                "Please");
        assertThat(body.at("/messages/2/role").orElseThrow().asString()).isEqualTo("user");
    }

    @Test
    void instructionsAloneAreNoRequest() {
        assertThatThrownBy(() -> write(ModelRequest.of(Message.system("Be brief."))))
                .isInstanceOfSatisfying(ModelException.class,
                        e -> assertThat(e.kind()).isEqualTo(ModelException.Kind.INVALID_REQUEST))
                .hasMessageContaining("at least one message of the user");
    }

    @Test
    void filesAreDocuments() {
        Json body = write(ModelRequest.of(Message.user(
                new FilePart("application/pdf", "a.pdf", Source.of(new byte[]{1, 2, 3})),
                new FilePart("application/pdf", "b.pdf", Source.at(URI.create("https://example.org/b.pdf"))),
                new FilePart("text/markdown", "c.md", Source.of("# é".getBytes(StandardCharsets.UTF_8))),
                new FilePart("application/zip", "d.zip", Source.uploaded("file_1")),
                new ImagePart("image/png", Source.uploaded("file_2")))));
        assertThat(body.at("/messages/0/content").orElseThrow()).isEqualTo(
                Json.of("""
                        [{"type":"document","source":{"type":"base64","media_type":"application/pdf","data":"AQID"},"title":"a.pdf"},
                         {"type":"document","source":{"type":"url","url":"https://example.org/b.pdf"},"title":"b.pdf"},
                         {"type":"document","source":{"type":"text","media_type":"text/plain","data":"# é"},"title":"c.md"},
                         {"type":"document","source":{"type":"file","file_id":"file_1"},"title":"d.zip"},
                         {"type":"image","source":{"type":"file","file_id":"file_2"}}]"""));
        assertThatThrownBy(() -> write(
                ModelRequest.of(
                        Message.user(new FilePart("application/zip", "e.zip", Source.of(new byte[]{1}))))))
                .isInstanceOf(ModelException.class)
                .hasMessageContaining("\"e.zip\" of type application/zip")
                .hasMessageContaining("it takes PDF and text");
    }

    @Test
    void effortIsSaidInTheWordsTheModelKnows() {
        assertThat(effort(Effort.HIGH, Thinking.ADAPTIVE)).isEqualTo(Json.of("""
                {"max_tokens":1000,"thinking":{"type":"adaptive"},"output_config":{"effort":"high"}}"""));
        assertThat(effort(Effort.MEDIUM, Thinking.ADAPTIVE)).isEqualTo(Json.of("""
                {"max_tokens":1000,"thinking":{"type":"adaptive"},"output_config":{"effort":"medium"}}"""));
        assertThat(effort(Effort.MINIMAL, Thinking.ADAPTIVE)).isEqualTo(Json.of("""
                {"max_tokens":1000,"thinking":{"type":"adaptive"},"output_config":{"effort":"low"}}"""));
        assertThat(effort(Effort.NONE, Thinking.ADAPTIVE)).isEqualTo(Json.of("""
                {"max_tokens":1000,"thinking":{"type":"disabled"}}"""));
        assertThat(effort(Effort.LOW, Thinking.BUDGET)).isEqualTo(Json.of("""
                {"max_tokens":5096,"thinking":{"type":"enabled","budget_tokens":4096}}"""));
        assertThat(effort(Effort.NONE, Thinking.BUDGET)).isEqualTo(Json.of("""
                {"max_tokens":1000,"thinking":{"type":"disabled"}}"""));
        assertThat(effort(Effort.HIGH, Thinking.BUDGET).at("/thinking/budget_tokens").orElseThrow().asInt())
                .isGreaterThan(effort(Effort.MEDIUM, Thinking.BUDGET).at("/thinking/budget_tokens")
                        .orElseThrow()
                        .asInt());
    }

    @Test
    void aSchemaAndAnEffortStandSideBySide() {
        Json body = write(ModelRequest.builder(List.of(Message.user("Hi")))
                .output(OutputSpec.schema("point",
                        Json.of("{\"type\":\"object\",\"additionalProperties\":false}")))
                .generation(Generation.PROVIDER_DECIDES.withEffort(Effort.LOW))
                .build());
        assertThat(body.get("output_config").orElseThrow()).isEqualTo(Json.of("""
                {"effort":"low","format":{"type":"json_schema",
                 "schema":{"type":"object","additionalProperties":false}}}"""));
    }

    @Test
    void theCacheMarksAreFourAtMostAndLeaveAnswersAlone() {
        ModelRequest request = ModelRequest.builder(List.of(Message.system("Be brief."), Message.user("one"),
                Message.assistant("1"), Message.user(new TextPart("two"), new TextPart("more")),
                Message.assistant("2"),
                Message.user("three"))).tools(List.of(FIND, BARE)).build();
        Json body = MessagesWriter.write(request, options(PromptCaching.ONE_HOUR, Thinking.ADAPTIVE));
        Json mark = Json.of("{\"type\":\"ephemeral\",\"ttl\":\"1h\"}");
        assertThat(new MessagesFixture().cacheMarks(body)).isEqualTo(4);
        for (String at : List.of("/tools/1", "/system/0", "/messages/2/content/1", "/messages/4/content/0")) {
            assertThat(body.at(at + "/cache_control")).as(at).contains(mark);
        }
        assertThat(new MessagesFixture().cacheMarks(
                MessagesWriter.write(request, options(PromptCaching.OFF, Thinking.ADAPTIVE)))).isZero();
    }

    @Test
    void yourOwnFieldsWin() {
        AnthropicOptions options = new AnthropicOptions("claude-x", false, 1000, PromptCaching.OFF,
                Thinking.ADAPTIVE,
                Extras.NONE.withField("max_tokens", Json.number(5), List.of())
                        .withField("service_tier", Json.string("auto"), List.of())
                        .withField("output_config", Json.of("{\"effort\":\"max\"}"), List.of()),
                true, true,
                () -> NOW);
        Json body = MessagesWriter.write(ModelRequest.builder(List.of(Message.user("Hi")))
                .output(OutputSpec.schema("o",
                        Json.of("{\"type\":\"object\",\"additionalProperties\":false}")))
                .build(), options);
        assertThat(body.get("output_config")).contains(
                Json.of("""
                        {"effort":"max","format":{"type":"json_schema","schema":{"type":"object","additionalProperties":false}}}"""));
        assertThat(body.get("max_tokens")).contains(Json.number(5));
        assertThat(body.get("service_tier")).contains(Json.string("auto"));
        assertThat(body.get("stream")).isEmpty();
    }

    @Test
    void textThatIsNotWholeCharactersBreaksNothing() {
        assertThat(write(ModelRequest.of(Message.user("a\ud800b"))).at("/messages/0/content/0/text"))
                .contains(Json.string("a?b"));
    }

    @Test
    void fieldsThatEveryRequestBringsAreRefused() {
        assertThatThrownBy(() -> AnthropicModel.builder("m").field("tools", Json.array(List.of())))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("would replace the agent's tools")
                .hasMessageContaining("providerTools");
        for (String name : List.of("messages", "system")) {
            assertThatThrownBy(() -> AnthropicModel.builder("m").field(name, Json.array(List.of())))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("the field \"" + name + "\" holds the conversation");
        }
    }

    @Test
    void toolsOfTheProviderStandBehindTheAgents() {
        Json search = Json.of("{\"type\":\"web_search_20250305\",\"name\":\"web_search\",\"max_uses\":3}");
        AnthropicOptions options = new AnthropicOptions("claude-x", true, 1000, PromptCaching.FIVE_MINUTES,
                Thinking.ADAPTIVE, Extras.NONE.withTools(List.of(search), tool -> ""), true, true, () -> NOW);
        Json body = MessagesWriter.write(
                ModelRequest.builder(List.of(Message.user("Hi"))).tools(List.of(FIND)).build(),
                options);
        assertThat(body.at("/tools/0/name")).contains(Json.string("find"));
        assertThat(body.at("/tools/0/cache_control")).isPresent();
        assertThat(body.at("/tools/1")).contains(search);
        assertThat(MessagesWriter.write(ModelRequest.of(Message.user("Hi")), options).get("tools"))
                .contains(Json.array(List.of(search)));
    }

    @Test
    void aToolThatYourProgramWouldHaveToRunIsRefusedWhenItIsConfigured() {
        for (String type : List.of("bash_20250124", "text_editor_20250728", "computer_20251124",
                "memory_20250818",
                "custom")) {
            assertThatThrownBy(() -> AnthropicModel.builder("m")
                    .providerTools(Json.of("{\"type\":\"" + type + "\",\"name\":\"x\"}")))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("cannot serve the tool \"" + type + "\"")
                    .hasMessageContaining("your program would have to run it");
        }
        assertThatThrownBy(() -> AnthropicModel.builder("m").providerTools(Json.of("{\"name\":\"x\"}")))
                .hasMessageContaining("an object with a \"type\"");
        assertThat(AnthropicModel.builder("m")
                .providerTools(Json.of("{\"type\":\"web_fetch_20250910\",\"name\":\"web_fetch\"}"))
                .build()).isNotNull();
    }

    private static Json effort(Effort effort, Thinking thinking) {
        Json body = MessagesWriter.write(ModelRequest.builder(List.of(Message.user("Hi")))
                .generation(Generation.PROVIDER_DECIDES.withEffort(effort))
                .build(), options(PromptCaching.OFF, thinking));
        return Json.write(out -> {
            out.beginObject();
            body.fields().forEach((name, value) -> {
                if (List.of("max_tokens", "thinking", "output_config").contains(name)) {
                    out.name(name).value(value);
                }
            });
            out.endObject();
        });
    }

    @Test
    void picturesThatAReplyNamesStandInItsBlockBehindTheText() {
        String named = "{\"hash\":\"" + "ab".repeat(32) + "\",\"mediaType\":\"image/png\",\"size\":3}";
        ModelRequest request = ModelRequest
                .builder(List.of(Message.user("Hi"),
                        Message.assistant(new CallPart("a", "find", "{}"), new CallPart("b", "find", "{}")),
                        Message.replies(new ReplyPart("a", "find", ReplyPart.Status.OK, named),
                                new ReplyPart("b", "find", ReplyPart.Status.ERROR, named))))
                .pictures((hash, type, size) -> Optional.of(new byte[]{1, 2, 3}))
                .build();
        String text = Json.string(named).text();
        assertThat(write(request).at("/messages/2/content").orElseThrow()).isEqualTo(Json.of(
                "[{\"type\":\"tool_result\",\"tool_use_id\":\"a\",\"content\":[{\"type\":\"text\",\"text\":"
                        + text
                        + "},{\"type\":\"image\",\"source\":{\"type\":\"base64\",\"media_type\":\"image/png\",\"data\":\"AQID\"}}]},"
                        + "{\"type\":\"tool_result\",\"tool_use_id\":\"b\",\"content\":" + text
                        + ",\"is_error\":true}]"));
        var off = new AnthropicOptions("claude-x", true, 1000, PromptCaching.OFF, Thinking.ADAPTIVE,
                Extras.NONE,
                false, true, () -> NOW);
        assertThat(MessagesWriter.write(request, off).at("/messages/2/content/0/content"))
                .contains(Json.string(named));
    }

    private static Json write(ModelRequest request) {
        return MessagesWriter.write(request, options(PromptCaching.OFF, Thinking.ADAPTIVE));
    }

    private static AnthropicOptions options(PromptCaching caching, Thinking thinking) {
        return new AnthropicOptions("claude-x", true, 1000, caching, thinking, Extras.NONE, true, true,
                () -> NOW);
    }
}
