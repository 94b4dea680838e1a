package dev.belay.tests.plugin;

import static dev.belay.tests.plugin.PluginBench.plugin;
import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.json.Json;
import dev.belay.runtime.plugin.AfterVerdict;
import dev.belay.runtime.plugin.BeforeVerdict;
import dev.belay.runtime.plugin.PluginFactory;
import dev.belay.tests.plugin.PayDesk.Loop;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.slf4j.event.Level;

/** Contract H.4 and H.6: what the log {@code dev.belay.tool.hook} says of plugins. */
class PluginHookLogTest {

    private static final String LOG = "dev.belay.tool.hook";

    private static PluginFactory saying(String id, BeforeVerdict before, AfterVerdict after) {
        return plugin(id, on -> {
            on.toolCalls().before(call -> before);
            on.toolCalls().after((call, outcome) -> after);
        });
    }

    private static List<String> logged(Level level, Loop loop, String from, PluginFactory... plugins)
            throws Exception {
        try (var log = HeardLog.of(LOG, level)) {
            new PayDesk().reply(loop, plugins);
            return log.from(from);
        }
    }

    @ParameterizedTest
    @EnumSource(Loop.class)
    void everyDecisionIsLoggedWithToolCallAndPluginAndWithoutTheInput(Loop loop) throws Exception {
        assertThat(logged(Level.DEBUG, loop, "tool=",
                saying("a", BeforeVerdict.proceed(), AfterVerdict.keep()),
                saying("b", BeforeVerdict.edit(Json.of("{\"amount\":10}")), AfterVerdict.reject("no"))))
                .containsExactly("tool=pay call=p plugin=a decision=proceed",
                        "tool=pay call=p plugin=b decision=edit",
                        "tool=pay call=p plugin=a decision=proceed",
                        "tool=pay call=p plugin=a decision=keep", "tool=pay call=p plugin=b decision=reject");
    }

    @ParameterizedTest
    @EnumSource(Loop.class)
    void theInputIsLoggedWhereThatIsEnabled(Loop loop) throws Exception {
        assertThat(logged(Level.TRACE, loop, "tool=",
                saying("a", BeforeVerdict.proceed(), AfterVerdict.keep())))
                .contains("tool=pay call=p plugin=a input={\"amount\":100}");
    }

    @ParameterizedTest
    @EnumSource(Loop.class)
    void aDisagreementNamesBothPluginsAndTheOneThatDecides(Loop loop) throws Exception {
        assertThat(logged(Level.INFO, loop, "Plugins ",
                saying("a", BeforeVerdict.complete(Json.string("free")), AfterVerdict.keep()),
                saying("b", BeforeVerdict.reject("no"), AfterVerdict.keep())))
                .containsExactly("Plugins a and b disagree about call p of tool pay; b decides");
    }

    @ParameterizedTest
    @EnumSource(Loop.class)
    void aConflictOfReplacementsNamesBothPlugins(Loop loop) throws Exception {
        assertThat(logged(Level.WARN, loop, "Plugins ",
                saying("a", BeforeVerdict.edit(Json.of("{\"amount\":10}")), AfterVerdict.keep()),
                saying("b", BeforeVerdict.edit(Json.of("{\"amount\":20}")), AfterVerdict.keep())))
                .containsExactly("Plugins b and a both edit the arguments of call p of tool pay");
    }

    @Test
    void aPluginThatFailsIsNamed() throws Exception {
        assertThat(logged(Level.WARN, Loop.RUNTIME, "plugin throwing",
                plugin("throwing", on -> on.toolCalls().before(call -> {
                    throw new IllegalStateException("no list");
                })))).isNotEmpty().first().asString().contains("no list");
    }
}
