package dev.belay.model.openai;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.belay.json.Json;
import dev.belay.model.Generation;
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
import dev.belay.model.ToolSpec;
import dev.belay.model.http.wire.Extras;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Requests to the letter. */
class OpenAiRequestTest {

    private static final OpenAiOptions PLAIN = options(true, Map.of(), Extras.NONE);
    private static final OpenAiOptions EVERYTHING = new OpenAiOptions("m", false, true, true, true, true,
            "group", Map.of(), Extras.NONE);
    private static final ToolSpec TOOL = new ToolSpec("clock", "Tells the time.",
            Json.of("{\"type\": \"object\"}"));

    private final Protocol chat = new ChatProtocol(PLAIN);
    private final Protocol responses = new ResponsesProtocol(PLAIN);

    @Test
    void theSmallestRequest() {
        ModelRequest request = ModelRequest.of(Message.user("Hi"));
        assertThat(chat.write(request).text()).isEqualTo(
                "{\"model\":\"m\",\"messages\":[{\"role\":\"user\",\"content\":\"Hi\"}],\"stream\":true,\"stream_options\":{\"include_usage\":true}}");
        assertThat(responses.write(request).text())
                .isEqualTo(
                        "{\"model\":\"m\",\"input\":[{\"role\":\"user\",\"content\":\"Hi\"}],\"store\":false,\"stream\":true}");
    }

    @Test
    void everySettingHasItsField() {
        Generation settings = Generation.PROVIDER_DECIDES.withTemperature(0.5)
                .withTopP(0.25)
                .withMaxOutputTokens(9)
                .withSeed(7)
                .withStop("a", "b")
                .withEffort(Generation.Effort.LOW);
        ModelRequest request = ModelRequest.builder(List.of(Message.user("Hi")))
                .tools(List.of(TOOL))
                .generation(settings)
                .output(OutputSpec.schema("o", Json.of("{\"type\":\"object\"}")))
                .build();
        Json sent = new ChatProtocol(EVERYTHING).write(request);
        assertThat(sent).isEqualTo(
                Json.of("""
                        {"model":"m","messages":[{"role":"user","content":"Hi"}],
                         "tools":[{"type":"function","function":{"name":"clock","description":"Tells the time.","parameters":{"type":"object"},"strict":true}}],
                         "response_format":{"type":"json_schema","json_schema":{"name":"o","schema":{"type":"object"},"strict":true}},
                         "temperature":0.5,"top_p":0.25,"max_completion_tokens":9,"seed":7,"reasoning_effort":"low","stop":["a","b"],
                         "prompt_cache_key":"group","stream":false}"""));
        Json other = new ResponsesProtocol(EVERYTHING)
                .write(request.toBuilder().generation(settings.withStop()).build());
        assertThat(other).isEqualTo(
                Json.of("""
                        {"model":"m","input":[{"role":"user","content":"Hi"}],
                         "tools":[{"type":"function","name":"clock","description":"Tells the time.","parameters":{"type":"object"},"strict":true}],
                         "text":{"format":{"type":"json_schema","name":"o","schema":{"type":"object"},"strict":true}},
                         "temperature":0.5,"top_p":0.25,"max_output_tokens":9,"reasoning":{"effort":"low"},
                         "prompt_cache_key":"group","store":false,"include":["reasoning.encrypted_content"],"stream":false}"""));
    }

