package dev.belay.tests.output;

import static dev.belay.tests.output.OutputBench.LINES;
import static dev.belay.tests.output.OutputBench.handle;
import static dev.belay.tests.output.OutputBench.replies;
import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.model.Part.CallPart;
import dev.belay.runtime.Belay;
import dev.belay.runtime.BelayBuilder;
import dev.belay.runtime.output.ToolOutputBudgetConfig;
import dev.belay.runtime.plugin.OutputBudgetPlugin;
import dev.belay.runtime.session.OpenTurn;
import dev.belay.runtime.session.Session;
import dev.belay.runtime.store.memory.SharedMemory;
import dev.belay.store.jdbc.JdbcStore;
import dev.belay.tests.session.SessionBench;
import dev.belay.toolset.Step;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Contract M.5 in loops that a program owns: outputs are cut at the commit of a round. In memory and in a file. */
@Timeout(120)
class HostedOutputTest {

    private static final CallPart DUMP = new CallPart("a", "dump", "{}");

    /** Where sessions are kept. */
    enum Kept {
        IN_MEMORY, IN_A_FILE
    }

    @TempDir
    Path directory;

    private final List<Belay> opened = new ArrayList<>();
    private final SharedMemory memory = new SharedMemory();
    private final List<String> values = new ArrayList<>();

    @AfterEach
    void close() {
        opened.forEach(Belay::close);
    }

    private Belay open(Kept kept, UnaryOperator<BelayBuilder> more) {
        opened.forEach(Belay::close);
        Belay belay = more.apply(Belay.builder()
                .model(SessionBench.calling(Collections.nCopies(6, DUMP), List.of(DUMP)))
                .store(kept == Kept.IN_MEMORY
                        ? memory.open()
                        : JdbcStore.sqlite(directory.resolve("belay.db"))))
                .build();
        opened.add(belay);
        return belay;
    }

    private String loop(Belay belay) {
        return HostedLoop.run(belay.session("s"),
                turn -> values.add(String.join("", replies(turn.messages()))));
    }

    @ParameterizedTest
    @EnumSource
    void theBatchIsCutAtItsCommitAndKept(Kept kept) {
        Belay belay = open(kept, builder -> builder);
        loop(belay);
        Session session = belay.session("s");
        List<String> shown = replies(session.messages());
        assertThat(shown).hasSize(7).allSatisfy(text -> assertThat(text).contains(" lines truncated..."));
        assertThat(shown.subList(0, 6)
                .stream()
                .mapToInt(text -> text.getBytes(StandardCharsets.UTF_8).length)
                .sum())
                .isLessThanOrEqualTo(65_536);
        assertThat(session.output(handle(shown.getFirst()))).contains(LINES);
        assertThat(session.calls(1).getFirst().outcome().orElseThrow().text()).as("the ledger has all of it")
                .isEqualTo(LINES);
    }

    @ParameterizedTest
    @EnumSource
    void aTurnFinishedUnderAnotherBudgetShowsWhatWasRecorded(Kept kept) {
        Belay first = open(kept, builder -> builder);
        try (OpenTurn turn = first.session("s").begin("Go.", "in")) {
            var round = ((Step.NeedsTools<HostedLoop.Dumps, String>) HostedLoop.step(turn)).round();
            round.commit(round.calls().stream().map(HostedLoop::reply).toList());
            HostedLoop.step(turn); // records what the model was shown, and asks for more
        }
        Belay second = open(kept, builder -> builder.configurePlugins(stack -> stack
                .replace(new OutputBudgetPlugin(ToolOutputBudgetConfig.DEFAULT.withMaxLines(5)))));
        loop(second);
        assertThat(second.stuck()).isEmpty();
        List<String> shown = replies(second.session("s").messages());
        assertThat(shown.subList(0, 6)).as("as it was recorded")
                .allSatisfy(text -> assertThat(text).startsWith("line 1\nline 2\nline 3\nline 4\n"));
        assertThat(shown.getLast()).as("the new budget").startsWith("line 1\n\n...49999 lines truncated...");
    }

    @ParameterizedTest
    @EnumSource
    void theHistoryMayKeepSomethingElse(Kept kept) {
        var config = ToolOutputBudgetConfig.DEFAULT;
        Belay belay = open(kept, builder -> builder.configurePlugins(stack -> stack.replace(
                new OutputBudgetPlugin(config, config.projector()
                        .withHistory(
                                (batch, shown, keeper) -> Collections.nCopies(batch.size(), "dumped"))))));
        loop(belay);
        assertThat(values.getFirst()).as("the loop sees what the model sees").contains(" lines truncated...");
        assertThat(replies(belay.session("s").messages())).hasSize(7).containsOnly("dumped");
    }

    @ParameterizedTest
    @EnumSource
    void theModelReadsAndSearchesTheRestThroughASlot(Kept kept) {
        Belay belay = open(kept, builder -> builder.model(OutputBench.reading()));
        assertThat(loop(belay)).isEqualTo("Lines 50000 to 50000 of 50000\nline 50000"
                + "|2 lines match, of 50000\n4999: line 4999\n49999: line 49999");
        assertThat(replies(belay.session("s").messages())).as("pages are not kept again")
                .filteredOn(text -> text.contains("Full output: "))
                .hasSize(1);
    }

    @ParameterizedTest
    @EnumSource
    void aProjectorOfYourOwnKeepsOutputsToo(Kept kept) {
        var config = ToolOutputBudgetConfig.DEFAULT;
        Belay belay = open(kept, builder -> builder.model(OutputBench.reading())
                .configurePlugins(stack -> stack.replace(new OutputBudgetPlugin(config, config.projector()
                        .withModel((batch, keeper) -> batch.stream()
                                .map(output -> output.isPage()
                                        ? output.text()
                                        : "read_output(\"" + keeper.keep(output.text()).orElseThrow()
                                                + "\")")
                                .toList())))));
        assertThat(loop(belay)).startsWith("Lines 50000 to 50000 of 50000\nline 50000|2 lines match");
    }

    @ParameterizedTest
    @EnumSource
    void smallOutputsAreShownAsTheyAreAndNothingIsKept(Kept kept) {
        Belay belay = open(kept, builder -> builder);
        try (OpenTurn turn = belay.session("s").begin("Go.", "in")) {
            var round = ((Step.NeedsTools<HostedLoop.Dumps, String>) HostedLoop.step(turn)).round();
            round.commit(round.calls()
                    .stream()
                    .map(call -> call.run((HostedLoop.Dumps.Dump) call.input(), context -> "small"))
                    .toList());
            assertThat(replies(turn.messages())).hasSize(6).containsOnly("small");
        }
    }
}
