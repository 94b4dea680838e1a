package dev.belay.tests.output;

import static dev.belay.tests.output.OutputBench.LINES;
import static dev.belay.tests.output.OutputBench.handle;
import static dev.belay.tests.output.OutputBench.read;
import static dev.belay.tests.output.OutputBench.search;
import static dev.belay.tests.session.SessionBench.tool;
import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.json.Json;
import dev.belay.runtime.Belay;
import dev.belay.runtime.session.Session;
import dev.belay.runtime.session.SessionToolContext;
import dev.belay.runtime.store.Store;
import dev.belay.runtime.store.memory.SharedMemory;
import dev.belay.store.jdbc.JdbcStore;
import dev.belay.tool.StaticToolProvider;
import dev.belay.tool.Tool;
import dev.belay.tool.ToolContext;
import dev.belay.tool.ToolEffect;
import dev.belay.tool.context.Attachments;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Contract M.3, M.6: how kept outputs are read and searched, where handles resolve, and for how long. In memory and in a file. */
@Timeout(120)
class OutputHandlesTest {

    private static final String ONE_LINE = "a".repeat(3_000_000) + "needle" + "b".repeat(2_000_000);

    @TempDir
    Path directory;

    private final List<Belay> opened = new ArrayList<>();
    private final SharedMemory memory = new SharedMemory();
    private final OutputBench bench = new OutputBench();

    /** Where sessions are kept. */
    enum Kept {
        IN_MEMORY, IN_A_FILE
    }

    /** Lets a session below do something. */
    public static final class Delegating {

        /** Hands a text to a child. */
        @Tool(effect = ToolEffect.READ, undescribed = true)
        public String delegate(String text, SessionToolContext context) throws InterruptedException {
            return context.sessions().create("below").turn("t", text).await().text();
        }
    }

    /** Makes pictures and looks at them. */
    public static final class Pictures {

        /** Three hundred pictures. */
        @Tool(effect = ToolEffect.READ, undescribed = true)
        public List<Attachments.Reference> draw(ToolContext context) {
            return IntStream.range(0, 300)
                    .mapToObj(i -> context.attachments()
                            .put(new byte[]{1, (byte) i, (byte) (i >> 8)}, "image/png"))
                    .toList();
        }

        /** What a picture is made of. */
        @Tool(effect = ToolEffect.READ, undescribed = true)
        public String see(Attachments.Reference picture, ToolContext context) {
            return Arrays.toString(context.attachments().get(picture));
        }
    }

    @AfterEach
    void close() {
        opened.forEach(Belay::close);
    }

    private Belay open(Kept kept) {
        opened.forEach(Belay::close);
        Store store = kept == Kept.IN_MEMORY
                ? memory.open()
                : JdbcStore.sqlite(directory.resolve("belay.db"));
        Belay belay = Belay.builder()
                .model(bench.obeying())
                .toolMethods(new Delegating())
                .toolMethods(new Pictures())
                .tools(StaticToolProvider.builder()
                        .raw(tool("dump", ToolEffect.READ), (in, context) -> LINES)
                        .raw(tool("one", ToolEffect.READ), (in, context) -> ONE_LINE)
                        .raw(tool("deep", ToolEffect.READ), (in, context) -> deep())
                        .raw(tool("binary", ToolEffect.READ),
                                (in, context) -> new String(new byte[100_000], StandardCharsets.ISO_8859_1))
                        .build())
                .store(store)
                .build();
        opened.add(belay);
        return belay;
    }

    private static Json deep() {
        return Json.of("[".repeat(100) + "\"" + "d".repeat(50_000) + "\"" + "]".repeat(100));
    }

    private static String run(Session session, String said) throws InterruptedException {
        return session.turn(said).run().ended().text();
    }

