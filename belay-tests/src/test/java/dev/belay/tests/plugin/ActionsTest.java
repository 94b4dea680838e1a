package dev.belay.tests.plugin;

import static dev.belay.tests.plugin.PluginStores.PATIENCE;
import static dev.belay.tests.plugin.PluginStores.until;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.belay.BelayException;
import dev.belay.json.Json;
import dev.belay.model.Part.CallPart;
import dev.belay.runtime.Belay;
import dev.belay.runtime.BelayBuilder;
import dev.belay.runtime.BelayClient;
import dev.belay.runtime.effect.Resolution;
import dev.belay.runtime.plugin.ActionResult;
import dev.belay.runtime.plugin.Nothing;
import dev.belay.runtime.session.InputHandle;
import dev.belay.runtime.session.TurnResult;
import dev.belay.runtime.session.action.ActionHandle;
import dev.belay.runtime.store.SessionId;
import dev.belay.tests.plugin.PlanPlugin.Change.Add;
import dev.belay.tests.plugin.PlanPlugin.Steps;
import dev.belay.tests.session.SessionBench;
import dev.belay.tool.ToolEffect;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Contract O.11: what a program asks of a plugin. */
class ActionsTest {

    private static final CallPart ASK = new CallPart("a", "ask", "{}");

    @TempDir
    Path folder;

    private final PluginBench bench = new PluginBench();
    private final BlockingQueue<String> tokens = new LinkedBlockingQueue<>();
    private PluginStores stores;

    @AfterEach
    void close() {
        stores.close();
    }

    private Belay open(String where) {
        stores = new PluginStores(where, folder);
        return another(builder -> builder);
    }

    private Belay another(java.util.function.UnaryOperator<BelayBuilder> more) {
        return stores.open(bench.calling(),
                builder -> more.apply(builder.plugin(new PlanPlugin())
                        .listener((session, event) -> bench.hear(event))));
    }

    private Belay parking(String where) {
        stores = new PluginStores(where, folder);
        return stores.open(bench.calling(List.of(ASK)),
                builder -> builder.plugin(new PlanPlugin())
                        .listener((session, event) -> bench.hear(event))
                        .tools(SessionBench.asking(tokens, ToolEffect.IDEMPOTENT)));
    }

    private String token() throws InterruptedException {
        String token = tokens.poll(PATIENCE.toSeconds(), TimeUnit.SECONDS);
        assertThat(token).isNotNull();
        return token;
    }

    @ParameterizedTest
    @ValueSource(strings = {"memory", "sqlite"})
    void aQueryReadsWhatWasCommittedAndWritesNothing(String where) throws Exception {
        Belay belay = open(where);
        belay.session("s").actions().call("plan.add", new Add("one"));
        long revision = belay.session("s").head().orElseThrow().revision();
        assertThat(belay.session("s").actions().call("plan.show", Nothing.NOTHING, Steps.class))
                .isEqualTo(new Steps(List.of("one")));
        assertThat(belay.session("s").head().orElseThrow().revision()).isEqualTo(revision);
        assertThat(belay.session("new").actions().call("plan.show", Nothing.NOTHING, Steps.class))
                .isEqualTo(Steps.NONE);
        assertThat(belay.session("new").head()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"memory", "sqlite"})
    void aCommandWithoutATurnAsksNoModelAndIsTold(String where) throws Exception {
        Belay belay = open(where);
        assertThat(belay.session("s").actions().call("plan.add", new Add("one"), Steps.class))
                .isEqualTo(new Steps(List.of("one")));
        assertThat(bench.requests).isEmpty();
        until(() -> !bench.told.isEmpty());
        assertThat(bench.told).containsExactly("plan plan.changed {\"steps\":[\"one\"]}");
        assertThat(belay.session("s").messages()).isEmpty();
        belay.session("s").turn("Hello.").run();
        assertThat(bench.requests.getFirst().messages().getLast().toString()).contains("[one]");
    }

