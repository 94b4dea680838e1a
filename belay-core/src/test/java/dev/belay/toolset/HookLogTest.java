package dev.belay.toolset;

import static dev.belay.toolset.Decision.complete;
import static dev.belay.toolset.Decision.proceed;
import static dev.belay.toolset.Decision.reject;
import static dev.belay.toolset.Shop.TOOLS;
import static dev.belay.toolset.Shop.call;
import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.fixture.logging.CapturedLog;
import dev.belay.toolset.Shop.ShopTools;
import dev.belay.toolset.Shop.ShopTools.Echo;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.slf4j.event.Level;

/** Contract H.6, row 42: decisions are logged with tool, call and decision, inputs only where that is enabled. */
class HookLogTest {

    private static final ToolHooks<ShopTools> NONE = ToolHooks.of(TOOLS);

    private static List<CapturedLog.Line> logged(Level level, ToolHooks<ShopTools> hooks) {
        ToolCall<ShopTools> call = call("echo", "{\"text\":\"secret\"}");
        try (var log = CapturedLog.of("dev.belay.tool.hook", level)) {
            call.apply(hooks);
            return log.lines();
        }
    }

    private static String decision(ToolHooks<ShopTools> hooks) {
        List<CapturedLog.Line> lines = logged(Level.DEBUG, hooks);
        assertThat(lines).hasSize(1);
        assertThat(lines.getFirst().level()).isEqualTo(Level.DEBUG);
        assertThat(lines.getFirst().text()).startsWith("tool=echo call=scripted_1 decision=");
        return lines.getFirst().text().substring("tool=echo call=scripted_1 decision=".length());
    }

    /** Row 42. */
    @Test
    void everyDecisionIsLoggedWithToolAndCall() {
        assertThat(decision(NONE.on(Echo.class, (info, in) -> proceed(in)))).isEqualTo("proceed");
        assertThat(decision(NONE.on(Echo.class, (info, in) -> proceed(new Echo("other"))))).isEqualTo("edit");
        assertThat(decision(NONE.on(Echo.class, (info, in) -> complete(in, "done")))).isEqualTo("complete");
        assertThat(decision(NONE.on(Echo.class, (info, in) -> reject("too loud"))))
                .isEqualTo("reject: too loud");
    }

    @Test
    void eachHookThatDecidesIsLogged() {
        var hooks = NONE.on(Echo.class, (info, in) -> proceed(new Echo("other")))
                .on(ShopTools.Refund.class, (info, in) -> reject("not asked"))
                .on(Echo.class, (info, in) -> reject("no"));
        assertThat(logged(Level.DEBUG, hooks).stream().map(CapturedLog.Line::text)).containsExactly(
                "tool=echo call=scripted_1 decision=edit", "tool=echo call=scripted_1 decision=reject: no");
    }

    @Test
    void inputsAreLoggedAtTraceOnly() {
        var hooks = NONE.on(Echo.class, (info, in) -> proceed(new Echo("secret too")))
                .on(Echo.class, (info, in) -> complete(in, "hidden"));
        assertThat(logged(Level.DEBUG, hooks).toString()).doesNotContain("secret", "hidden");
        List<CapturedLog.Line> lines = logged(Level.TRACE, hooks);
        assertThat(lines.stream().filter(line -> line.level() == Level.TRACE).map(CapturedLog.Line::text))
                .containsExactly("tool=echo call=scripted_1 input=Echo[text=secret]",
                        "tool=echo call=scripted_1 input=Echo[text=secret too]");
        assertThat(lines.stream().filter(line -> line.level() == Level.DEBUG).map(CapturedLog.Line::text))
                .noneMatch(text -> text.contains("secret"));
    }

    @Test
    void aHookThatFailsIsLoggedWithItsCauseAsAWarning() {
        var cause = new IllegalStateException("broken");
        List<CapturedLog.Line> lines = logged(Level.WARN, NONE.onEvery((info, in) -> {
            throw cause;
        }));
        assertThat(lines).hasSize(1);
        assertThat(lines.getFirst().thrown()).isSameAs(cause);
        assertThat(lines.getFirst().text()).contains("echo", "scripted_1");
    }

    @Test
    void anEditThatIsRefusedDoesNotShowItsInput() {
        var lines = logged(Level.WARN,
                NONE.onEvery((info, in) -> proceed(new ShopTools.FindOrders("secret"))));
        assertThat(lines).hasSize(1);
        assertThat(String.valueOf(lines.getFirst().thrown())).contains("FindOrders", "echo")
                .doesNotContain("secret");
    }

    @Test
    void aHookThatIsNotAskedIsNotLogged() {
        assertThat(logged(Level.TRACE, NONE)).isEmpty();
        assertThat(logged(Level.TRACE, NONE.on(ShopTools.Refund.class, (info, in) -> reject("no"))))
                .isEmpty();
    }
}
