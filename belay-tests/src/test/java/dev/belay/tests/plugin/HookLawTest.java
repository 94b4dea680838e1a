package dev.belay.tests.plugin;

import static dev.belay.tests.plugin.PluginBench.plugin;
import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.json.Json;
import dev.belay.model.Part.CallPart;
import dev.belay.runtime.Belay;
import dev.belay.runtime.plugin.AfterVerdict;
import dev.belay.runtime.plugin.BeforeVerdict;
import dev.belay.runtime.plugin.PluginFactory;
import dev.belay.testkit.FakeTime;
import dev.belay.tests.plugin.PayDesk.Loop;
import dev.belay.tool.ToolOutcome;
import dev.belay.tool.context.PluginBinding;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Contract H.2 to H.8, in the loop of the runtime and in a loop of a program's own. */
class HookLawTest {

    private static final List<String> BEFORE = List.of("proceed", "edit", "complete", "reject", "abort");
    private static final List<String> AFTER = List.of("keep", "complete", "reject", "abort");

    /** What the model reads if plugin A says the verdict of the row and plugin B that of the column. */
    private static final String[][] BEFORE_READS = {
        // B:      proceed     edit        complete  reject  abort
        /* proceed  */ {"paid 100", "paid 20", "B done", "B no", "B stop"},
        /* edit     */ {"paid 10", "conflict", "B done", "B no", "B stop"},
        /* complete */ {"A done", "A done", "A done", "B no", "B stop"},
        /* reject   */ {"A no", "A no", "A no", "A no", "B stop"},
        /* abort    */ {"A stop", "A stop", "A stop", "A stop", "A stop"},
    };
    /** The same of hooks after the body; of two that are equally strong the first one counts. */
    private static final String[][] AFTER_READS = {
        // B:      keep        complete    reject   abort
        /* keep     */ {"paid 100", "B done", "B no", "B stop"},
        /* complete */ {"A done", "conflict", "B no", "B stop"},
        /* reject   */ {"A no", "A no", "first no", "B stop"},
        /* abort    */ {"A stop", "A stop", "A stop", "first stop"},
    };

    private final PayDesk desk = new PayDesk();

    private static PluginFactory before(String id, String verdict, long amount) {
        return plugin(id, on -> on.toolCalls().before("pay", call -> switch (verdict) {
            case "edit" -> BeforeVerdict.edit(amount(amount));
            case "complete" -> BeforeVerdict.complete(Json.string(id + " done"));
            case "reject" -> BeforeVerdict.reject(id + " no");
            case "abort" -> BeforeVerdict.abort(id + " stop");
            default -> BeforeVerdict.proceed();
        }));
    }

    private static PluginFactory after(String id, String verdict) {
        return plugin(id, on -> on.toolCalls().after("pay", (call, outcome) -> switch (verdict) {
            case "complete" -> AfterVerdict.complete(Json.string(id + " done"));
            case "reject" -> AfterVerdict.reject(id + " no");
            case "abort" -> AfterVerdict.abort(id + " stop");
            default -> AfterVerdict.keep();
        }));
    }

    private static Json amount(long amount) {
        return Json.of("{\"amount\":" + amount + "}");
    }

    private static String worded(String reads, String first) {
        String said = reads.replace("first", first);
        return said.endsWith(" no")
                ? "Rejected: " + said
                : said.endsWith(" stop") ? "Error (plugin_abort): " + said : said;
    }

    @TestFactory
    Stream<DynamicTest> everyPairOfVerdictsBeforeABodyInBothOrdersAndLoops() {
        List<DynamicTest> tests = new ArrayList<>();
        for (Loop loop : Loop.values()) {
            for (String a : BEFORE) {
                for (String b : BEFORE) {
                    for (boolean aFirst : new boolean[]{true, false}) {
                        String reads = BEFORE_READS[BEFORE.indexOf(a)][BEFORE.indexOf(b)];
                        tests.add(DynamicTest.dynamicTest(
                                loop + (aFirst ? " A " + a + ", B " + b : " B " + b + ", A " + a), () -> {
                                    var one = before("A", a, 10);
                                    var two = before("B", b, 20);
                                    String reply = aFirst
                                            ? desk.reply(loop, one, two)
                                            : desk.reply(loop, two, one);
                                    if (reads.equals("conflict")) {
                                        assertThat(reply).startsWith("Error (hook_replacement_conflict): ")
                                                .contains("A")
                                                .contains("B")
                                                .contains("both edit the arguments");
                                    } else {
                                        assertThat(reply).isEqualTo(worded(reads, ""));
                                    }
                                    assertThat(desk.paid).isEqualTo(reads.startsWith("paid")
                                            ? List.of(Long.valueOf(reads.substring(5)))
                                            : List.of());
                                }));
                    }
                }
            }
        }
        return tests.stream();
    }

