package dev.belay.model.envelope;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.assertj.core.api.Assertions.tuple;

import dev.belay.json.Json;
import dev.belay.model.FinishReason;
import dev.belay.model.Generation;
import dev.belay.model.Message;
import dev.belay.model.Message.AssistantMessage;
import dev.belay.model.Message.SystemMessage;
import dev.belay.model.Message.UserMessage;
import dev.belay.model.Model;
import dev.belay.model.ModelEvent;
import dev.belay.model.ModelEvent.ReasoningDelta;
import dev.belay.model.ModelEvent.TextDelta;
import dev.belay.model.ModelException;
import dev.belay.model.ModelListener;
import dev.belay.model.ModelRequest;
import dev.belay.model.ModelResponse;
import dev.belay.model.NativePayload;
import dev.belay.model.OutputSpec;
import dev.belay.model.Part.CallPart;
import dev.belay.model.Part.ReasoningPart;
import dev.belay.model.Part.ReplyPart;
import dev.belay.model.Part.TextPart;
import dev.belay.model.ResponseReducer;
import dev.belay.model.ToolChoice;
import dev.belay.model.ToolSpec;
import dev.belay.model.Usage;
import dev.belay.model.script.ScriptStep;
import dev.belay.model.script.ScriptedModel;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Keeps R.2 for the whole exchange: the prompt, the corrections, the history, the events. */
class TextEnvelopeModelTest {

    private static final ToolSpec ADD = new ToolSpec("add_numbers", "Adds two\n  numbers.",
            Json.of("{\"type\": \"object\", \"required\": [\"a\"]}"));
    private static final ToolSpec ECHO = new ToolSpec("echo", "", Json.of("{\"type\":\"object\"}"));
    private static final String CALL = "{\"kind\":\"tool_call\",\"tool_name\":\"echo\",\"arguments\":{\"text\": \"hi\"}}";
    private static final String DONE = "{\"kind\":\"final\",\"content\":\"done\"}";

    private final ScriptedModel inner = new ScriptedModel("small");
    private final List<ModelEvent> heard = new ArrayList<>();

    @Test
    void aCallIsACall() {
        inner.then(ScriptStep.text(CALL.replace("}}", "},\"note\":\"a moment\"}")).usage(Usage.of(10, 5)));
        ModelResponse response = ask(request(Message.user("say hi")));
        assertThat(response.message().parts()).containsExactly(new TextPart("a moment"),
                new CallPart("", "echo", "{\"text\": \"hi\"}"));
        assertThat(response.finish()).isEqualTo(FinishReason.TOOL_CALLS);
        assertThat(response.usage()).isEqualTo(Usage.of(10, 5));
        assertThat(response.message().withCallIds(3).calls().getFirst().id()).isEqualTo("call_3_0");
    }

    @Test
    void aFinalAnswerIsText() {
        inner.then(ScriptStep.text("```json\n" + DONE + "\n```").finish(FinishReason.OTHER));
        ModelResponse response = ask(request(Message.user("go")));
        assertThat(response.message().parts()).containsExactly(new TextPart("done"));
        assertThat(response.finish()).isEqualTo(FinishReason.STOP);
    }

    @Test
    void theModelIsToldTheShapesAndTheToolsSorted() {
        inner.reply(DONE);
        ask(ModelRequest.builder(List.of(Message.system("You are a clerk."), Message.user("go")))
                .tools(List.of(ECHO, ADD))
                .generation(Generation.PROVIDER_DECIDES.withSeed(7))
                .build());
        ModelRequest asked = inner.lastRequest().orElseThrow();
        assertThat(asked.tools()).isEmpty();
        assertThat(asked.output()).isEqualTo(OutputSpec.text());
        assertThat(asked.generation()).isEqualTo(Generation.PROVIDER_DECIDES.withSeed(7));
        assertThat(asked.messages()).hasSize(2);
        assertThat(system(asked)).startsWith("You are a clerk.\n\n")
                .contains("{\"kind\":\"tool_call\",\"tool_name\":", "{\"kind\":\"final\",\"content\":")
                .contains("""
                        Tools:
                        - add_numbers: Adds two numbers.
                          arguments: {"type":"object","required":["a"]}
                        - echo
                          arguments: {"type":"object"}
                        """);
    }

