package dev.belay.tests.session;

import static dev.belay.tests.session.SessionBench.calling;
import static dev.belay.tests.session.SessionBench.tool;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.belay.BelayException;
import dev.belay.Wait;
import dev.belay.json.Json;
import dev.belay.model.Part.CallPart;
import dev.belay.runtime.Belay;
import dev.belay.runtime.effect.Resolution;
import dev.belay.runtime.policy.ApprovalAnswer;
import dev.belay.runtime.session.InputHandle;
import dev.belay.runtime.session.TurnEvent;
import dev.belay.runtime.session.TurnResult;
import dev.belay.tests.operate.OperatorBench;
import dev.belay.tests.plugin.HeardLog;
import dev.belay.tool.StaticToolProvider;
import dev.belay.tool.ToolEffect;
import dev.belay.tool.ToolResult;
import dev.belay.tool.option.Approval;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.event.Level;

/** A turn that can go on only if a person or a service acts returns at once, and says what it waits for and what answers that. */
@ParameterizedClass
@ValueSource(strings = {"memory", "sqlite"})
class RestingTurnTest {

    private static final CallPart REFUND = new CallPart("a", "refund", "{\"order\":42,\"cents\":8950}");

    @Parameter
    private String where = "";
    @TempDir
    private Path folder;
    private OperatorBench bench = new OperatorBench("memory", Path.of(""));
    private final List<String> tokens = new CopyOnWriteArrayList<>();
    private final List<TurnEvent> heard = new CopyOnWriteArrayList<>();

    @BeforeEach
    void open() {
        bench = new OperatorBench(where, folder);
    }

    @AfterEach
    void close() {
        bench.close();
    }

    private Belay asking(List<CallPart> calls) {
        var tools = StaticToolProvider.builder()
                .raw(tool("refund", ToolEffect.ONCE).approval(Approval.ALWAYS),
                        (arguments, context) -> "refunded")
                .raw(tool("ask_boss", ToolEffect.ONCE), (arguments, context) -> {
                    tokens.add(context.completionKey().token());
                    return ToolResult.pending();
                })
                .build();
        return bench.worker(calling(calls), builder -> builder.tools(tools)
                .listener((session, event) -> heard.add(event)));
    }

    private static TurnResult.Resting resting(TurnResult result) {
        assertThat(result).isInstanceOf(TurnResult.Resting.class);
        return (TurnResult.Resting) result;
    }

    @Test
    void aTurnThatAsksForAnApprovalReturnsAndSaysWhatAnswersIt() throws Exception {
        Belay belay = asking(List.of(REFUND));

        var resting = resting(belay.session("order-42").turn("Refund it.").id("in").run());

        assertThat(resting.input()).isEqualTo("in");
        assertThat(resting.turn()).isEqualTo(1);
        Wait wait = resting.waits().getFirst();
        var open = belay.approvals().open(null, 9).items().getFirst();
        assertThat(resting.waits()).hasSize(1);
        assertThat(wait.kind()).isEqualTo(Wait.Kind.APPROVAL);
        assertThat(wait.session()).isEqualTo("order-42");
        assertThat(wait.tool()).isEqualTo("refund");
        assertThat(wait.arguments()).isEqualTo("{\"order\":42,\"cents\":8950}");
        assertThat(wait.keyId()).isEqualTo(open.keyId());
        assertThat(wait.digest()).isEqualTo(open.request().digest());
        assertThat(wait.until()).contains(open.expires());
        assertThat(wait.code()).isEqualTo("belay.approvals().decide(\"" + open.keyId() + "\", \""
                + open.request().digest() + "\", ApprovalAnswer.once())");
        assertThat(wait.command()).isEqualTo(where.equals("memory")
                ? ""
                : "belay approve " + open.keyId() + " --digest " + open.request().digest() + " --store "
                        + folder.resolve("belay.db"));
        assertThat(resting.toString()).startsWith("turn 1 of session order-42 rests since ")
                .contains("it waits for an approval", "refund {\"order\":42,\"cents\":8950}");
        assertThatThrownBy(resting::answer).isInstanceOfSatisfying(BelayException.class,
                e -> assertThat(e.code()).isEqualTo("turn_resting"));
    }

    @Test
    void argumentsOfACallThatWaitsBeginNoLine() throws Exception {
        Belay belay = asking(List.of(new CallPart("a", "refund",
                "{\"note\":\"" + " ".repeat(60) + "x".repeat(80) + "FORGED\"}")));
        String shown = resting(belay.session("order-42").turn("Go.").run()).toString();
        assertThat(shown.lines().skip(1).filter(line -> !line.matches("    (answer|or): .*")))
                .allMatch(line -> line.length() <= 80, "fits a terminal of 80 columns")
                .anyMatch(line -> line.startsWith("  refund {\"note\":\"‹60 spaces›xxx"))
                .anyMatch(line -> line.matches("    \\| x+FORGED\"}.*"));
    }

    @Test
    void longArgumentsOfAWaitAreCut() throws Exception {
        String most = "{\"note\":\"" + "x".repeat(189) + "\"}";
        Belay belay = asking(List.of(new CallPart("a", "refund", most)));
        assertThat(resting(belay.session("s").turn("Go.").run()).waits().getFirst().arguments()).hasSize(200)
                .isEqualTo(most);
        String more = "{\"note\":\"" + "x".repeat(190) + "\"}";
        Belay other = asking(List.of(new CallPart("a", "refund", more)));
        assertThat(resting(other.session("t").turn("Go.").run()).waits().getFirst().arguments())
                .isEqualTo("{\"note\":\"" + "x".repeat(190) + "\"...");
    }

