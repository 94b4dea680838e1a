package dev.belay.tests.output;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.json.Json;
import dev.belay.model.Message;
import dev.belay.model.Message.ToolMessage;
import dev.belay.model.Model;
import dev.belay.model.ModelException;
import dev.belay.model.ModelRequest;
import dev.belay.model.Part.CallPart;
import dev.belay.model.Part.ImagePart;
import dev.belay.model.Part.ReplyPart;
import dev.belay.model.Part.Source;
import dev.belay.model.TokenFamily;
import dev.belay.model.anthropic.AnthropicModel;
import dev.belay.model.openai.OpenAiApi;
import dev.belay.model.openai.OpenAiModel;
import dev.belay.runtime.Belay;
import dev.belay.runtime.plugin.RollingHistory;
import dev.belay.runtime.session.OpenTurn;
import dev.belay.runtime.session.TurnResult;
import dev.belay.runtime.store.memory.SharedMemory;
import dev.belay.store.jdbc.JdbcStore;
import dev.belay.store.jdbc.SqliteOptions;
import dev.belay.testkit.PluginHarness;
import dev.belay.testkit.model.WireAnswer;
import dev.belay.testkit.model.WireServer;
import dev.belay.tests.plugin.PluginBench;
import dev.belay.tests.session.SessionBench;
import dev.belay.tool.Tool;
import dev.belay.tool.ToolContext;
import dev.belay.tool.ToolEffect;
import dev.belay.tool.ToolInput;
import dev.belay.tool.Tools;
import dev.belay.tool.context.Attachments.Reference;
import dev.belay.toolset.Step;
import dev.belay.toolset.Toolset;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Contract M.5: attachments are references; those that are pictures are shown to models, at most 8 of a batch. */
class PicturesTest {

    private static final String DRAW = "draw {\"count\":2}\ndraw {\"count\":300}";

    private final OutputBench bench = new OutputBench();
    /** What the replies of the first batch show in each request that has one. */
    private final List<List<List<ImagePart>>> shown = new CopyOnWriteArrayList<>();
    private final SharedMemory memory = new SharedMemory();

    /** A toolset. */
    @Tools
    sealed interface Drawing {

        /** Pictures. */
        @Tool(effect = ToolEffect.READ, undescribed = true)
        record Draw(int count) implements Drawing, ToolInput<List<Reference>> {}
    }

    /** Makes pictures. */
    public static final class Painter {

        /** So many of them. */
        @Tool(effect = ToolEffect.READ, undescribed = true)
        public List<Reference> draw(int count, ToolContext context) {
            return IntStream.range(0, count)
                    .mapToObj(i -> context.attachments().put(new byte[]{1, (byte) i}, "image/png"))
                    .toList();
        }

        /** The same again. */
        @Tool(effect = ToolEffect.READ, undescribed = true)
        public Reference echo(Reference picture) {
            return picture;
        }
    }

    private Belay open(boolean file, Path folder) {
        return Belay.builder()
                .store(file ? JdbcStore.sqlite(folder.resolve("s.db")) : memory.open())
                .model(SessionBench.model(request -> {
                    request.messages()
                            .stream()
                            .filter(ToolMessage.class::isInstance)
                            .findFirst()
                            .ifPresent(replies -> shown.add(request.shown((ToolMessage) replies)));
                    return bench.obeying().complete(request);
                }))
                .toolMethods(new Painter())
                .build();
    }

    private static void run(Belay belay, boolean own) throws Exception {
        if (!own) {
            belay.session("s").turn(DRAW).run();
            return;
        }
        try (OpenTurn turn = belay.session("s").begin(DRAW, "in")) {
            Toolset<Drawing> tools = Toolset.of(Drawing.class);
            var round = ((Step.NeedsTools<Drawing, String>) turn.step().tools(tools).run()).round();
            round.commit(round.calls()
                    .stream()
                    .map(call -> call.run((Drawing.Draw) call.input(),
                            context -> new Painter().draw(((Drawing.Draw) call.input()).count(), context)))
                    .toList());
            turn.step().tools(tools).run();
        }
    }

    private static ImagePart picture(int number) {
        return new ImagePart("image/png", Source.of(new byte[]{1, (byte) number}));
    }

    @ParameterizedTest(name = "in a file: {0}, in a loop of a program: {1}")
    @CsvSource({"false, false", "true, false", "false, true", "true, true"})
    void theFirstEightPicturesOfABatchAreShownAlsoInLaterTurnsAndProcesses(boolean file, boolean own,
            @TempDir Path folder) throws Exception {
        try (Belay belay = open(file, folder)) {
            run(belay, own);
        }
        try (Belay belay = open(file, folder)) {
            belay.session("s").turn("draw {\"count\":1}").run();
        }
        List<List<ImagePart>> eight = List.of(List.of(picture(0), picture(1)),
                IntStream.range(2, 8).mapToObj(PicturesTest::picture).toList());
        assertThat(shown).as("each once in a batch, in every request").containsExactly(eight, eight, eight);
    }

