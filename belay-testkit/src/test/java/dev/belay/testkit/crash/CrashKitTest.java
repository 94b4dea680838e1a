package dev.belay.testkit.crash;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.belay.json.Json;
import dev.belay.tool.StaticToolProvider;
import dev.belay.tool.ToolDefinition;
import dev.belay.tool.ToolProvider;
import dev.belay.tool.option.Approval;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** The kit lets correct hosts and tools of every kind pass. */
final class CrashKitTest {

    private static CrashKit shop() {
        return CrashKit.inMemory().tools(Shop.tools());
    }

    @Test
    void plainCallsPass() throws Exception {
        CrashReport report = shop().call("look", "{}")
                .call("put", "{}")
                .call("pay", "{\"amount\":3}")
                .call("fail", "{}")
                .verify();

        assertThat(report.records()).isGreaterThanOrEqualTo(8);
        assertThat(report.crashes()).isEqualTo(3 * report.records());
        assertThat(report.interleavings()).isEqualTo(20);
    }

    @Test
    void exclusiveAndSerialCallsPass() throws Exception {
        shop().call("book", "{\"room\":1}")
                .call("book", "{\"room\":1}")
                .call("last", "{}")
                .call("last", "{}")
                .verify();
    }

    @Test
    void deferredCallsPass() throws Exception {
        shop().call("ask", "{}").call("pay", "{}").call("last", "{}").complete("ask", "\"granted\"").verify();
    }

    @Test
    void resumableCallsPass() throws Exception {
        shop().call("trip", "{\"to\":\"Oslo\"}").call("look", "{}").complete("approved", "true").verify();
    }

    @Test
    void cancelledCallsPass() throws Exception {
        shop().call("ask", "{}").call("trip", "{}").cancel("enough").verify();
    }

    @Test
    void callsThatTimePassesByPass() throws Exception {
        shop().call("trip", "{}").complete("approved", "true").pass(Duration.ofHours(2)).verify();
    }

    @Test
    void nothingToCrashIsSaid() {
        assertThatThrownBy(() -> shop().verify()).hasMessageContaining("call(tool, arguments)");
        assertThatThrownBy(() -> CrashKit.inMemory().call("pay", "{}"))
                .hasMessageContaining("tools(provider)");
    }

    @Test
    void oneCrashIsRunAlone() throws Exception {
        CrashReport report = shop().call("pay", "{}")
                .only("AFTER effect call/0/attempt/1 STARTED #1")
                .verify();

        assertThat(report.crashes()).isEqualTo(1);
        assertThat(report.interleavings()).isZero();
        assertThat(shop().call("pay", "{}").only("seed 42").verify().interleavings()).isEqualTo(1);
        assertThatThrownBy(() -> shop().call("pay", "{}").only("AFTER effect nothing STARTED #1").verify())
                .hasMessageContaining("no such crash")
                .hasMessageContaining("call/0/attempt/1");
        assertThatThrownBy(() -> shop().call("pay", "{}").only("here").verify())
                .hasMessageContaining("\"here\"");
    }

    @Test
    void aCallThatNeverReachesItsBodyIsRefused() {
        assertThatThrownBy(() -> shop().call("pray", "{}")).isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("there is no tool pray to crash, but [");
        assertThatThrownBy(() -> shop().call("pay", "[]")).isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("nothing to crash: the arguments of pay do not fit");
        assertThatThrownBy(() -> shop().call("pay", "{")).hasMessageContaining("cannot be read as JSON");
    }

    @Test
    void aBodyThatThrowsWithoutACrashIsRefused() {
        ToolProvider broken = StaticToolProvider.builder()
                .raw(ToolDefinition.raw("pay", "Pays.", Json.of("{\"type\":\"object\"}")), (in, context) -> {
                    throw new IllegalStateException("no till");
                })
                .build();
        assertThatThrownBy(() -> CrashKit.inMemory().tools(broken).call("pay", "{}").verify())
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("a call throws without a crash: no till");
    }

    @Test
    void aBodyThatNeverRunsIsRefused() {
        ToolProvider asks = StaticToolProvider.builder()
                .raw(ToolDefinition.raw("pay", "Pays.", Json.of("{\"type\":\"object\"}"))
                        .approval(Approval.ALWAYS), (in, context) -> "paid")
                .build();
        assertThatThrownBy(() -> CrashKit.inMemory().tools(asks).call("pay", "{}").verify())
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("the body of pay never ran without a crash");
    }
}