    @Test
    void noWaitAndNoLineHasAKeyThatAnswers() throws Exception {
        Belay belay = asking(List.of(new CallPart("a", "ask_boss", "{}")));
        try (var log = HeardLog.of("dev.belay.turn", Level.INFO)) {
            var resting = resting(belay.session("s").turn("Go.").run());
            OperatorBench.until(() -> !log.from(" rests; ").isEmpty());
            String keyId = resting.waits().getFirst().keyId();
            assertThat(List.of(resting.toString(), String.join("\n", log.from(" rests; ")))).allSatisfy(
                    text -> assertThat(text).contains(keyId).doesNotContain(tokens.getFirst()));
        }
    }

    @Test
    void aRestIsAwaitedUntilItIsAnswered() throws Exception {
        Belay belay = asking(List.of(REFUND));
        var resting = resting(belay.session("s").turn("Go.").run());
        var next = CompletableFuture.supplyAsync(() -> {
            try {
                return resting.await();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        });
        Wait wait = resting.waits().getFirst();
        assertThat(next).isNotDone();

        belay.approvals().decide(wait.keyId(), wait.digest(), ApprovalAnswer.once());

        assertThat(next.get(30, TimeUnit.SECONDS).answer()).isEqualTo("done: refunded");
    }

    @Test
    void aRestWithOtherWaitsIsAnotherRest() throws Exception {
        Belay belay = asking(List.of(REFUND, new CallPart("b", "ask_boss", "{}")));
        var both = resting(belay.session("s").turn("Go.").run());
        assertThat(both.waits()).extracting(Wait::kind)
                .containsExactlyInAnyOrder(Wait.Kind.APPROVAL, Wait.Kind.COMPLETION);

        belay.resolve(tokens.getFirst(), Resolution.ok(Json.string("yes")));

        var one = resting(both.await());
        assertThat(one.waits()).extracting(Wait::kind).containsExactly(Wait.Kind.APPROVAL);
        Wait wait = one.waits().getFirst();
        belay.approvals().decide(wait.keyId(), wait.digest(), ApprovalAnswer.deny("no"));
        assertThat(one.await()).isInstanceOf(TurnResult.Ended.class);
    }

    @Test
    void anInputThatWaitsBehindARestingTurnRestsOnItsWaits() throws Exception {
        Belay belay = asking(List.of(REFUND));
        var first = resting(belay.session("s").turn("Go.").id("first").run());

        var second = resting(belay.session("s").turn("And then?").id("second").queue().run());

        assertThat(second.turn()).isEqualTo(1);
        assertThat(second.input()).isEqualTo("first");
        assertThat(second.waits()).extracting(Wait::keyId)
                .containsExactly(first.waits().getFirst().keyId());
        belay.session("s").cancel("enough");
        assertThat(resting(second.await()).input()).isEqualTo("second");
    }

    @Test
    void aCancelEndsARestingTurnAndWakesItsWaiters() throws Exception {
        Belay belay = asking(List.of(REFUND));
        var resting = resting(belay.session("s").turn("Go.").run());

        belay.session("s").cancel("enough");

        assertThat(resting.await().ended().summary()).contains("enough");
    }

    @Test
    void aRestIsToldOnce() throws Exception {
        Belay belay = asking(List.of(REFUND));
        var resting = resting(belay.session("s").turn("Go.").run());
        Wait wait = resting.waits().getFirst();
        belay.approvals().decide(wait.keyId(), wait.digest(), ApprovalAnswer.once());
        resting.await();
        OperatorBench.until(() -> heard.stream().anyMatch(TurnEvent.Committed.class::isInstance));

        assertThat(heard).filteredOn(TurnEvent.Resting.class::isInstance)
                .singleElement()
                .satisfies(event -> assertThat(((TurnEvent.Resting) event).waits()).extracting(Wait::keyId)
                        .containsExactly(wait.keyId()));
    }

    @Test
    void anotherRuntimeTellsOfTheSameRest() throws Exception {
        asking(List.of(REFUND));
        Belay belay = asking(List.of(REFUND));
        var resting = resting(belay.session("s").turn("Go.").id("in").run());
        Wait wait = resting.waits().getFirst();

        InputHandle elsewhere = bench.client().session("s").input("in").orElseThrow();

        assertThat(resting(elsewhere.await()).waits()).extracting(Wait::keyId).containsExactly(wait.keyId());
    }

    @Test
    void aRestEndsWithItsRuntimeAndStaysStored() throws Exception {
        Belay belay = asking(List.of(REFUND));
        var resting = resting(belay.session("s").turn("Go.").id("in").run());

        belay.close();

        assertThatThrownBy(resting::await).isInstanceOfSatisfying(BelayException.class,
                e -> assertThat(e.code()).isEqualTo("runtime_closed"));
        Belay next = asking(List.of(REFUND));
        assertThat(resting(next.session("s").input("in").orElseThrow().await()).waits()).hasSize(1);
    }
}