    @Test
    void whatTheModelSaidElsewhere() {
        Message said = Message.assistant(new ReasoningPart("secret thought"), new RefusalPart("No."),
                new CallPart("c", "clock", "{"));
        ModelRequest request = ModelRequest.of(Message.user("Hi"), said,
                Message.replies(new ReplyPart("c", "clock", ReplyPart.Status.ERROR, "bad")));
        assertThat(chat.write(request).at("/messages")).contains(
                Json.of("""
                        [{"role":"user","content":"Hi"},
                         {"role":"assistant","content":null,"refusal":"No.","tool_calls":[{"id":"c","type":"function","function":{"name":"clock","arguments":"{"}}]},
                         {"role":"tool","tool_call_id":"c","content":"bad"}]"""));
        assertThat(responses.write(request).at("/input")).contains(Json.of("""
                [{"role":"user","content":"Hi"},{"role":"assistant","content":"No."},
                 {"type":"function_call","call_id":"c","name":"clock","arguments":"{"},
                 {"type":"function_call_output","call_id":"c","output":"bad"}]"""));
        assertThat(chat.write(request).text()).doesNotContain("secret thought");
    }

    @Test
    void picturesThatAReplyNamesAreInputImagesOfResponsesAndAUsersMessageBehindRepliesOfChat() {
        String named = "{\"hash\":\"" + "ab".repeat(32) + "\",\"mediaType\":\"image/png\",\"size\":3}";
        ModelRequest request = ModelRequest
                .builder(List.of(Message.user("Hi"), Message.assistant(new CallPart("c", "clock", "{}")),
                        Message.replies(new ReplyPart("c", "clock", ReplyPart.Status.OK, named))))
                .pictures((hash, type, size) -> Optional.of(new byte[]{1, 2, 3}))
                .build();
        Json text = Json.string(named);
        assertThat(responses.write(request).at("/input/2/output")).contains(Json.of(
                "[{\"type\":\"input_text\",\"text\":" + text
                        + "},{\"type\":\"input_image\",\"image_url\":\"data:image/png;base64,AQID\"}]"));
        assertThat(chat.write(request).at("/messages/2/content")).contains(text);
        assertThat(chat.write(request).at("/messages/3")).contains(Json.of("""
                {"role":"user","content":[{"type":"text","text":"Shown by the tool clock:"},
                 {"type":"image_url","image_url":{"url":"data:image/png;base64,AQID"}}]}"""));
        var off = options(false, Map.of(), Extras.NONE);
        assertThat(new ResponsesProtocol(off).write(request).at("/input/2/output")).contains(text);
        assertThat(new ChatProtocol(off).write(request).at("/messages/3")).isEmpty();
    }

    @Test
    void halfACharacterDoesNotEndAConversation() {
        String odd = "a\ud83d";
        ModelRequest request = ModelRequest.builder(List.of(Message.system(odd), Message.user(odd),
                Message.assistant(new TextPart(odd), new CallPart("c", "clock", odd)),
                Message.replies(new ReplyPart("c", "clock", ReplyPart.Status.OK, odd)),
                Message.user(new TextPart(odd), new FilePart("text/plain", odd, Source.of(new byte[]{1})))))
                .tools(List.of(new ToolSpec("clock", odd, TOOL.inputSchema())))
                .build();
        assertThat(chat.write(request).text().split("a\\?", -1)).hasSize(9);
        assertThat(responses.write(request).text().split("a\\?", -1)).hasSize(9);
    }

    @Test
    void aNameThatAModelMadeUpIsSentAsOneThatCanBe() {
        String wrong = "multi_tool_use.parallel";
        Message said = Message.assistant(new CallPart("c", wrong, "{}"), new CallPart("d", "", "{}"));
        Message replies = Message.replies(new ReplyPart("c", wrong, ReplyPart.Status.REJECTED, "unknown"),
                new ReplyPart("d", "", ReplyPart.Status.REJECTED, "unknown"));
        ModelRequest request = ModelRequest.of(Message.user("Hi"), said, replies);
        assertThat(chat.write(request).at("/messages/1/tool_calls/0/function/name"))
                .contains(Json.string("multi_tool_use_parallel"));
        assertThat(chat.write(request).at("/messages/1/tool_calls/1/function/name"))
                .contains(Json.string("unnamed"));
        assertThat(responses.write(request).at("/input/1/name"))
                .contains(Json.string("multi_tool_use_parallel"));
        Json own = Json
                .of("""
                        {"role":"assistant","content":null,"x":1,"tool_calls":[{"id":"c","y":2,"function":{"name":"a b","arguments":"{}"}}]}""");
        assertThat(chat.write(replayed("openai-chat", own)).at("/messages/1")).contains(
                Json.of("""
                        {"role":"assistant","content":null,"x":1,"tool_calls":[{"id":"c","y":2,"function":{"name":"a_b","arguments":"{}"}}]}"""));
    }