    @TestFactory
    Stream<DynamicTest> everyPairOfVerdictsAfterABodyInBothOrdersAndLoops() {
        List<DynamicTest> tests = new ArrayList<>();
        for (Loop loop : Loop.values()) {
            for (String a : AFTER) {
                for (String b : AFTER) {
                    for (boolean aFirst : new boolean[]{true, false}) {
                        String reads = AFTER_READS[AFTER.indexOf(a)][AFTER.indexOf(b)];
                        tests.add(DynamicTest.dynamicTest(
                                loop + (aFirst ? " A " + a + ", B " + b : " B " + b + ", A " + a), () -> {
                                    String reply = aFirst
                                            ? desk.reply(loop, after("A", a), after("B", b))
                                            : desk.reply(loop, after("B", b), after("A", a));
                                    if (reads.equals("conflict")) {
                                        assertThat(reply).startsWith("Error (hook_replacement_conflict): ")
                                                .contains("both replace the outcome");
                                    } else {
                                        assertThat(reply).isEqualTo(worded(reads, aFirst ? "A" : "B"));
                                    }
                                    assertThat(desk.paid).containsExactly(100L);
                                }));
                    }
                }
            }
        }
        return tests.stream();
    }

    @ParameterizedTest
    @EnumSource(Loop.class)
    void anAmountThatAHookEditsIsTheAmountThatIsPaid(Loop loop) throws Exception {
        assertThat(desk.reply(loop, before("limit", "edit", 10))).isEqualTo("paid 10");
        assertThat(desk.paid).containsExactly(10L);
    }

    @ParameterizedTest
    @EnumSource(Loop.class)
    void hooksThatHaveRunSeeTheEditOnceAndMayRefuseIt(Loop loop) throws Exception {
        List<String> seen = new CopyOnWriteArrayList<>();
        var auditor = plugin("auditor", on -> on.toolCalls().before(call -> {
            seen.add(call.arguments().text());
            call.emit("seen", call.arguments());
            return call.arguments().equals(amount(10))
                    ? BeforeVerdict.reject("not 10")
                    : BeforeVerdict.proceed();
        }));
        var bench = new PluginBench();
        try (Belay belay = desk.with(loop, PluginBench.builder().model(PayDesk.model()), auditor,
                before("limit", "edit", 10)).listener((session, event) -> bench.hear(event)).build()) {
            assertThat(desk.turn(loop, belay).text()).isEqualTo("done: Rejected: not 10");
        }
        assertThat(seen).containsExactly("{\"amount\":100}", "{\"amount\":10}");
        assertThat(bench.toldBy(1)).as("what a hook leaves at the second look does not count")
                .containsExactly("auditor seen {\"amount\":100}");
    }

