package dev.belay.tests.plugin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.model.Part.CallPart;
import dev.belay.runtime.Belay;
import dev.belay.runtime.plugin.AfterVerdict;
import dev.belay.runtime.plugin.BeforeVerdict;
import dev.belay.runtime.plugin.PluginFactory;
import dev.belay.runtime.plugin.PluginRegistrar;
import dev.belay.tests.plugin.PayDesk.Loop;
import dev.belay.tests.session.SessionBench;
import dev.belay.tool.StaticToolProvider;
import dev.belay.tool.ToolEffect;
import dev.belay.tool.context.PluginState;
import dev.belay.tool.option.Scheduling;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.slf4j.event.Level;

/** A state by which hooks decide before parallel calls, and which hooks around those calls change, is told at WARN. */
class StaleReadsTest {

    private static final CallPart ONE = new CallPart("a", "pay", "{\"amount\":1}");
    private static final CallPart TWO = new CallPart("b", "pay", "{\"amount\":2}");
    private static final CallPart OTHER = new CallPart("c", "look", "{}");

    record Sum(int paid) {}

    private static final PluginState<Sum, Sum> SUM = PluginState.of("sum", Sum.class, new Sum(0), Sum.class,
            (before, more) -> new Sum(before.paid() + more.paid()));

    private static PluginFactory limit(Consumer<PluginRegistrar> hooks) {
        return PluginBench.plugin("limit", on -> {
            on.state(SUM);
            hooks.accept(on);
        });
    }

    private static void readsBefore(PluginRegistrar on) {
        on.toolCalls()
                .before("pay", call -> call.get(SUM).paid() > 100
                        ? BeforeVerdict.reject("enough")
                        : BeforeVerdict.proceed());
    }

    private static void changesAfter(PluginRegistrar on) {
        on.toolCalls().after("pay", (call, outcome) -> {
            call.update(SUM, new Sum(80));
            return AfterVerdict.keep();
        });
    }

    private static PluginFactory both() {
        return limit(on -> {
            readsBefore(on);
            changesAfter(on);
        });
    }

    @SafeVarargs
    private static List<String> told(Scheduling scheduling, PluginFactory plugin, List<CallPart>... rounds)
            throws Exception {
        try (var log = HeardLog.of("dev.belay.plugin", Level.WARN)) {
            try (Belay belay = PluginBench.builder()
                    .model(new PluginBench().calling(rounds))
                    .tools(StaticToolProvider.builder()
                            .raw(SessionBench.tool("pay", ToolEffect.ONCE).scheduling(scheduling),
                                    (arguments, context) -> "paid")
                            .raw(SessionBench.tool("look", ToolEffect.READ), (arguments, context) -> "seen")
                            .build())
                    .plugin(plugin)
                    .build()) {
                belay.session("s").turn("Pay.").run();
                belay.session("t").turn("Pay.").run();
            }
            return log.from("Plugin ");
        }
    }

    @Test
    void aStateThatParallelCallsChangeAndReadIsToldOnce() throws Exception {
        assertThat(told(Scheduling.PARALLEL, both(), List.of(ONE, TWO), List.of(ONE, TWO))).singleElement()
                .asString()
                .startsWith("Plugin limit changes state limit/sum around calls of tool pay")
                .contains("scheduling = SERIAL")
                .contains("a resource key does not help");
    }

    @Test
    void aReservationBeforeParallelCallsIsToldToo() throws Exception {
        assertThat(told(Scheduling.PARALLEL, limit(on -> on.toolCalls().before("pay", call -> {
            call.update(SUM, new Sum(80));
            return call.get(SUM).paid() > 100 ? BeforeVerdict.reject("enough") : BeforeVerdict.proceed();
        })), List.of(ONE, TWO))).hasSize(1);
    }

    @Test
    void serialCallsAreNotTold() throws Exception {
        assertThat(told(Scheduling.SERIAL, both(), List.of(ONE, TWO))).isEmpty();
    }

    @Test
    void callsOfDifferentMessagesAreNotTold() throws Exception {
        assertThat(told(Scheduling.PARALLEL, both(), List.of(ONE, OTHER), List.of(TWO, OTHER))).isEmpty();
    }

    @Test
    void aStateThatIsOnlyReadOrOnlyChangedIsNotTold() throws Exception {
        assertThat(told(Scheduling.PARALLEL, limit(StaleReadsTest::readsBefore), List.of(ONE, TWO)))
                .isEmpty();
        assertThat(told(Scheduling.PARALLEL, limit(StaleReadsTest::changesAfter), List.of(ONE, TWO)))
                .isEmpty();
    }

    @Test
    void aLoopOfYourOwnIsToldToCheckWhereTheToolWorks() throws Exception {
        var desk = new PayDesk();
        try (var log = HeardLog.of("dev.belay.plugin", Level.WARN)) {
            try (Belay belay = desk.with(Loop.HOSTED,
                    PluginBench.builder().model(new PluginBench().calling(List.of(ONE, TWO))), both())
                    .build()) {
                desk.turn(Loop.HOSTED, belay);
            }
            assertThat(log.from("Plugin ")).singleElement()
                    .asString()
                    .startsWith("Plugin limit changes state limit/sum around calls of tool pay")
                    .contains("again where the tool does its work");
        }
    }
}