    @Test
    void theDemandIsSaid() {
        assertThat(prompt(ToolChoice.auto())).doesNotContain(" now");
        assertThat(prompt(ToolChoice.any())).endsWith("Call a tool now; do not answer the user yet.\n");
        assertThat(prompt(ToolChoice.specific("echo"))).endsWith("Call the tool echo now.\n");
        assertThat(prompt(ToolChoice.none())).endsWith("Do not call a tool now; answer the user.\n");
    }

    @Test
    void aWrongAnswerGoesBackWithWhatWasWrongAndTheShape() {
        inner.then(ScriptStep.text("{\"kind\":\"call\"}").usage(Usage.of(10, 1)))
                .then(ScriptStep.text(CALL).usage(Usage.of(20, 2)));
        ModelResponse response = ask(request(Message.user("say hi")));
        assertThat(response.calls()).hasSize(1);
        assertThat(response.usage()).isEqualTo(Usage.of(30, 3));
        List<Message> again = inner.lastRequest().orElseThrow().messages();
        assertThat(again).hasSize(4);
        assertThat(again.get(2)).isEqualTo(Message.assistant("{\"kind\":\"call\"}"));
        assertThat(((UserMessage) again.get(3)).text())
                .contains("\"kind\" must be \"tool_call\" or \"final\", not \"call\"")
                .contains("{\"kind\":\"tool_call\"", "{\"kind\":\"final\"", "Tools: add_numbers, echo");
    }

    @Test
    void anEmptyAnswerIsToldWithoutAnEmptyMessage() {
        inner.then(ScriptStep.text(" ")).reply(DONE);
        ask(request(Message.user("go")));
        List<Message> again = inner.lastRequest().orElseThrow().messages();
        assertThat(again).hasSize(2);
        assertThat(((UserMessage) again.get(1)).text())
                .startsWith("go\n\nYour answer could not be read: it is empty");
    }

    @Test
    void aLongWrongAnswerIsNotRepeatedInFull() {
        inner.reply("x".repeat(100_000)).reply(DONE);
        ask(request(Message.user("go")));
        AssistantMessage shown = (AssistantMessage) inner.lastRequest().orElseThrow().messages().get(2);
        assertThat(shown.text()).hasSize(4_001);
    }

    @Test
    void theModelInsideIsAskedWithoutItsOwnRetries() {
        Model persistent = new Model() {
            @Override
            public String id() {
                return "persistent";
            }

            @Override
            public ModelResponse complete(ModelRequest request, ModelListener listener) {
                throw new AssertionError("asked with its own retries");
            }

            @Override
            public Model withoutRetries() {
                return inner;
            }
        };
        inner.reply("{\"kind\":\"final\",\"content\":\"yes\"}");
        assertThat(TextEnvelopeModel.over(persistent)
                .withoutRetries()
                .complete(request(Message.user("go")))
                .text()).isEqualTo("yes");
    }

    @Test
    void correctionsAreBounded() {
        inner.then(ScriptStep.text("no").usage(Usage.of(1, 1)))
                .then(ScriptStep.text("no").usage(Usage.of(1, 1)))
                .then(ScriptStep.text("never").usage(Usage.of(1, 1)));
        ModelException error = catchThrowableOfType(ModelException.class,
                () -> ask(request(Message.user("go"))));
        assertThat(error.kind()).isEqualTo(ModelException.Kind.PROTOCOL);
        assertThat(error.retryable()).as("it was asked again, with what was wrong").isFalse();
        assertThat(error).hasMessageContaining("gave 3 answers")
                .hasMessageContaining("no JSON object")
                .hasMessageContaining(
                        "never");
        assertThat(error.partial().orElseThrow().text()).isEqualTo("never");
        assertThat(error.usage()).isEqualTo(Usage.of(3, 3));
        inner.assertExhausted();
    }

