package dev.belay.tests.output;

import static dev.belay.tests.output.OutputBench.LINES;
import static dev.belay.tests.output.OutputBench.handle;
import static dev.belay.tests.output.OutputBench.replies;
import static dev.belay.tests.session.SessionBench.call;
import static dev.belay.tests.session.SessionBench.calls;
import static dev.belay.tests.session.SessionBench.lastReplies;
import static dev.belay.tests.session.SessionBench.roundsSinceUser;
import static dev.belay.tests.session.SessionBench.text;
import static dev.belay.tests.session.SessionBench.tool;
import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.model.Model;
import dev.belay.model.Part.CallPart;
import dev.belay.runtime.Belay;
import dev.belay.runtime.BelayBuilder;
import dev.belay.runtime.output.ToolOutputBudgetConfig;
import dev.belay.runtime.plugin.OutputBudgetPlugin;
import dev.belay.runtime.plugin.PluginFactory;
import dev.belay.runtime.plugin.PluginSession;
import dev.belay.runtime.plugin.SessionPlugin;
import dev.belay.runtime.session.Session;
import dev.belay.runtime.store.Store;
import dev.belay.runtime.store.journal.JournalProbe;
import dev.belay.runtime.store.journal.JournalProbe.Moment;
import dev.belay.runtime.store.memory.SharedMemory;
import dev.belay.store.jdbc.JdbcStore;
import dev.belay.store.jdbc.SqliteOptions;
import dev.belay.testkit.PluginHarness;
import dev.belay.tests.session.Crashes;
import dev.belay.tests.session.SessionBench;
import dev.belay.tool.StaticToolProvider;
import dev.belay.tool.ToolEffect;
import dev.belay.tool.ToolProvider;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Contract M.5: a process dies at every write of a turn whose outputs are cut; the views are those of the record. */
@Timeout(300)
class OutputCrashTest {

    /** Where sessions are kept. */
    enum Kept {
        IN_MEMORY, IN_A_FILE
    }

    @TempDir
    Path directory;

    private final AtomicInteger files = new AtomicInteger();

    /** Dumps twice, reads the end of the first dump by its handle, and says it. */
    private static Model model() {
        return SessionBench.model(request -> switch (roundsSinceUser(request)) {
            case 0 -> calls(List.of(call("a", "dump"), call("b", "once")));
            case 1 -> calls(List.of(new CallPart("c", "read_output",
                    "{\"handle\":\"" + handle(lastReplies(request)) + "\",\"from\":50000}")));
            default -> text(lastReplies(request));
        });
    }

    private static ToolProvider tools() {
        return StaticToolProvider.builder()
                .raw(tool("dump", ToolEffect.READ), (in, context) -> LINES)
                .raw(tool("once", ToolEffect.ONCE), (in, context) -> "o".repeat(30_000))
                .build();
    }

    private static final class Dumping implements Crashes.Scenario<String> {

        @Override
        public Model model() {
            return OutputCrashTest.model();
        }

        @Override
        public BelayBuilder with(BelayBuilder builder) {
            return builder.tools(tools());
        }

        @Override
        public void begin(Belay belay) {
            belay.session("s").turn("Go.").id("in").submit();
        }

        @Override
        public String end(Belay belay) throws Exception {
            Session session = belay.session("s");
            String said = session.input("in").orElseThrow().awaitCommit().text();
            List<String> shown = replies(session.messages());
            return said + "|" + session.output(handle(shown.getFirst())).map(LINES::equals).orElse(false)
                    + "|"
                    + shown.stream().map(text -> text.replaceFirst("out-[0-9]+-[0-9a-f]+", "H")).toList();
        }
    }

    @Test
    void whereverTheProcessDiesTheModelIsShownTheSame() throws Exception {
        List<Crashes.Play<String>> plays = new Crashes<>(Dumping::new).play();
        assertThat(plays).hasSizeGreaterThan(20);
        assertThat(plays.stream().filter(play -> play.where().contains("keep "))).as("deaths while keeping")
                .isNotEmpty();
        String first = plays.getFirst().end();
        assertThat(first).startsWith("Lines 50000 to 50000 of 50000\nline 50000|true|[line 1\nline 2\n");
        // a ONCE call whose process died is in doubt: it has another text, which is not cut
        assertThat(plays).allSatisfy(play -> assertThat(play.end()).as(play.where())
                .startsWith("Lines 50000 to 50000 of 50000\nline 50000|true|[line 1\nline 2\n")
                .contains("...49604 lines truncated...\n\nFull output: read_output(\"H\")"));
    }