    @ParameterizedTest
    @EnumSource
    void theModelReadsTheRestPageByPage(Kept kept) throws Exception {
        Session session = open(kept).session("s");
        String handle = handle(run(session, "dump"));
        assertThat(run(session, read(handle, 397, 3)))
                .isEqualTo("Lines 397 to 399 of 50000; go on with from: 400\nline 397\nline 398\nline 399");
        assertThat(run(session, read(handle, 49_999, 100)))
                .isEqualTo("Lines 49999 to 50000 of 50000\nline 49999\nline 50000");
        assertThat(run(session, read(handle, 50_001, 1)))
                .isEqualTo("The output has 50000 lines; there is none from line 50001 on.");
        assertThat(run(open(kept).session("s"), read(handle, 50_000, 1))).as("after a restart")
                .endsWith("\nline 50000");
    }

    @ParameterizedTest
    @EnumSource
    void pagesAreUnderTheCapAndNeverKept(Kept kept) throws Exception {
        Session session = open(kept).session("s");
        String handle = handle(run(session, "dump"));
        String page = run(session, read(handle, 1, 50_000));
        assertThat(page).startsWith("Lines 1 to 399 of 50000; go on with from: 400\nline 1\n")
                .endsWith("\nline 399")
                .doesNotContain("truncated");
        String many = run(session, String.join("\n", Collections.nCopies(30, read(handle, 1, 50_000))));
        assertThat(many.length()).as("the cap of a batch").isLessThan(66_000);
        assertThat(many).contains("truncated...").doesNotContain("Full output");
    }

    @ParameterizedTest
    @EnumSource
    void everyPartOfOneLongLineCanBeReached(Kept kept) throws Exception {
        Session session = open(kept).session("s");
        String handle = handle(run(session, "one"));
        String first = run(session, read(handle, 1, 1));
        assertThat(first).startsWith("Lines 1 to 1 of 1251; go on with from: 2\naaa").hasSize(41 + 4_000);
        assertThat(run(session, read(handle, 751, 1))).contains("\nneedlebbb");
        assertThat(run(session, search(handle, "needle")))
                .startsWith("1 line matches, of 1251\n751: needlebbb");
        var whole = new StringBuilder();
        for (int from = 1; from <= 1_251; from += 4) {
            String page = run(session, read(handle, from, 4));
            page.lines().skip(1).forEach(whole::append);
        }
        assertThat(whole.toString()).isEqualTo(ONE_LINE);
    }

    @ParameterizedTest
    @EnumSource
    void theModelSearchesTheRest(Kept kept) throws Exception {
        Session session = open(kept).session("s");
        String handle = handle(run(session, "dump"));
        assertThat(run(session, search(handle, "^line 4999[89]$")))
                .isEqualTo("2 lines match, of 50000\n49998: line 49998\n49999: line 49999");
        assertThat(run(session, search(handle, "nothing like it")))
                .isEqualTo("No line from line 1 on matches.");
        assertThat(run(session, search(handle, "7"))).startsWith("100 lines match so far; go on with from: ");
        assertThat(run(session, search(handle, "(")))
                .startsWith("Error (bad_pattern): \"(\" is not a usable pattern");
    }

    @ParameterizedTest
    @EnumSource
    void aPatternThatWouldRunForEverIsStopped(Kept kept) throws Exception {
        Session session = open(kept).session("s");
        String handle = handle(run(session, "one"));
        assertThat(run(session, search(handle, "(a*)*(a*)*(a{0,60}){60}$x")))
                .startsWith("Stopped at line ")
                .contains("the pattern takes too many steps");
    }

    @ParameterizedTest
    @EnumSource
    void deepObjectsAndBinaryAreKeptAndRead(Kept kept) throws Exception {
        Session session = open(kept).session("s");
        String deep = run(session, "deep");
        assertThat(deep.length()).isLessThanOrEqualTo(16_384);
        assertThat(session.output(handle(deep))).contains(deep().text());
        String binary = run(session, "binary");
        assertThat(binary.length()).isLessThanOrEqualTo(16_384);
        assertThat(session.output(handle(binary))).contains("\0".repeat(100_000));
    }