    @ParameterizedTest
    @ValueSource(strings = {"memory", "sqlite"})
    void theSameIdHasTheSameResultAndAnotherContentIsAConflict(String where) throws Exception {
        Belay belay = open(where);
        var actions = belay.session("s").actions();
        Json first = actions.submit("plan.add", new Add("one"), "in").await();
        actions.call("plan.add", new Add("two"));
        assertThat(actions.submit("plan.add", new Add("one"), "in").await()).isEqualTo(first);
        assertThat(actions.input("in").orElseThrow().result())
                .contains(ActionResult.done("in", "plan.add", first));
        assertThat(actions.call("plan.show", Nothing.NOTHING, Steps.class).steps())
                .containsExactly("one", "two");
        assertThatThrownBy(() -> actions.submit("plan.add", new Add("other"), "in")).extracting("code")
                .isEqualTo("input_conflict");
    }

    @ParameterizedTest
    @ValueSource(strings = {"memory", "sqlite"})
    void rawActionsTakeAndGiveJson(String where) throws Exception {
        Belay belay = open(where);
        assertThat(belay.session("s").actions().call("plan.count", Json.of("[1,2]")).asInt()).isEqualTo(2);
    }

    @ParameterizedTest
    @ValueSource(strings = {"memory", "sqlite"})
    void wrongInputIsRefusedWithItsViolationsAndNothingIsWritten(String where) {
        var actions = open(where).session("s").actions();
        assertThatThrownBy(() -> actions.call("plan.add", Json.of("{\"step\":7,\"more\":1}")))
                .hasMessageContaining("step")
                .hasMessageContaining("more")
                .extracting("code")
                .isEqualTo("invalid_action_input");
        assertThatThrownBy(() -> actions.call("plan.ad", Nothing.NOTHING)).hasMessageContaining("plan.add")
                .extracting("code")
                .isEqualTo("unknown_action");
        assertThat(stores.client().session("s").head()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"memory", "sqlite"})
    void aCommandThatThrowsLeavesNothingAndItsFailureIsItsResult(String where) throws Exception {
        var actions = open(where).session("s").actions();
        actions.call("plan.add", new Add("one"));
        ActionHandle failed = actions.submit("plan.fail", Nothing.NOTHING, "in");
        assertThatThrownBy(failed::await).hasMessageContaining("no plan today")
                .extracting("code")
                .isEqualTo("action_failed");
        assertThatThrownBy(() -> actions.submit("plan.fail", Nothing.NOTHING, "in").await())
                .hasMessageContaining("no plan today");
        assertThat(actions.call("plan.show", Nothing.NOTHING, Steps.class).steps()).containsExactly("one");
    }

    @ParameterizedTest
    @ValueSource(strings = {"memory", "sqlite"})
    void aClientSubmitsCommandsAndAwaitsThem(String where) throws Exception {
        open(where).close();
        BelayClient client = stores.client();
        ActionHandle given = client.session("s").actions().submit("plan.add", new Add("one"), "in");
        assertThat(client.session("s").actions().ids()).isEmpty();
        assertThat(given.await(Duration.ofMillis(1))).isEmpty();
        another(builder -> builder);
        assertThat(given.await(Steps.class).steps()).containsExactly("one");
        assertThat(client.session("s").actions().call("plan.show", Nothing.NOTHING, Steps.class).steps())
                .containsExactly("one");
        assertThatThrownBy(() -> client.session("s").actions().call("plan.ad", Nothing.NOTHING))
                .hasMessageContaining("plan.add")
                .extracting("code")
                .isEqualTo("unknown_action");
        assertThatThrownBy(() -> client.session("s").actions().call("plan.add", Json.of("{\"step\":7}")))
                .extracting("code")
                .isEqualTo("invalid_action_input");
    }