    @ParameterizedTest
    @EnumSource(Loop.class)
    void anEditThatDoesNotFitTheSchemaIsRefused(Loop loop) throws Exception {
        var wrong = plugin("wrong", on -> on.toolCalls()
                .before(call -> BeforeVerdict.edit(Json.of("{\"amount\":\"much\"}"))));
        assertThat(desk.reply(loop, wrong)).startsWith("Error (invalid_arguments): ");
        assertThat(desk.paid).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(Loop.class)
    void aHookThatEditsForEverIsAConflictWithItself(Loop loop) throws Exception {
        var greedy = plugin("greedy", on -> on.toolCalls()
                .before(call -> BeforeVerdict
                        .edit(amount(call.arguments().get("amount").orElseThrow().asLong() + 1))));
        assertThat(desk.reply(loop, greedy, before("limit", "edit", 10)))
                .startsWith("Error (hook_replacement_conflict): plugins limit and greedy");
        assertThat(desk.paid).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(Loop.class)
    void aHookBeforeThatThrowsOrReturnsNullFailsTheCall(Loop loop) throws Exception {
        var throwing = plugin("throwing", on -> on.toolCalls().before(call -> {
            throw new IllegalStateException("no");
        }));
        assertThat(desk.reply(loop, throwing)).startsWith("Error (before_hook_failed): ");
        assertThat(desk.reply(loop, plugin("none", on -> on.toolCalls().before(call -> null))))
                .startsWith("Error (before_hook_failed): ");
        assertThat(desk.paid).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(Loop.class)
    void aHookAfterThatThrowsOrReturnsNullFailsTheCall(Loop loop) throws Exception {
        var throwing = plugin("throwing", on -> on.toolCalls().after((call, outcome) -> {
            throw new IllegalStateException("no");
        }));
        assertThat(desk.reply(loop, throwing)).startsWith("Error (after_hook_failed): ");
        assertThat(desk.reply(loop, plugin("none", on -> on.toolCalls().after((call, outcome) -> null))))
                .startsWith("Error (after_hook_failed): ");
    }

    @ParameterizedTest
    @EnumSource(Loop.class)
    void aHookThatHangsIsGivenUpAfterFiveSeconds(Loop loop) throws Exception {
        var never = new CountDownLatch(1);
        var time = new FakeTime();
        var hanging = plugin("hanging", on -> on.toolCalls().before(call -> {
            try {
                never.await();
            } catch (InterruptedException givenUp) {
                Thread.currentThread().interrupt();
            }
            return BeforeVerdict.proceed();
        }));
        try (Belay belay = desk.with(loop, PluginBench.builder().model(PayDesk.model()).time(time), hanging)
                .build()) {
            String text = time.during(() -> desk.turn(loop, belay).text());
            assertThat(text).startsWith("done: Error (before_hook_failed): ");
        }
        assertThat(desk.paid).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(Loop.class)
    void aHookAfterTheBodyThatHangsIsGivenUpAfterFiveSecondsAndLeavesNothing(Loop loop) throws Exception {
        var never = new CountDownLatch(1);
        var time = new FakeTime();
        var bench = new PluginBench();
        var fine = plugin("fine", on -> on.toolCalls().after((call, outcome) -> {
            call.emit("seen", outcome.text());
            return AfterVerdict.keep();
        }));
        var hanging = plugin("hanging", on -> on.toolCalls().after((call, outcome) -> {
            call.emit("late", "lost");
            try {
                never.await();
            } catch (InterruptedException givenUp) {
                Thread.currentThread().interrupt();
            }
            return AfterVerdict.keep();
        }));
        try (Belay belay = desk
                .with(loop, PluginBench.builder().model(PayDesk.model()).time(time), fine, hanging)
                .listener((session, event) -> bench.hear(event))
                .build()) {
            String text = time.during(() -> desk.turn(loop, belay).text());
            assertThat(text).startsWith("done: Error (after_hook_failed): ");
        }
        assertThat(desk.paid).containsExactly(100L);
        assertThat(bench.toldBy(1)).containsExactly("fine seen \"paid 100\"");
    }

    @ParameterizedTest
    @EnumSource(Loop.class)
    void tenThousandEventsOfAHookFailItsCallAndTheSessionGoesOn(Loop loop) throws Exception {
        var loud = plugin("loud", on -> on.toolCalls().before(call -> {
            for (int i = 0; i < 10_000; i++) {
                call.emit("noise", "event " + i);
            }
            return BeforeVerdict.proceed();
        }));
        assertThat(desk.reply(loop, loud)).startsWith("Error (before_hook_failed): ");
        assertThat(desk.paid).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(Loop.class)
    void statesAndEventsOfHooksCountAlsoIfTheCallIsRefused(Loop loop) throws Exception {
        var bench = new PluginBench();
        var noting = plugin("noting", on -> on.toolCalls().before(call -> {
            call.update(PlanPlugin.STEPS, new PlanPlugin.Change.Add("asked"));
            call.emit("asked", "pay");
            return BeforeVerdict.reject("no");
        }));
        try (Belay belay = desk
                .with(loop, PluginBench.builder().model(PayDesk.model()), new PlanPlugin(), noting)
                .listener((session, event) -> bench.hear(event))
                .build()) {
            desk.turn(loop, belay);
            assertThat(belay.session("s").head().orElseThrow().state().text()).contains("\"asked\"");
        }
        assertThat(bench.toldBy(1)).containsExactly("noting asked \"pay\"");
    }

    @ParameterizedTest
    @EnumSource(Loop.class)
    void aHookAfterSeesTheStateThatAHookBeforeHasLeft(Loop loop) throws Exception {
        List<String> seen = new CopyOnWriteArrayList<>();
        var noting = plugin("noting", on -> {
            on.toolCalls().before(call -> {
                call.update(PlanPlugin.STEPS, new PlanPlugin.Change.Add("asked"));
                return BeforeVerdict.proceed();
            });
            on.toolCalls().after((call, outcome) -> {
                seen.add(call.get(PlanPlugin.STEPS).steps() + " " + call.arguments() + " " + outcome.text());
                return AfterVerdict.keep();
            });
        });
        assertThat(desk.reply(loop, new PlanPlugin(), noting)).isEqualTo("paid 100");
        assertThat(seen).containsExactly("[asked] {\"amount\":100} paid 100");
    }

    @ParameterizedTest
    @EnumSource(Loop.class)
    void hooksSeeArgumentsBeforeTheyAreValidatedAndMayMendThem(Loop loop) throws Exception {
        List<String> seen = new CopyOnWriteArrayList<>();
        var mending = plugin("mending", on -> on.toolCalls().before(call -> {
            seen.add(call.arguments().text());
            return BeforeVerdict.edit(amount(10));
        }));
        var model = new PluginBench().calling(List.of(new CallPart("p", "pay", "{\"amount\":\"ten\"}")));
        try (Belay belay = desk.with(loop, PluginBench.builder().model(model), mending).build()) {
            assertThat(desk.turn(loop, belay).text()).isEqualTo("done: paid 10");
        }
        assertThat(seen).containsExactly("{\"amount\":\"ten\"}");
        assertThat(desk.paid).containsExactly(10L);
    }

    @ParameterizedTest
    @EnumSource(Loop.class)
    void anEditThatChangesNothingIsNoneAndConflictsWithNoOther(Loop loop) throws Exception {
        List<String> seen = new CopyOnWriteArrayList<>();
        var first = plugin("first", on -> on.toolCalls().before(call -> {
            seen.add(call.arguments().text());
            return BeforeVerdict.proceed();
        }));
        assertThat(desk.reply(loop, first, before("A", "edit", 100), before("B", "edit", 100)))
                .isEqualTo("paid 100");
        assertThat(seen).as("not shown a second time").containsExactly("{\"amount\":100}");
    }

    @ParameterizedTest
    @EnumSource(Loop.class)
    void hooksReadWhatWasGivenWithTheInput(Loop loop) throws Exception {
        PluginBinding<String> tenant = PluginBinding.of("tenant", String.class);
        List<String> seen = new CopyOnWriteArrayList<>();
        var reading = plugin("reading", on -> on.toolCalls().before(call -> {
            seen.add(call.input(tenant).orElse("none"));
            return BeforeVerdict.proceed();
        }));
        desk.given = List.of(tenant.given("acme"));
        try (Belay belay = desk.with(loop, PluginBench.builder().model(PayDesk.model()), reading)
                .build()) {
            if (loop == Loop.RUNTIME) {
                belay.session("s").turn("Pay.").with(tenant, "acme").run();
            } else {
                desk.turn(loop, belay);
            }
        }
        assertThat(seen).containsExactly("acme");
    }

    @Test
    void aProgramCannotAnswerACallThatAPluginHasEnded() throws Exception {
        List<String> given = new CopyOnWriteArrayList<>();
        desk.answer = call -> {
            given.add(call.name());
            return call.reject("of the loop");
        };
        assertThat(desk.reply(Loop.HOSTED, before("A", "complete", 0))).isEqualTo("A done");
        assertThat(given).as("the call is not delivered").isEmpty();
    }

    @Test
    void hooksAfterAlsoSeeRepliesThatTheLoopGivesWithoutRunningABody() throws Exception {
        List<ToolOutcome> seen = new CopyOnWriteArrayList<>();
        var watching = plugin("watching", on -> on.toolCalls().after((call, outcome) -> {
            seen.add(outcome);
            call.update(PlanPlugin.STEPS, new PlanPlugin.Change.Add("looked"));
            return AfterVerdict.keep();
        }));
        desk.answer = call -> call.reject("closed");
        assertThat(desk.reply(Loop.HOSTED, new PlanPlugin(), watching)).isEqualTo("Rejected: closed");
        desk.answer = call -> call.complete((PayDesk.PayTools.Pay) call.input(), "free");
        assertThat(desk.reply(Loop.HOSTED, new PlanPlugin(), watching, after("B", "complete")))
                .isEqualTo("B done");
        assertThat(seen).containsExactly(new ToolOutcome.Rejected("closed"),
                new ToolOutcome.Success(Json.string("free")), new ToolOutcome.Success(Json.string("B done")));
    }
}
