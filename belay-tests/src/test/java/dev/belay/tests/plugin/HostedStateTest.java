package dev.belay.tests.plugin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.model.Part.CallPart;
import dev.belay.runtime.Belay;
import dev.belay.runtime.session.OpenTurn;
import dev.belay.runtime.session.SessionToolContext;
import dev.belay.runtime.store.journal.JournalProbe;
import dev.belay.schema.Description;
import dev.belay.tests.plugin.PlanPlugin.Change;
import dev.belay.tool.Tool;
import dev.belay.tool.ToolEffect;
import dev.belay.tool.ToolInput;
import dev.belay.tool.Tools;
import dev.belay.toolset.Step;
import dev.belay.toolset.ToolCall;
import dev.belay.toolset.ToolReply;
import dev.belay.toolset.Toolset;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Contract O.5 in a loop of a program's own: its bodies change states of plugins. */
class HostedStateTest {

    private static final Toolset<NoteTools> TOOLS = Toolset.of(NoteTools.class);
    private static final List<CallPart> NOTES = List.of(new CallPart("a", "note", "{\"text\":\"one\"}"),
            new CallPart("b", "note", "{\"text\":\"wrong\"}"),
            new CallPart("c", "note", "{\"text\":\"two\"}"));

    @TempDir
    Path folder;

    private final PluginBench bench = new PluginBench();

    @Tools
    sealed interface NoteTools {

        @Tool(effect = ToolEffect.READ)
        @Description("Notes a text.")
        record Note(String text) implements NoteTools, ToolInput<String> {}
    }

    private static ToolReply note(ToolCall<NoteTools> call) {
        return switch (call.input()) {
            case NoteTools.Note in -> call.run(in, context -> {
                var states = ((SessionToolContext) context).state();
                states.update(PlanPlugin.STEPS, new Change.Add(in.text()));
                if (in.text().equals("wrong")) {
                    throw new IllegalStateException("no");
                }
                return states.get(PlanPlugin.STEPS).steps().toString();
            });
        };
    }

    private void turn(Belay belay) throws InterruptedException {
        try (OpenTurn turn = belay.session("s").begin("Note it.", "in")) {
            while (turn.result().isEmpty()) {
                if (turn.step().tools(TOOLS).run() instanceof Step.NeedsTools<NoteTools, String>(var round)) {
                    List<ToolReply> replies = new ArrayList<>();
                    round.calls().reversed().forEach(call -> replies.add(note(call))); // the last one first
                    round.commit(replies.reversed());
                } else {
                    turn.finish();
                    return;
                }
            }
        }
    }

    private List<String> steps(Belay belay) throws InterruptedException {
        return belay.session("s")
                .actions()
                .call("plan.show", dev.belay.runtime.plugin.Nothing.NOTHING, PlanPlugin.Steps.class)
                .steps();
    }

    @ParameterizedTest
    @ValueSource(strings = {"memory", "sqlite"})
    void changesOfBodiesThatSucceededCountInTheOrderOfTheModel(String where) throws Exception {
        try (var stores = new PluginStores(where, folder)) {
            Belay belay = stores.open(bench.calling(NOTES), builder -> builder.plugin(new PlanPlugin()));
            turn(belay);
            assertThat(steps(belay)).containsExactly("one", "two");
            assertThat(bench.requests.getLast().messages().getLast().toString()).contains("[one, two]");
        }
    }

    /** The plan after a process has died at a write; the writes, if it dies at none. */
    private List<String> killed(String where, Path in, int at, List<String> writes) throws Exception {
        try (var stores = new PluginStores(where, in)) {
            var dead = new CountDownLatch(at < 0 ? 0 : 1);
            int[] left = {at};
            JournalProbe probe = (moment, write) -> {
                synchronized (left) {
                    writes.add(moment + " " + write);
                    if (left[0]-- == 0) {
                        dead.countDown();
                        throw new StackOverflowError("the process dies at " + moment + " " + write);
                    }
                }
            };
            Belay first = stores.open(bench.calling(NOTES), probe,
                    builder -> builder.plugin(new PlanPlugin()));
            Thread running = Thread.ofVirtual().start(() -> {
                try {
                    turn(first);
                } catch (Throwable died) {
                    // as everything in its process
                }
            });
            if (at < 0) {
                running.join();
            }
            assertThat(dead.await(PluginStores.PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
            first.close();
            running.interrupt();
            Belay next = stores.open(bench.calling(NOTES), builder -> builder.plugin(new PlanPlugin()));
            turn(next);
            return steps(next);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"memory", "sqlite"})
    void whicheverWriteTheProcessDiesAtEachChangeCountsOnce(String where) throws Exception {
        List<String> writes = new ArrayList<>();
        List<String> plan = List.of("one", "two");
        assertThat(killed(where, Files.createDirectory(folder.resolve("calm")), -1, writes)).isEqualTo(plan);
        assertThat(writes).hasSizeGreaterThan(10);
        for (int at = 0; at < writes.size(); at++) {
            assertThat(killed(where, Files.createDirectory(folder.resolve("dies-" + at)), at,
                    new ArrayList<>())).as(writes.get(at)).isEqualTo(plan);
        }
    }
}