    /** A batch of ten pictures, and what the next request of a model on the wire has of them. */
    private static String sent(Function<String, Model> model, String calls, String done) throws Exception {
        try (WireServer server = WireServer.start()) {
            server.play(seen -> WireAnswer.json(calls));
            server.play(seen -> WireAnswer.json(done));
            try (Belay belay = Belay.builder()
                    .model(model.apply(server.url() + "/v1"))
                    .toolMethods(new Painter())
                    .build()) {
                assertThat(belay.session("s").turn("Draw.").run().ended().text()).isEqualTo("Done.");
            }
            return server.requests().get(1).body();
        }
    }

    private static final String CHAT_CALL = """
            {"id":"r","object":"chat.completion","model":"m","choices":[{"index":0,"finish_reason":"tool_calls",
             "message":{"role":"assistant","content":null,"tool_calls":[{"id":"c","type":"function",
              "function":{"name":"draw","arguments":"{\\"count\\":10}"}}]}}],
             "usage":{"prompt_tokens":1,"completion_tokens":1,"total_tokens":2}}""";
    private static final String CHAT_DONE = """
            {"id":"r","object":"chat.completion","model":"m","choices":[{"index":0,"finish_reason":"stop",
             "message":{"role":"assistant","content":"Done."}}],
             "usage":{"prompt_tokens":1,"completion_tokens":1,"total_tokens":2}}""";
    private static final String RESPONSES_CALL = """
            {"id":"r","object":"response","status":"completed","model":"m","output":[{"type":"function_call",
             "id":"fc","call_id":"c","name":"draw","arguments":"{\\"count\\":10}","status":"completed"}],
             "usage":{"input_tokens":1,"output_tokens":1,"total_tokens":2}}""";
    private static final String RESPONSES_DONE = """
            {"id":"r","object":"response","status":"completed","model":"m","output":[{"type":"message","id":"m",
             "role":"assistant","status":"completed","content":[{"type":"output_text","text":"Done.",
              "annotations":[]}]}],"usage":{"input_tokens":1,"output_tokens":1,"total_tokens":2}}""";
    private static final String MESSAGES_CALL = """
            {"id":"r","type":"message","role":"assistant","model":"m","stop_reason":"tool_use","stop_sequence":null,
             "content":[{"type":"tool_use","id":"c","name":"draw","input":{"count":10}}],
             "usage":{"input_tokens":1,"output_tokens":1}}""";
    private static final String MESSAGES_DONE = """
            {"id":"r","type":"message","role":"assistant","model":"m","stop_reason":"end_turn","stop_sequence":null,
             "content":[{"type":"text","text":"Done."}],"usage":{"input_tokens":1,"output_tokens":1}}""";

    private static OpenAiModel.Builder openAi(String url) {
        return OpenAiModel.builder("m").baseUrl(url).apiKey("key").streaming(false);
    }

    @Test
    void onEachWireEightPicturesOfABatchAreShownAndThroughChatOnlyIfTheProgramAsksForIt() throws Exception {
        String messages = sent(url -> AnthropicModel.builder("m")
                .baseUrl(url)
                .apiKey("key")
                .streaming(false)
                .build(), MESSAGES_CALL, MESSAGES_DONE);
        assertThat(messages.split("\"type\":\"image\"", -1)).hasSize(9);
        String responses = sent(url -> openAi(url).api(OpenAiApi.RESPONSES).build(), RESPONSES_CALL,
                RESPONSES_DONE);
        assertThat(responses.split("\"type\":\"input_image\"", -1)).hasSize(9);
        String chat = sent(url -> openAi(url).showPictures(true).build(), CHAT_CALL, CHAT_DONE);
        assertThat(Json.of(chat).at("/messages/3/role")).contains(Json.string("user"));
        assertThat(Json.of(chat).at("/messages/3/content").orElseThrow().items()).hasSize(9)
                .first()
                .isEqualTo(Json.of("{\"type\":\"text\",\"text\":\"Shown by the tool draw:\"}"));
        String byDefault = sent(url -> openAi(url).build(), CHAT_CALL, CHAT_DONE);
        assertThat(Json.of(byDefault).at("/messages").orElseThrow().items()).hasSize(3);
        assertThat(byDefault).doesNotContain("base64").contains("image/png");
    }

    @Test
    void aPictureOfAnotherSessionIsNotShown(@TempDir Path folder) throws Exception {
        try (Belay belay = open(false, folder)) {
            String drawn = belay.session("s").turn("draw {\"count\":1}").run().ended().text();
            String echo = "echo {\"picture\":" + drawn.substring(1, drawn.length() - 1) + "}";
            belay.session("s").turn(echo).run();
            belay.session("t").turn(echo).run();
        }
        assertThat(shown).containsExactly(List.of(List.of(picture(0))), List.of(List.of(picture(0))),
                List.of(List.of(picture(0))), List.of(List.of()));
    }