    @Test
    void reasoningThatWasNotHandedOutIsNotSentBack() {
        Json items = Json.of("""
                [{"type":"reasoning","id":"rs_1","summary":[]},
                 {"type":"function_call","id":"fc_1","call_id":"c","name":"clock","arguments":"{}"}]""");
        assertThat(responses.write(replayed("openai-responses", items)).at("/input/1")).contains(Json.of("""
                {"type":"function_call","call_id":"c","name":"clock","arguments":"{}"}"""));
        for (String kept : List.of("\"encrypted_content\":\"abc\"",
                "\"content\":[{\"type\":\"reasoning_text\",\"text\":\"hm\"}]")) {
            Json whole = Json.of("[{\"type\":\"reasoning\",\"id\":\"rs_1\",\"summary\":[]," + kept
                    + "},{\"type\":\"function_call\",\"id\":\"fc_1\",\"call_id\":\"c\",\"name\":\"clock\",\"arguments\":\"{}\"}]");
            List<Json> sent = responses.write(replayed("openai-responses", whole))
                    .get("input")
                    .orElseThrow()
                    .items();
            assertThat(sent.subList(1, 3)).isEqualTo(whole.items());
        }
    }

    @Test
    void yourOwnFieldsAreMergedWithThoseOfTheRequest() {
        Extras extras = Extras.NONE.withField("reasoning", Json.of("{\"summary\":\"auto\"}"), List.of())
                .withField("include",
                        Json.of("[\"reasoning.encrypted_content\",\"file_search_call.results\"]"),
                        List.of())
                .withField("store", Json.TRUE, List.of())
                .withField("service_tier", Json.string("flex"), List.of());
        OpenAiOptions options = new OpenAiOptions("m", true, false, true, true, true, null,
                Map.of(Generation.Effort.HIGH, "xhigh"), extras);
        ModelRequest hard = ModelRequest.builder(List.of(Message.user("Hi")))
                .generation(Generation.PROVIDER_DECIDES.withEffort(Generation.Effort.HIGH))
                .build();
        assertThat(new ResponsesProtocol(options).write(hard)).isEqualTo(
                Json.of("""
                        {"model":"m","input":[{"role":"user","content":"Hi"}],
                         "reasoning":{"effort":"xhigh","summary":"auto"},"store":true,
                         "include":["reasoning.encrypted_content","file_search_call.results"],"stream":true,"service_tier":"flex"}"""));
        assertThat(new ChatProtocol(options).write(hard).get("reasoning_effort"))
                .contains(Json.string("xhigh"));
    }

    @Test
    void fieldsThatEveryRequestBringsAreRefused() {
        for (String name : List.of("messages", "input")) {
            assertThatThrownBy(() -> OpenAiModel.builder("m").field(name, Json.array(List.of())))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("the field \"" + name + "\" holds the conversation");
        }
        assertThatThrownBy(() -> OpenAiModel.builder("m").field("tools", Json.array(List.of())))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("would replace the agent's tools")
                .hasMessageContaining("providerTools");
    }

