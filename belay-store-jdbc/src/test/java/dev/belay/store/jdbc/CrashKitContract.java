package dev.belay.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.json.Json;
import dev.belay.testkit.crash.CrashKit;
import dev.belay.testkit.crash.CrashRecords;
import dev.belay.tool.StaticToolProvider;
import dev.belay.tool.ToolDefinition;
import dev.belay.tool.ToolEffect;
import dev.belay.tool.ToolProvider;
import dev.belay.tool.ToolResult;
import dev.belay.tool.option.Scheduling;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Calls on a store survive a crash at every record. */
public abstract class CrashKitContract {

    private static final Json ANY = Json.of("{\"type\":\"object\"}");

    private static final ToolProvider TOOLS = StaticToolProvider.builder()
            .raw(tool("look").effect(ToolEffect.READ), (in, context) -> "seen " + in)
            .raw(tool("put").effect(ToolEffect.IDEMPOTENT),
                    (in, context) -> "put under " + context.idempotencyKey())
            .raw(tool("pay"), (in, context) -> "paid " + in)
            .raw(tool("glance").effect(ToolEffect.READ).scheduling(Scheduling.SERIAL),
                    (in, context) -> "glanced")
            .raw(tool("last").scheduling(Scheduling.SERIAL), (in, context) -> "last")
            .raw(tool("dump").effect(ToolEffect.READ), (in, context) -> "x".repeat(100_000))
            .raw(tool("ask"), (in, context) -> {
                context.completionKey();
                return ToolResult.pending();
            })
            .raw(tool("trip").resumable(true), (in, context) -> {
                var steps = context.durable();
                Json flight = steps.run("flight", in, input -> Json.string("flight"));
                Json approved = steps.awaitEvent(steps.externalEventKey("approved"));
                steps.sleep("rest", Duration.ofHours(1));
                return flight + " " + approved;
            })
            .build();

    private static ToolDefinition tool(String name) {
        return ToolDefinition.raw(name, "Does " + name + ".", ANY);
    }

    /** For a subclass that names the store. */
    protected CrashKitContract() {}

    /** Keeps records in a store; a folder is a place of its own. */
    protected abstract CrashRecords records();

    /** How many interleavings a test plays, of those that it asks for; a store that is slow to open plays fewer. */
    protected int interleavings(int wanted) {
        return wanted;
    }

    private CrashKit kit() {
        return CrashKit.on(records()).tools(TOOLS).interleavings(interleavings(10));
    }

    @Test
    void plainCallsSurvive() throws Exception {
        var report = kit().call("look", "{}").call("put", "{}").call("pay", "{\"amount\":3}").verify();

        assertThat(report.crashes()).isEqualTo(3 * report.records());
    }

    @Test
    void callsThatRunAheadSurvive() throws Exception {
        kit().interleavings(interleavings(40))
                .call("glance", "{}")
                .call("glance", "{}")
                .call("last", "{}")
                .call("glance", "{}")
                .verify();
    }

    @Test
    void whatAListenerHeardOfACallThatRanAheadStays() throws Exception {
        var looks = new AtomicInteger();
        var tools = StaticToolProvider.builder()
                .raw(tool("count").effect(ToolEffect.READ).scheduling(Scheduling.SERIAL),
                        (in, context) -> "seen " + looks.incrementAndGet())
                .raw(tool("last").scheduling(Scheduling.SERIAL), (in, context) -> "last")
                .build();
        kit().tools(tools)
                .interleavings(interleavings(30))
                .comparing(outcome -> outcome.text().replaceAll("[0-9]+", ""))
                .call("count", "{}")
                .call("count", "{}")
                .call("count", "{}")
                .call("last", "{}")
                .verify();
    }

    @Test
    void largeResultsSurvive() throws Exception {
        kit().call("dump", "{}").call("pay", "{}").verify();
    }

    @Test
    void waitingCallsSurvive() throws Exception {
        kit().call("ask", "{}")
                .call("trip", "{}")
                .call("pay", "{}")
                .complete("ask", "\"granted\"")
                .complete("approved", "true")
                .verify();
    }
}