    @ParameterizedTest
    @ValueSource(strings = {"memory", "sqlite"})
    void aCommandDuringAParkedTurnIsTakenByItsNextRound(String where) throws Exception {
        Belay belay = parking(where);
        InputHandle turn = belay.session("s").turn("Ask.").submit();
        String token = token();
        ActionHandle command = stores.client()
                .session("s")
                .actions()
                .submit("plan.add", new Add("one"), "in");
        assertThatThrownBy(command::await).isInstanceOfSatisfying(BelayException.class, e -> {
            assertThat(e.code()).isEqualTo("turn_resting");
            assertThat(e).hasMessageContaining("turn 1 of session s rests")
                    .hasMessageContaining("The command in ");
        });
        assertThat(command.result()).isEmpty();
        belay.resolve(token, Resolution.ok(Json.string("yes")));
        assertThat(command.awaitCommit()).isEqualTo(Json.of("{\"steps\":[\"one\"]}"));
        TurnResult.Ended result = turn.await(PATIENCE).orElseThrow().ended();
        assertThat(result.turn()).isEqualTo(1);
        assertThat(result.actions()).extracting(ActionResult::input).containsExactly("in");
        assertThat(bench.requests.get(1).messages().getLast().toString()).contains("[one]");
        assertThat(bench.told).containsExactly("plan plan.changed {\"steps\":[\"one\"]}");
        assertThat(belay.session("s").head().orElseThrow().revision()).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"memory", "sqlite"})
    void aTurnThatIsAbandonedKeepsTheCommandsThatItsRoundsHaveRecorded(String where) throws Exception {
        stores = new PluginStores(where, folder);
        Belay belay = stores.open(bench.calling(List.of(ASK)),
                builder -> builder.plugin(new PlanPlugin())
                        .start(false)
                        .tools(SessionBench.asking(tokens, ToolEffect.IDEMPOTENT)));
        belay.session("s").turn("Ask.").submit();
        ActionHandle command = belay.session("s").actions().submit("plan.add", new Add("one"), "in");
        belay.start();
        token();
        Json answer = command.await();
        BelayClient client = stores.client();
        until(() -> client.abandon(new SessionId("s"), 1, "no answer")
                .equals(dev.belay.runtime.operate.VerbResult.DONE));
        assertThat(command.await()).isEqualTo(answer);
        assertThat(belay.session("s").actions().call("plan.show", Nothing.NOTHING, Steps.class).steps())
                .containsExactly("one");
    }

    @ParameterizedTest
    @ValueSource(strings = {"memory", "sqlite"})
    void aCommandOvertakesNoInputButAnInputThatQueuesDoesNotHoldIt(String where) throws Exception {
        Belay belay = parking(where);
        belay.session("s").turn("Ask.").submit();
        String token = token();
        InputHandle own = belay.session("s").turn("Later.").queue().submit();
        ActionHandle command = belay.session("s").actions().submit("plan.add", new Add("one"), "in");
        belay.resolve(token, Resolution.ok(Json.string("yes")));
        command.await();
        assertThat(belay.session("s").input("in").orElseThrow().awaitCommit().turn()).isEqualTo(1);
        String second = token();
        belay.resolve(second, Resolution.ok(Json.string("yes")));
        assertThat(own.awaitCommit().turn()).isEqualTo(2);
    }

    @ParameterizedTest
    @ValueSource(strings = {"memory", "sqlite"})
    void aCommandJoinsATurnWhoseLoopIsTheProgramsAndIsNotAskedAgainOnReplay(String where) throws Exception {
        var asked = new AtomicInteger();
        stores = new PluginStores(where, folder);
        var counting = PluginBench.plugin("counting", on -> on.actions().command("count", (in, context) -> {
            context.emit("counted", Json.number(asked.incrementAndGet()));
            return in;
        }));
        Belay belay = stores.open(bench.calling(), builder -> builder.plugin(counting)
                .listener((session, event) -> bench.hear(event)));
        var first = belay.session("s").begin("Hello.", "in");
        ActionHandle command = belay.session("s").actions().submit("count", Json.number(7), "count");
        first.step().answer();
        assertThat(command.await()).isEqualTo(Json.number(7));
        belay.close(); // the program dies before it has closed the turn
        Belay next = stores.open(bench.calling(), builder -> builder.plugin(counting));
        try (var turn = next.session("s").begin("Hello.", "in")) {
            turn.step().answer();
            turn.finish();
        }
        assertThat(asked).hasValue(1);
        assertThat(bench.told).containsExactly("counting counted 1");
        assertThat(next.session("s").actions().input("count").orElseThrow().await())
                .isEqualTo(Json.number(7));
    }

    @ParameterizedTest
    @ValueSource(strings = {"memory", "sqlite"})
    void aClosedSessionTakesNoCommands(String where) throws Exception {
        Belay belay = open(where);
        belay.session("s").turn("Hello.").run();
        belay.session("s").close();
        assertThatThrownBy(() -> belay.session("s").actions().call("plan.add", new Add("one")))
                .extracting("code")
                .isEqualTo("session_closed");
        assertThat(belay.session("s").actions().call("plan.show", Nothing.NOTHING, Steps.class))
                .isEqualTo(Steps.NONE);
    }
}