    @Test
    void toolsOfTheProviderStandBehindTheAgents() {
        Json search = Json.of("{\"type\":\"web_search\",\"search_context_size\":\"low\"}");
        OpenAiOptions options = options(true, Map.of(), Extras.NONE.withTools(List.of(search), tool -> ""));
        ModelRequest with = ModelRequest.builder(List.of(Message.user("Hi"))).tools(List.of(TOOL)).build();
        for (Protocol protocol : List.of(new ChatProtocol(options), new ResponsesProtocol(options))) {
            assertThat(protocol.write(with).get("tools").orElseThrow().items()).hasSize(2)
                    .element(1)
                    .isEqualTo(search);
            assertThat(protocol.write(ModelRequest.of(Message.user("Hi"))).get("tools"))
                    .contains(Json.array(List.of(search)));
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            {"type":"local_shell"}                                       | your program would have to run it
            {"type":"apply_patch"}                                       | your program would have to run it
            {"type":"shell"}                                             | your program would have to run it
            {"type":"shell","environment":{"type":"local"}}              | your program would have to run it
            {"type":"computer_use_preview"}                              | your program would have to run it
            {"type":"function","name":"clock"}                           | your program would have to run it
            {"type":"builtin_function","function":{"name":"$web_search"}} | your program would have to run it
            {"type":"image_generation"}                                  | an answer has no place for pictures
            {"type":"mcp","server_label":"a"}                            | an approval that cannot be given here
            {"name":"clock"}                                             | an object with a "type"
            """)
    void aToolThatCannotBeServedIsRefusedWhenItIsConfigured(String tool, String why) {
        assertThatThrownBy(() -> OpenAiModel.builder("m").providerTools(Json.of(tool)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(why);
    }

    @Test
    void toolsThatTheProviderRunsToTheirEndAreTaken() {
        assertThat(OpenAiModel.builder("m")
                .providerTools(Json.of("{\"type\":\"web_search\"}"),
                        Json.of("{\"type\":\"mcp\",\"server_label\":\"a\",\"require_approval\":\"never\"}"),
                        Json.of("{\"type\":\"shell\",\"environment\":{\"type\":\"container_auto\"}}"),
                        Json.of("{\"type\":\"code_interpreter\",\"container\":{\"type\":\"auto\"}}"))
                .build()).isNotNull();
    }

    @Test
    void usesOfBuiltInToolsGoBackUnlessTheirReasoningIsMissing() {
        Json search = Json.of("{\"type\":\"web_search_call\",\"id\":\"ws_1\",\"status\":\"completed\"}");
        Json message = Json
                .of("{\"type\":\"message\",\"role\":\"assistant\",\"content\":[{\"type\":\"output_text\",\"text\":\"Rain.\"}]}");
        Json call = Json
                .of("{\"type\":\"function_call\",\"call_id\":\"c\",\"name\":\"clock\",\"arguments\":\"{}\"}");
        Json lost = Json.of("{\"type\":\"reasoning\",\"id\":\"rs_1\",\"summary\":[]}");
        assertThat(responses.write(replayed("openai-responses", Json.array(List.of(search, message, call))))
                .get("input")
                .orElseThrow()
                .items()).contains(search, message, call);
        assertThat(responses
                .write(replayed("openai-responses", Json.array(List.of(lost, search, message, call))))
                .get("input")
                .orElseThrow()
                .items()).contains(message, call).doesNotContain(search, lost);
    }

    @Test
    void anOwnMessageThatAFilterEmptiedIsLeftOut() {
        for (String empty : List.of("{\"role\":\"assistant\"}",
                "{\"role\":\"assistant\",\"content\":\"\",\"tool_calls\":[]}")) {
            Message said = new AssistantMessage(List.of(new RefusalPart("the answer was filtered")),
                    new NativePayload("openai-chat", Json.of(empty)));
            assertThat(chat.write(ModelRequest.of(Message.user("Hi"), said, Message.user("And?")))
                    .get("messages"))
                    .contains(Json.of(
                            "[{\"role\":\"user\",\"content\":\"Hi\"},{\"role\":\"user\",\"content\":\"And?\"}]"));
        }
    }

    private static OpenAiOptions options(boolean pictures, Map<Generation.Effort, String> efforts,
            Extras extras) {
        return new OpenAiOptions("m", true, false, false, false, pictures, null, efforts, extras);
    }

    private static ModelRequest replayed(String provider, Json payload) {
        return ModelRequest.of(Message.user("Hi"),
                new AssistantMessage(List.of(new CallPart("c", "clock", "{}")),
                        new NativePayload(provider, payload)),
                Message.replies(new ReplyPart("c", "clock", ReplyPart.Status.OK, "noon")));
    }

    @Test
    void picturesAndFiles() {
        Source bytes = Source.of(new byte[]{1, 2});
        ModelRequest request = ModelRequest
                .of(Message.user(new TextPart("See"), new ImagePart("image/png", bytes),
                        new FilePart("application/pdf", "a.pdf", bytes),
                        new FilePart("application/pdf", "b.pdf", Source.uploaded("f-1"))));
        assertThat(chat.write(request).at("/messages/0/content")).contains(
                Json.of("""
                        [{"type":"text","text":"See"},{"type":"image_url","image_url":{"url":"data:image/png;base64,AQI="}},
                         {"type":"file","file":{"filename":"a.pdf","file_data":"data:application/pdf;base64,AQI="}},
                         {"type":"file","file":{"file_id":"f-1"}}]"""));
        assertThat(responses.write(request).at("/input/0/content")).contains(
                Json.of("""
                        [{"type":"input_text","text":"See"},{"type":"input_image","image_url":"data:image/png;base64,AQI="},
                         {"type":"input_file","filename":"a.pdf","file_data":"data:application/pdf;base64,AQI="},
                         {"type":"input_file","file_id":"f-1"}]"""));
    }

    @Test
    void whatAProtocolCannotSayIsRefused() {
        URI address = URI.create("https://example.org/x");
        refuses(chat, Message.user(new FilePart("application/pdf", "a", Source.at(address))),
                "file by its address");
        refuses(chat, Message.user(new ImagePart("image/png", Source.uploaded("f"))), "uploaded");
        assertThatThrownBy(() -> responses.write(ModelRequest.builder(List.of(Message.user("Hi")))
                .generation(Generation.PROVIDER_DECIDES.withStop("x"))
                .build())).isInstanceOf(ModelException.class)
                .hasMessageContaining("[x]");
    }

    private static void refuses(Protocol protocol, Message message, String words) {
        assertThatThrownBy(() -> protocol.write(ModelRequest.of(message))).isInstanceOf(ModelException.class)
                .hasMessageContaining(words);
    }

    @Test
    void anOwnFormThatIsSpoiledIsLeftOut() {
        String deep = "[".repeat(511) + "]".repeat(511);
        for (String spoiled : List.of("null", "{\"role\":true}", "{\"tool_calls\":[{\"id\":1}]}",
                "{\"role\":\"assistant\",\"x\":" + deep + "}")) {
            assertThat(chat.write(after("openai-chat", spoiled)).at("/messages/1")).as(spoiled)
                    .contains(Json.of("{\"role\":\"assistant\",\"content\":\"Hi\"}"));
        }
        for (String spoiled : List.of("null", "{}", "[{\"type\":1}]",
                "[{\"type\":\"message\"},{\"type\":\"reasoning\",\"encrypted_content\":1}]",
                "[{\"type\":\"message\"}," + deep.substring(2, deep.length() - 2) + "]")) {
            assertThat(responses.write(after("openai-responses", spoiled)).at("/input/1")).as(spoiled)
                    .contains(Json.of("{\"role\":\"assistant\",\"content\":\"Hi\"}"));
        }
    }

    private static ModelRequest after(String provider, String payload) {
        return ModelRequest.of(Message.user("?"), new AssistantMessage(List.of(new TextPart("Hi")),
                new NativePayload(provider, Json.of(payload))), Message.user("Go on."));
    }
}