    @Test
    void theBoundIsYours() {
        inner.reply("no");
        assertThatThrownBy(
                () -> TextEnvelopeModel.over(inner).corrections(0).complete(request(Message.user("go"))))
                .hasMessageContaining("gave an answer that cannot be read");
        assertThat(inner.requests()).hasSize(1);
        assertThatThrownBy(() -> TextEnvelopeModel.over(inner).corrections(11))
                .hasMessageContaining("0 to 10, not 11");
        assertThatThrownBy(() -> TextEnvelopeModel.over(inner).corrections(-1)).hasMessageContaining("-1");
    }

    @Test
    void aCutAnswerIsNotAskedAgain() {
        inner.then(ScriptStep.text("{\"kind\":\"final\",\"content\":\"and so").finish(FinishReason.LENGTH));
        ModelResponse response = ask(request(Message.user("go")));
        assertThat(response.finish()).isEqualTo(FinishReason.LENGTH);
        assertThat(response.text()).contains("and so");
        assertThat(response.calls()).isEmpty();
    }

    @Test
    void refusalsFiltersAndNativeCallsPass() {
        inner.refuse("I will not.")
                .then(ScriptStep.text("hidden").finish(FinishReason.CONTENT_FILTER))
                .then(ScriptStep.call("echo", "{}").andCall("n2", "add_numbers", "[]"));
        assertThat(ask(request(Message.user("go"))).refusal()).contains("I will not.");
        heard.clear();
        assertThat(ask(request(Message.user("go"))).finish()).isEqualTo(FinishReason.CONTENT_FILTER);
        heard.clear();
        assertThat(ask(request(Message.user("go"))).calls()).extracting(CallPart::name, CallPart::arguments)
                .containsExactly(tuple("echo", "{}"),
                        tuple("add_numbers", "[]"));
    }

    @Test
    void whatWasSaidInAnEnvelopeGoesBackLetterByLetter() {
        String raw = "Let me see.\n" + CALL;
        NativePayload own = new NativePayload("wire", Json.of("{\"sig\":\"x\"}"));
        inner.then(ScriptStep.text(raw).nativePayload(own)).reply(DONE);
        AssistantMessage said = ask(request(Message.user("say hi"))).message().withCallIds(1);
        heard.clear();
        ask(request(Message.user("say hi"), said,
                Message.replies(new ReplyPart("call_1_0", "echo", ReplyPart.Status.OK, "hi"))));
        List<Message> asked = inner.lastRequest().orElseThrow().messages();
        assertThat(asked.subList(1, asked.size())).containsExactly(Message.user("say hi"),
                new AssistantMessage(List.of(new TextPart(raw)), own),
                Message.user(
                        "{\"kind\":\"tool_result\",\"tool_name\":\"echo\",\"status\":\"ok\",\"content\":\"hi\"}"));
    }

    @Test
    void callsOfOtherModelsBecomeEnvelopesOneByOne() {
        inner.reply(DONE);
        ask(request(Message.user("go"),
                Message.assistant(new ReasoningPart("secret"), new TextPart("both"),
                        new CallPart("1", "echo", "{\"a\":1}"),
                        new CallPart("2", "add_numbers", "{broken")),
                Message.replies(
                        new ReplyPart("2", "add_numbers", ReplyPart.Status.ERROR,
                                "Error (malformed_arguments): no"),
                        new ReplyPart("1", "echo", ReplyPart.Status.REJECTED, "Rejected: \"no\"")),
                Message.user("and now?"), Message.assistant("fine"), Message.user("really?")));
        List<Message> asked = inner.lastRequest().orElseThrow().messages();
        assertThat(asked.subList(1, asked.size())).containsExactly(Message.user("go"),
                Message.assistant(
                        "{\"kind\":\"tool_call\",\"tool_name\":\"echo\",\"arguments\":{\"a\":1},\"note\":\"both\"}"),
                Message.user("{\"kind\":\"tool_result\",\"tool_name\":\"echo\",\"status\":\"rejected\","
                        + "\"content\":\"Rejected: \\\"no\\\"\"}"),
                Message.assistant(
                        "{\"kind\":\"tool_call\",\"tool_name\":\"add_numbers\",\"arguments\":\"{broken\"}"),
                Message.user("{\"kind\":\"tool_result\",\"tool_name\":\"add_numbers\",\"status\":\"error\","
                        + "\"content\":\"Error (malformed_arguments): no\"}\n\nand now?"),
                Message.assistant("{\"kind\":\"final\",\"content\":\"fine\"}"), Message.user("really?"));
    }