    @ParameterizedTest
    @EnumSource
    void aReferenceThatWasCutCanBeHandedToAnotherTool(Kept kept) throws Exception {
        Session session = open(kept).session("s");
        run(session, "draw\ndraw");
        List<String> shown = OutputBench.replies(session.messages());
        List<String> below = shown.stream()
                .flatMap(String::lines)
                .filter(line -> line.startsWith("Attachments: "))
                .flatMap(line -> Arrays.stream(line.substring(13).split(" ")))
                .toList();
        assertThat(below).as("of 600 in a batch").hasSize(8);
        assertThat(shown).allSatisfy(text -> assertThat(text.length()).isLessThanOrEqualTo(16_384));
        assertThat(run(session, "see {\"picture\":" + below.getFirst() + "}"))
                .matches("\\[1, -?\\d+, 0]")
                .isNotEqualTo("[1, 0, 0]");
    }

    @ParameterizedTest
    @EnumSource
    void aHandleOfAnotherSessionResolvesNowhereElse(Kept kept) throws Exception {
        Belay belay = open(kept);
        String handle = handle(run(belay.session("s"), "dump"));
        Session other = belay.session("t");
        run(other, "one");
        assertThat(run(other, read(handle, 1, 1)))
                .startsWith("Error (unknown_output): no output \"" + handle);
        assertThat(run(other, search(handle, "x"))).startsWith("Error (unknown_output)");
        assertThat(run(other, read("nonsense", 1, 1))).startsWith("Error (unknown_output)");
        assertThat(other.output(handle)).isEmpty();
        assertThat(belay.session("s").output(handle)).contains(LINES);
        assertThat(belay.session("s").output("nonsense")).isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    void aDeletedSessionTakesItsOutputsWithIt(Kept kept) throws Exception {
        Belay belay = open(kept);
        String handle = handle(run(belay.session("s"), "dump"));
        belay.session("s").delete();
        assertThat(belay.session("s").output(handle)).isEmpty();
        run(belay.session("s"), "one");
        assertThat(run(belay.session("s"), read(handle, 1, 1))).as("a new session of that name")
                .startsWith("Error (unknown_output)");
    }

    @ParameterizedTest
    @EnumSource
    void aForkReadsWhatTheFirstHasKept(Kept kept) throws Exception {
        Belay belay = open(kept);
        String handle = handle(run(belay.session("s"), "dump"));
        belay.session("s").fork("fork");
        belay.session("s").delete();
        assertThat(run(belay.session("fork"), read(handle, 50_000, 1))).endsWith("\nline 50000");
    }

    @ParameterizedTest
    @EnumSource
    void anExportCarriesOutputsToAnImport(Kept kept) throws Exception {
        Belay belay = open(kept);
        String handle = handle(run(belay.session("s"), "one"));
        var lines = new StringBuilder();
        belay.session("s").export(lines);
        belay.session("s").delete();
        Session copy = belay.importSession(new StringReader(lines.toString()), "copy");
        assertThat(run(copy, read(handle, 751, 1))).contains("\nneedlebbb");
        assertThat(copy.output(handle)).contains(ONE_LINE);
        assertThat(bench.requests.getLast().tools()).extracting(spec -> spec.name())
                .endsWith("read_output", "search_output");
    }

    @ParameterizedTest
    @EnumSource
    void aChildReadsTheOutputsThatItsInputNames(Kept kept) throws Exception {
        Belay belay = open(kept);
        Session session = belay.session("s");
        String handle = handle(run(session, "dump"));
        String delegated = "delegate " + Json.write(out -> out.beginObject()
                .name("text")
                .value(read(handle, 49_999, 2))
                .endObject());
        assertThat(run(session, delegated))
                .isEqualTo("Lines 49999 to 50000 of 50000\nline 49999\nline 50000");
        assertThat(run(belay.session("stranger"), delegated)).as("its parent does not keep it")
                .startsWith("Error (unknown_output)");
    }
}
