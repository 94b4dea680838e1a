package dev.belay.tests.output;

import static dev.belay.tests.session.SessionBench.call;
import static dev.belay.tests.session.SessionBench.tool;
import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.json.Json;
import dev.belay.model.Message.ToolMessage;
import dev.belay.model.ModelRequest;
import dev.belay.model.Part.CallPart;
import dev.belay.runtime.Belay;
import dev.belay.runtime.BelayBuilder;
import dev.belay.runtime.dispatch.CallRequest;
import dev.belay.runtime.plugin.PluginStack;
import dev.belay.runtime.process.ProcessEnd;
import dev.belay.runtime.process.ProcessStart;
import dev.belay.runtime.session.Session;
import dev.belay.runtime.session.TurnResult;
import dev.belay.runtime.store.Store;
import dev.belay.runtime.store.memory.SharedMemory;
import dev.belay.store.jdbc.JdbcStore;
import dev.belay.tests.session.SessionBench;
import dev.belay.tool.StaticToolProvider;
import dev.belay.tool.ToolEffect;
import dev.belay.tool.ToolException;
import dev.belay.tool.ToolProvider;
import dev.belay.tool.ToolResult;
import dev.belay.tool.option.OutputBudget;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Contract M.1 to M.5 in the loop of the runtime: what a plain session shows of large outputs. In memory and in a file. */
@Timeout(120)
class OutputBudgetTest {

    static final String LINES = IntStream.rangeClosed(1, 50_000)
            .mapToObj(i -> "line " + i)
            .collect(Collectors.joining("\n"));

    @TempDir
    Path directory;

    private final List<Belay> opened = new ArrayList<>();
    private final List<ModelRequest> requests = new CopyOnWriteArrayList<>();

    /** Where sessions are kept. */
    enum Kept {
        IN_MEMORY, IN_A_FILE
    }

    @AfterEach
    void close() {
        opened.forEach(Belay::close);
    }

    private Store store(Kept kept) {
        return kept == Kept.IN_MEMORY
                ? new SharedMemory().open()
                : JdbcStore.sqlite(directory.resolve("belay.db"));
    }

    private static ToolProvider tools() {
        return StaticToolProvider.builder()
                .raw(tool("dump", ToolEffect.READ), (in, context) -> LINES)
                .raw(tool("small", ToolEffect.READ), (in, context) -> "small")
                .raw(tool("wide", ToolEffect.READ), (in, context) -> "w".repeat(20_000))
                .raw(tool("list", ToolEffect.READ),
                        (in, context) -> Json.array(Collections.nCopies(100_000, Json.string("a"))))
                .raw(tool("fail", ToolEffect.READ), (in, context) -> {
                    throw new ToolException("f".repeat(300_000));
                })
                .raw(tool("tail", ToolEffect.READ)
                        .budget(new OutputBudget(1_024, 10, OutputBudget.Keep.TAIL)),
                        (in, context) -> LINES)
                .raw(tool("halves", ToolEffect.READ), (in, context) -> {
                    throw new ToolException("\ud83d".repeat(30_000) + "\ude00");
                })
                .raw(tool("last", ToolEffect.READ), (in, context) -> ToolResult.finish(LINES))
                .build();
    }

    private BelayBuilder builder(Kept kept, List<List<CallPart>> rounds) {
        return Belay.builder().tools(tools()).store(store(kept)).model(SessionBench.model(request -> {
            requests.add(request);
            int done = SessionBench.roundsSinceUser(request);
            return done < rounds.size()
                    ? SessionBench.calls(rounds.get(done))
                    : SessionBench.text("done");
        }));
    }

    private Belay open(BelayBuilder builder) {
        Belay belay = builder.build();
        opened.add(belay);
        return belay;
    }

    @SafeVarargs
    @SuppressWarnings("varargs") // the list is only read
    private Session run(Kept kept, List<CallPart>... rounds) throws InterruptedException {
        Session session = open(builder(kept, Arrays.stream(rounds).toList())).session("s");
        assertThat(session.turn("Go.").run().ended().text()).isEqualTo("done");
        return session;
    }