    @Test
    void withoutToolsAndCallsTheRequestPassesAsItIs() {
        inner.then(ScriptStep.text("plain").chunks(2));
        ModelRequest plain = ModelRequest.of(Message.user("hello"));
        assertThat(ask(plain).text()).isEqualTo("plain");
        assertThat(inner.lastRequest()).contains(plain);
        assertThat(heard).contains(new TextDelta("pl"));
    }

    @Test
    void aHistoryWithCallsIsSaidInTextThoughNoToolsAreOffered() {
        inner.reply(DONE);
        ModelResponse response = ask(
                ModelRequest.of(Message.user("go"), Message.assistant(new CallPart("1", "echo", "{}")),
                        Message.replies(new ReplyPart("1", "echo", ReplyPart.Status.OK, "hi"))));
        assertThat(response.text()).isEqualTo("done");
        assertThat(system(inner.lastRequest().orElseThrow())).doesNotContain("tool_call")
                .contains("\"final\"");
    }

    @Test
    void reasoningIsHeardAtOnceAndThoughtsBecomeReasoning() {
        inner.then(ScriptStep.reasoning("first").andText("oops"))
                .then(ScriptStep.reasoning("second").andText("<think>third</think>" + DONE).chunks(3));
        ModelResponse response = ask(request(Message.user("go")));
        assertThat(response.message().parts()).containsExactly(new ReasoningPart("firstsecondthird"),
                new TextPart("done"));
        assertThat(heard).contains(new ReasoningDelta("sec"));
        assertThat(heard).doesNotContain(new TextDelta("oops"));
    }

    @Test
    void thoughtsBesideACallBecomeReasoning() {
        inner.reply("<think>let me see</think>" + CALL);
        assertThat(ask(request(Message.user("go"))).message().reasoning()).isEqualTo("let me see");
    }

    @Test
    void aStructuredAnswerIsItsJson() {
        inner.reply("{\"kind\":\"final\",\"content\":{\"x\":1}}");
        ModelResponse response = ask(request(Message.user("go")).toBuilder()
                .output(OutputSpec.schema("point", Json.of("{\"type\":\"object\",\"title\":\"P\"}")))
                .build());
        assertThat(response.text()).isEqualTo("{\"x\":1}");
        assertThat(system(inner.lastRequest().orElseThrow()))
                .contains("{\"type\":\"object\",\"title\":\"P\"}");
    }

    @Test
    void theShapeCanBeEnforcedByTheServer() {
        inner.reply(DONE);
        TextEnvelopeModel.over(inner).enforced().complete(request(Message.user("go")));
        assertThat(inner.lastRequest().orElseThrow().output())
                .isEqualTo(OutputSpec.schema("envelope", Json.of("""
                        {"anyOf":[
                          {"type":"object","properties":{
                            "kind":{"type":"string","enum":["tool_call"]},
                            "tool_name":{"type":"string","enum":["add_numbers","echo"]},
                            "arguments":{"type":"object"},
                            "note":{"type":"string"}},
                           "required":["kind","tool_name","arguments"]},
                          {"type":"object","properties":{
                            "kind":{"type":"string","enum":["final"]},
                            "content":{"type":"string"}},
                           "required":["kind","content"]}]}""")));
    }

    @Test
    void referencesOfAnAnswersSchemaLeadSomewhere() {
        inner.reply("{\"kind\":\"final\",\"content\":{}}");
        Json schema = Json.of("""
                {"type":"object","properties":{"first":{"$ref":"#/$defs/Node"},"default":{"$ref":"#"},
                 "word":{"const":{"$ref":"#"}}},
                 "$defs":{"Node":{"type":"object","properties":{"next":{"$ref":"#/$defs/Node"},
                  "top":{"$ref":"#/properties/first"}}}}}""");
        TextEnvelopeModel.over(inner)
                .enforced()
                .complete(request(Message.user("go")).toBuilder()
                        .output(OutputSpec.schema("list", schema))
                        .build());
        var sent = ((OutputSpec.Schema) inner.lastRequest().orElseThrow().output()).schema();
        assertThat(sent.at("/anyOf/1/properties/content")).contains(Json.of("""
                {"type":"object","properties":{"first":{"$ref":"#/$defs/Node"},
                 "default":{"$ref":"#/anyOf/1/properties/content"},"word":{"const":{"$ref":"#"}}}}"""));
        assertThat(sent.get("$defs")).contains(Json.of("""
                {"Node":{"type":"object","properties":{"next":{"$ref":"#/$defs/Node"},
                 "top":{"$ref":"#/anyOf/1/properties/content/properties/first"}}}}"""));
    }

