package dev.belay.cli.talk;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.cli.CommandBench;
import dev.belay.cli.CommandBench.Run;
import dev.belay.model.script.ScriptedModel;
import dev.belay.runtime.Belay;
import dev.belay.runtime.BelayBuilder;
import dev.belay.runtime.operate.SessionEntry;
import dev.belay.runtime.operate.SessionFilter;
import dev.belay.runtime.plugin.PluginFactory;
import dev.belay.runtime.plugin.PluginSession;
import dev.belay.runtime.plugin.SessionPlugin;
import dev.belay.runtime.session.TurnSettings;
import dev.belay.schema.Description;
import dev.belay.store.jdbc.JdbcStore;
import dev.belay.testkit.FakeTime;
import dev.belay.tool.StaticToolProvider;
import dev.belay.tool.Tool;
import dev.belay.tool.ToolInput;
import dev.belay.tool.ToolResult;
import dev.belay.tool.context.PluginState;
import dev.belay.tool.option.OnDoubt;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Turns that a command cannot bring to their end: it says what they wait for and how they go on, with exit code 5. */
@Timeout(180)
class LeftTurnsTest {

    @TempDir
    Path directory;

    private CommandBench bench;

    @Tool
    @Description("Asks a person.")
    record Ask(String question) implements ToolInput<String> {}

    @Tool(timeout = "PT0.1S", onDoubt = OnDoubt.HOLD)
    @Description("Pays.")
    record Pay(int cents) implements ToolInput<String> {}

    record Count(int value) {}

    @BeforeEach
    void prepare() throws IOException {
        bench = new CommandBench(directory).set("HOME", directory.resolve("home").toString());
        Files.createDirectories(directory.resolve(".belay"));
        Files.writeString(directory.resolve("done.jsonl"), "{\"text\":\"Done.\"}\n");
    }

    @Test
    void aPausedTurnSaysHowThePauseEnds() {
        assertThat(bench.run("run", "-s", "one", "--script", "done.jsonl", "Hi").status()).isZero();
        assertThat(bench.run("pause", "--session", "one", "--reason", "night").status()).isZero();
        Run run = bench.run("run", "-s", "one", "--script", "done.jsonl", "More");
        assertThat(run.status()).as(run.err()).isEqualTo(5);
        assertThat(run.err()).contains(
                "The turn is paused: 'belay pauses' says why, 'belay unpause' ends it, 'belay resume one' goes on.");
        assertThat(bench.run("unpause", "--session", "one").status()).isZero();
        assertThat(bench.run("resume", "one", "--script", "done.jsonl").out()).isEqualTo("Done.\n");
    }

    @Test
    void aCallThatWaitsForAProgramSaysWhoAnswersIt() throws Exception {
        program("one", belay -> belay.model(new ScriptedModel().call("ask", "{\"question\":\"May I?\"}"))
                .tools(StaticToolProvider.builder().attempt(Ask.class, (ask, context) -> {
                    context.completionKey();
                    return ToolResult.pending();
                }).build()));
        Run run = resumed();
        assertThat(run.err()).contains("The turn waits for an answer from outside: 'belay pending' lists it,"
                + " 'belay resolve' answers, 'belay resume one' goes on.");
    }

    @Test
    void aCallThatIsHeldInDoubtSaysHowItIsSettled() throws Exception {
        program("one", belay -> belay.model(new ScriptedModel().call("pay", "{\"cents\":5}"))
                .tools(StaticToolProvider.builder().tool(Pay.class, (pay, context) -> {
                    new CountDownLatch(1).await();
                    return "";
                }).build()));
        Run run = resumed();
        assertThat(run.err())
                .contains("'belay doubts' lists it, 'belay settle' settles it, 'belay resume one'");
    }

    @Test
    void aTurnThatNeedsAnotherBuildOfAPluginNamesIt() throws Exception {
        PluginState<Count, Count> state = PluginState.of("count", Count.class, new Count(0), Count.class,
                (before, more) -> new Count(before.value() + more.value()));
        PluginState<Count, Count> newer = state.version(2, (version, kept) -> kept);
        try (Belay belay = belay().model(new ScriptedModel().reply("Hello."))
                .plugin(counter(newer, true))
                .build()) {
            belay.session("one").turn("Hi").run();
        }
        // its clock is ahead, so the turn is not tried again while the command looks
        program("one", belay -> belay.model(new ScriptedModel())
                .time(new FakeTime())
                .plugin(counter(state, false)));
        Run run = resumed();
        assertThat(run.err()).contains("The turn needs another build of a plugin: plugin counter",
                "this program knows version 1, kept was version 2");
    }

    @Test
    void aTurnThatNeedsAnotherConfigurationSaysWhich() throws Exception {
        assertThat(bench.run("run", "-s", "one", "--script", "done.jsonl", "Hi").status()).isZero();
        try (Belay belay = belay().model(new ScriptedModel()).model("big", new ScriptedModel()).build()) {
            belay.session("one").config().set(TurnSettings.NONE.withModel("big"));
        }
        Run run = bench.run("run", "-s", "one", "--script", "done.jsonl", "More");
        assertThat(run.status()).as(run.err()).isEqualTo(5);
        assertThat(run.err()).contains(
                "The turn needs another configuration: there is no model of the name \"big\" here; there are [default]."
                        + " Once that is mended, 'belay resume one' goes on.");
    }

    @Test
    void aClosedSessionTakesNoTaskUntilItIsOpened() {
        assertThat(bench.run("run", "-s", "one", "--script", "done.jsonl", "Hi").status()).isZero();
        assertThat(bench.run("sessions", "close", "one").status()).isZero();
        Run closed = bench.run("run", "-s", "one", "--script", "done.jsonl", "More");
        assertThat(closed.status()).isEqualTo(3);
        assertThat(closed.err()).contains("session_closed");
        assertThat(bench.run("sessions", "open", "one").status()).isZero();
        assertThat(bench.run("run", "-s", "one", "--script", "done.jsonl", "More").out())
                .isEqualTo("Done.\n");
        assertThat(bench.run("sessions", "show", "one", "--messages").out().lines()).hasSize(4);
    }

    /** Lets a program begin a turn of a session, until it waits. */
    private void program(String session, UnaryOperator<BelayBuilder> has) {
        try (Belay belay = has.apply(belay()).build()) {
            belay.session(session).turn("Go").submit();
            while (belay.sessions(SessionFilter.ALL.state(SessionEntry.State.WAITING), null, 1)
                    .items()
                    .isEmpty()) {
                Thread.onSpinWait();
            }
        }
    }

    private BelayBuilder belay() {
        return Belay.builder()
                .parkAfter(Duration.ZERO)
                .store(JdbcStore.sqlite(directory.resolve(".belay/belay.db")));
    }

    private static PluginFactory counter(PluginState<Count, Count> state, boolean counts) {
        return new PluginFactory() {
            @Override
            public String id() {
                return "counter";
            }

            @Override
            public SessionPlugin build(PluginSession session) {
                return on -> {
                    on.state(state);
                    on.turn().after((turn, end) -> {
                        if (counts) {
                            turn.update(state, new Count(1));
                        }
                    });
                };
            }
        };
    }

    /** What a command says that goes on with the turn; it has changed nothing. */
    private Run resumed() {
        assertThat(bench.run("trust").status()).as("a program made the database").isZero();
        Run run = bench.run("resume", "one", "--script", "done.jsonl", "--approve", "all");
        assertThat(run.status()).as(run.err()).isEqualTo(5);
        assertThat(run.out()).isEmpty();
        assertThat(bench.run("ps").out()).contains("one turn");
        return run;
    }
}