    private static ToolMessage saying(ReplyPart.Status status, String mediaType, int size) {
        return Message.replies(new ReplyPart("a", "draw", status, "See {\"hash\":\"" + "ab".repeat(32)
                + "\",\"mediaType\":\"" + mediaType + "\",\"size\":" + size + "} here"));
    }

    @Test
    void failuresOtherTypesAndPicturesThatProvidersRefuseStayReferences() {
        ModelRequest request = ModelRequest.builder(List.of(Message.user("Hi")))
                .pictures((hash, type, size) -> Optional.of(new byte[]{1}))
                .build();
        assertThat(request.shown(saying(ReplyPart.Status.OK, "image/webp", 3_750_000)).getFirst()).hasSize(1);
        assertThat(request.shown(saying(ReplyPart.Status.OK, "image/webp", 3_750_001)).getFirst()).isEmpty();
        assertThat(request.shown(saying(ReplyPart.Status.OK, "image/tiff", 3)).getFirst()).isEmpty();
        assertThat(request.shown(saying(ReplyPart.Status.OK, "application/pdf", 3)).getFirst()).isEmpty();
        assertThat(request.shown(saying(ReplyPart.Status.ERROR, "image/png", 3)).getFirst()).isEmpty();
    }

    @Test
    void aPictureThatAReplyNamesCountsForTwelveHundredTokens() {
        long text = TokenFamily.O200K.tokens(saying(ReplyPart.Status.ERROR, "image/png", 3));
        assertThat(TokenFamily.O200K.tokens(saying(ReplyPart.Status.OK, "image/png", 3)))
                .isEqualTo(text + 1_200);
    }

    @Test
    void thePicturesOfABatchHaveTwentyMegabytesTogether() {
        ModelRequest request = ModelRequest.builder(List.of(Message.user("Hi")))
                .pictures((hash, type, size) -> Optional.of(new byte[]{1}))
                .build();
        var text = new StringBuilder();
        for (int i = 10; i < 16; i++) {
            text.append("{\"hash\":\"" + (i + "").repeat(32)
                    + "\",\"mediaType\":\"image/png\",\"size\":3500000}");
        }
        assertThat(request.shown(Message.replies(new ReplyPart("a", "draw", ReplyPart.Status.OK, text + "")))
                .getFirst()).hasSize(5);
    }

    private static List<List<ImagePart>> all(ModelRequest request) {
        return request.messages()
                .stream()
                .filter(ToolMessage.class::isInstance)
                .flatMap(replies -> request.shown((ToolMessage) replies).stream())
                .toList();
    }

    /** As providers do that count pictures or bytes: what is refused is made shorter, and pictures go with their rounds. */
    @Test
    void aProviderThatRefusesARequestForItsPicturesGetsFewerAndTheSessionGoesOn() throws Exception {
        List<Integer> refused = new CopyOnWriteArrayList<>();
        try (Belay belay = Belay.builder()
                .store(memory.open())
                .model(SessionBench.model(request -> {
                    int pictures = all(request).stream().mapToInt(List::size).sum();
                    if (pictures > 20) {
                        refused.add(pictures);
                        throw new ModelException(ModelException.Kind.CONTEXT_TOO_LONG, "too many pictures");
                    }
                    return bench.obeying().complete(request);
                }))
                .toolMethods(new Painter())
                .configurePlugins(stack -> stack.replace(
                        new RollingHistory(RollingHistory.Config.DEFAULT.withoutSummaries())))
                .build()) {
            for (int i = 0; i < 12; i++) {
                assertThat(belay.session("s").turn("draw {\"count\":5}").run().ended())
                        .as("turn " + i)
                        .isInstanceOf(TurnResult.Finished.class);
            }
            assertThat(belay.session("s").history()).hasSize(refused.size());
        }
        assertThat(refused).hasSizeBetween(2, 6);
    }

    /** A picture that is lost, or another one, would change what the model says. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void whereverTheProcessDiesTheModelIsShownTheSamePictures(boolean file, @TempDir Path folder)
            throws Exception {
        var files = new AtomicInteger();
        var harness = PluginHarness.of(() -> PluginBench.plugin("idle", on -> {}),
                SessionBench.model(request -> SessionBench.roundsSinceUser(request) == 0
                        ? SessionBench.calls(List.of(new CallPart("a", "draw", "{\"count\":3}")))
                        : SessionBench.text("I see " + all(request).stream()
                                .flatMap(List::stream)
                                .map(picture -> picture.equals(picture(0)) + "" + picture.equals(picture(2)))
                                .toList())))
                .with(builder -> builder.toolMethods(new Painter()))
                .input("Draw.")
                .input("Draw again.");
        if (file) {
            harness.on(() -> {
                Path in = folder.resolve(files.incrementAndGet() + ".db");
                return probe -> JdbcStore.sqlite(in, SqliteOptions.STANDARD.withProbe(probe));
            });
        }
        assertThat(harness.verify()).isGreaterThan(20);
    }
}