    @Test
    void soItIsInAFile() throws Exception {
        int kills = PluginHarness.of(OutputCrashTest::idle, OutputBench.reading())
                .with(builder -> builder.tools(tools()))
                .on(this::file)
                .input("Go.")
                .verify();
        assertThat(kills).isGreaterThan(20);
    }

    /** The budget is there by itself. */
    private static PluginFactory idle() {
        return new PluginFactory() {
            @Override
            public String id() {
                return "idle";
            }

            @Override
            public SessionPlugin build(PluginSession session) {
                return on -> {};
            }
        };
    }

    private Function<JournalProbe, Store> file() {
        Path file = directory.resolve(files.incrementAndGet() + ".db");
        return probe -> JdbcStore.sqlite(file, SqliteOptions.STANDARD.withProbe(probe));
    }

    private Function<JournalProbe, Store> place(Kept kept) {
        return kept == Kept.IN_MEMORY ? new SharedMemory()::open : file();
    }

    private static Belay open(Store store, UnaryOperator<BelayBuilder> more) {
        return more.apply(Belay.builder()
                .model(OutputBench.reading())
                .tools(tools())
                .store(store)
                .drain(Duration.ZERO)).build();
    }

    /** What a loop of a program comes to: what its model says, what the session has, and whether the output is whole. */
    private static String played(Store store) {
        try (Belay belay = open(store, builder -> builder)) {
            Session session = belay.session("s");
            String said = session.input("in")
                    .flatMap(input -> input.result())
                    .map(known -> known.text())
                    .orElseGet(() -> HostedLoop.run(session, turn -> {}));
            List<String> shown = replies(session.messages());
            return said + session.output(handle(shown.getFirst())).map(LINES::equals) + shown;
        }
    }

    @ParameterizedTest
    @EnumSource
    void aLoopOfYourOwnThatIsKilledShowsTheSame(Kept kept) {
        List<String> writes = new CopyOnWriteArrayList<>();
        String calm = played(place(kept).apply((moment, write) -> writes.add(moment + " " + write)));
        assertThat(calm).startsWith("Lines 50000 to 50000 of 50000\nline 50000|2 lines match");
        assertThat(writes).anyMatch(write -> write.contains("keep ")).hasSizeGreaterThan(20);
        for (int at = 0; at < writes.size(); at++) {
            Function<JournalProbe, Store> place = place(kept);
            int[] left = {at};
            try {
                played(place.apply((moment, write) -> {
                    if (left[0]-- == 0) {
                        throw new StackOverflowError("the process dies at " + moment + " " + write);
                    }
                }));
            } catch (StackOverflowError | RuntimeException dead) {
                // the next process goes on
            }
            assertThat(left[0]).as("deaths that did not come, at " + writes.get(at)).isNegative();
            assertThat(played(place.apply(JournalProbe.NONE))).as("killed at " + writes.get(at))
                    .isEqualTo(calm);
        }
    }

    @ParameterizedTest
    @EnumSource
    void aKilledTurnFinishedUnderAnotherBudgetShowsNoMismatch(Kept kept) throws Exception {
        Function<JournalProbe, Store> place = place(kept);
        var dead = new CountDownLatch(1);
        try (Belay dying = open(place.apply((moment, write) -> {
            if (moment == Moment.AFTER && write.startsWith("effect round/2 COMPLETED")) {
                dead.countDown();
                throw new StackOverflowError("the process dies");
            }
        }), builder -> builder)) {
            dying.session("s").turn("Go.").id("in").submit();
            dead.await();
        }
        try (Belay next = open(place.apply(JournalProbe.NONE),
                builder -> builder.configurePlugins(stack -> stack.replace(
                        new OutputBudgetPlugin(ToolOutputBudgetConfig.DEFAULT.withMaxLines(5)))))) {
            Session session = next.session("s");
            assertThat(session.input("in").orElseThrow().awaitCommit().text())
                    .startsWith("Lines 50000 to 50000 of 50000\nline 50000|2 lines match");
            assertThat(next.stuck()).isEmpty();
            assertThat(replies(session.messages()).getFirst()).as("what was recorded")
                    .contains("\nline 396\n\n...49604 lines truncated...");
        }
    }
}