    @Test
    void withoutToolsThereIsOneShape() {
        inner.reply(DONE);
        ask(ModelRequest.of(Message.user("go"), Message.assistant(new CallPart("c", "echo", "{}")),
                Message.replies(new ReplyPart("c", "echo", ReplyPart.Status.OK, "hi"))));
        assertThat(((SystemMessage) inner.lastRequest().orElseThrow().messages().getFirst()).text())
                .contains("It has this shape.")
                .doesNotContain("two shapes");
    }

    @Test
    void aFailureCarriesWhatHasBeenSpent() {
        inner.then(ScriptStep.text("no").usage(Usage.of(5, 5)))
                .then(ScriptStep.text("half")
                        .usage(Usage.of(7, 1))
                        .thenError(new ModelException(ModelException.Kind.CONNECTION, "gone")));
        ModelException error = catchThrowableOfType(ModelException.class,
                () -> ask(request(Message.user("go"))));
        assertThat(error.kind()).isEqualTo(ModelException.Kind.CONNECTION);
        assertThat(error.usage()).isEqualTo(Usage.of(12, 6));
        assertThat(error.partial().orElseThrow().text()).isEqualTo("half");
    }

    @Test
    void whatAListenerThrowsEndsTheCall() {
        inner.reply(CALL);
        IllegalStateException stop = new IllegalStateException("stop");
        assertThatThrownBy(
                () -> TextEnvelopeModel.over(inner).complete(request(Message.user("go")), event -> {
                    if (event instanceof ModelEvent.CallStarted) {
                        throw stop;
                    }
                })).isSameAs(stop);
    }

    @Test
    void anInterruptionPasses() {
        inner.reply("never heard");
        Thread.currentThread().interrupt();
        try {
            assertThatThrownBy(() -> ask(request(Message.user("go"))))
                    .isInstanceOfSatisfying(ModelException.class,
                            e -> assertThat(e.kind()).isEqualTo(ModelException.Kind.INTERRUPTED));
        } finally {
            assertThat(Thread.interrupted()).isTrue();
        }
    }

    @Test
    void theEnvelopeHasTheNameOfItsModel() {
        assertThat(TextEnvelopeModel.over(inner).id()).isEqualTo("small");
    }

    @Test
    void textThatIsNotWholeCharactersBreaksNothing() {
        inner.reply("\ud800 " + DONE).reply(DONE);
        AssistantMessage said = ask(request(Message.user("go"))).message();
        assertThat(Objects.requireNonNull(said.nativePayload()).payload().get("text"))
                .contains(Json.string("\ufffd " + DONE));
        heard.clear();
        ask(request(Message.user("go"), Message.assistant("\udc00"), Message.user("more")));
        assertThat(inner.lastRequest().orElseThrow().messages().get(2))
                .isEqualTo(Message.assistant("{\"kind\":\"final\",\"content\":\"?\"}"));
    }

    /** Asks through the envelope, and demands of every answer that the events reduce to it. */
    private ModelResponse ask(ModelRequest request) {
        ModelResponse response = TextEnvelopeModel.over(inner).complete(request, heard::add);
        assertThat(ResponseReducer.reduce(heard)).isEqualTo(response);
        return response;
    }

    private static ModelRequest request(Message... messages) {
        return ModelRequest.builder(List.of(messages)).tools(List.of(ECHO, ADD)).build();
    }

    private static String prompt(ToolChoice choice) {
        return EnvelopePrompt
                .instructions(request(Message.user("go")).toBuilder().toolChoice(choice).build());
    }

    private static String system(ModelRequest asked) {
        return ((SystemMessage) asked.messages().getFirst()).text();
    }
}