    private static List<String> replies(List<? extends dev.belay.model.Message> messages) {
        return messages.stream()
                .filter(ToolMessage.class::isInstance)
                .flatMap(message -> ((ToolMessage) message).replies().stream())
                .map(reply -> reply.text())
                .toList();
    }

    private static int bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8).length;
    }

    @ParameterizedTest
    @EnumSource
    void aPlainSessionCutsALargeOutputAndOffersToReadIt(Kept kept) throws Exception {
        Session session = run(kept, List.of(call("a", "dump"), call("b", "small")),
                List.of(call("c", "small")));
        List<String> shown = replies(requests.get(1).messages());
        assertThat(bytes(shown.getFirst())).isLessThanOrEqualTo(16_384);
        assertThat(shown.getFirst()).startsWith("line 1\nline 2\n")
                .containsPattern("\nline 396\n\n\\.\\.\\.49604 lines truncated\\.\\.\\.\n\n"
                        + "Full output: read_output\\(\"out-538893-[0-9a-f]{64}\"\\)$");
        assertThat(shown.getLast()).isEqualTo("small");
        assertThat(session.messages()).as("the history").isNotEmpty();
        assertThat(replies(session.messages()).getFirst()).isEqualTo(shown.getFirst());
        assertThat(requests.getFirst().tools()).extracting(spec -> spec.name())
                .doesNotContain("read_output", "search_output");
        assertThat(requests.get(1).tools()).extracting(spec -> spec.name())
                .as("appended last")
                .endsWith("read_output", "search_output");
        assertThat(requests.get(2).tools()).isEqualTo(requests.get(1).tools());
        session.turn("Again.").run();
        assertThat(requests.get(3).tools()).as("never withdrawn").isEqualTo(requests.get(1).tools());
    }

    @ParameterizedTest
    @EnumSource
    void failuresAndArraysOfSmallStringsAreCutToo(Kept kept) throws Exception {
        run(kept, List.of(call("a", "list"), call("b", "fail"), call("c", "tail")));
        List<String> shown = replies(requests.get(1).messages());
        assertThat(shown).allSatisfy(text -> assertThat(bytes(text)).isLessThanOrEqualTo(16_384));
        assertThat(shown.get(0)).startsWith("[\"a\",\"a\"").contains(" bytes truncated...");
        assertThat(shown.get(1)).startsWith("Error (tool_failed): fff").contains(" bytes truncated...");
        assertThat(bytes(shown.get(2))).as("its own budget").isLessThanOrEqualTo(1_024);
        assertThat(shown.get(2)).startsWith("...49994 lines truncated...").endsWith("\nline 50000");
    }

    @ParameterizedTest
    @EnumSource
    void aBatchIsUnderItsOwnLimit(Kept kept) throws Exception {
        run(kept, IntStream.range(0, 40).mapToObj(i -> call("c" + i, i == 7 ? "small" : "wide")).toList());
        List<String> shown = replies(requests.get(1).messages());
        assertThat(shown.stream().mapToInt(OutputBudgetTest::bytes).sum()).isLessThanOrEqualTo(65_536)
                .isGreaterThan(64_000);
        assertThat(shown.get(7)).isEqualTo("small");
    }

    @ParameterizedTest
    @EnumSource
    void smallOutputsLeaveNoTrace(Kept kept) throws Exception {
        Session session = run(kept, List.of(call("a", "small")));
        assertThat(replies(session.messages())).containsExactly("small");
        assertThat(requests).allSatisfy(request -> assertThat(request.tools()).hasSize(8));
    }

    @ParameterizedTest
    @EnumSource
    void anEmptyStackTurnsTheBudgetOff(Kept kept) throws Exception {
        Session session = open(
                builder(kept, List.of(List.of(call("a", "dump")))).plugins(PluginStack.empty()))
                .session("s");
        session.turn("Go.").run();
        assertThat(replies(requests.get(1).messages())).containsExactly(LINES);
    }

    @ParameterizedTest
    @EnumSource
    void aBatchThatEndsTheTurnIsCutInItsCommit(Kept kept) throws Exception {
        Session session = open(builder(kept, List.of(List.of(call("a", "last"))))).session("s");
        assertThat(session.turn("Go.").run().ended()).as("the program gets the whole value")
                .isInstanceOfSatisfying(TurnResult.Finished.class,
                        end -> assertThat(end.value()).contains(Json.string(LINES)));
        assertThat(replies(session.messages()).getFirst()).contains("lines truncated...");
        session.turn("Again.").run();
        assertThat(requests.get(1).tools()).extracting(spec -> spec.name())
                .endsWith("read_output", "search_output");
    }

    @Test
    void aProcessOfAToolIsCutWithoutAHandle() throws Exception {
        Belay belay = open(builder(Kept.IN_MEMORY, List.of()));
        ProcessEnd end = belay.processes()
                .start(ProcessStart.tool("wide", Json.EMPTY_OBJECT).id("p"))
                .awaitEnd();
        assertThat(end).isInstanceOfSatisfying(ProcessEnd.Completed.class,
                completed -> assertThat(completed.value().asString()).hasSizeLessThanOrEqualTo(16_384)
                        .endsWith(" bytes truncated..."));
    }

    @ParameterizedTest
    @EnumSource
    void oneLineOf50MegabytesIsCutAndKept(Kept kept) throws Exception {
        String large = "0123456789".repeat(5_000_000);
        try (Belay belay = Belay.builder()
                .store(store(kept))
                .model(SessionBench.calling(List.of(call("a", "huge"))))
                .tools(StaticToolProvider.builder()
                        .raw(tool("huge", ToolEffect.READ), (in, context) -> large)
                        .build())
                .build()) {
            Session session = belay.session("s");
            session.turn("Go.").run();
            String shown = replies(session.messages()).getFirst();
            assertThat(bytes(shown)).isBetween(16_300, 16_384);
            assertThat(session.output(OutputBench.handle(shown)).orElseThrow().equals(large)).isTrue();
        }
    }

    @ParameterizedTest
    @EnumSource
    void anOutputOverTheLargestSizeIsAFailureThatSaysSo(Kept kept) throws Exception {
        try (Belay belay = Belay.builder()
                .store(store(kept))
                .model(SessionBench.calling(List.of(call("a", "huge"))))
                .tools(StaticToolProvider.builder()
                        .raw(tool("huge", ToolEffect.READ), (in, context) -> "x".repeat((64 << 20) + 1))
                        .build())
                .build()) {
            Session session = belay.session("s");
            session.turn("Go.").run();
            assertThat(replies(session.messages()).getFirst()).startsWith("Error (resource_limit): ");
        }
    }

    @ParameterizedTest
    @EnumSource
    void halfCharactersAreShownWhole(Kept kept) throws Exception {
        Session session = open(builder(kept, List.of(List.of(call("a", "halves"), call("b", "wide")))))
                .session("s");
        assertThat(session.turn("Go.").run().ended().text()).isEqualTo("done");
        assertThat(bytes(replies(session.messages()).getFirst())).isLessThanOrEqualTo(16_384);
        session.turn("Again.").run();
        assertThat(replies(requests.getLast().messages())).isNotEmpty();
    }

    @Test
    void callsOutsideSessionsAreCutOneByOneWithoutAHandle() throws Exception {
        Belay belay = open(builder(Kept.IN_MEMORY, List.of()));
        List<String> texts = belay.calls()
                .run("batch", Collections.nCopies(10, new CallRequest("wide", "{}")))
                .outcomes()
                .stream()
                .map(outcome -> outcome.text())
                .toList();
        assertThat(texts).hasSize(10)
                .allSatisfy(text -> assertThat(bytes(text)).isBetween(16_300, 16_384))
                .allSatisfy(text -> assertThat(text).endsWith(" bytes truncated..."));
    }
}
