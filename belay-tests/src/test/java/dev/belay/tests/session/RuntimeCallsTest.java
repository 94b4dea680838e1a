package dev.belay.tests.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.belay.BelayException;
import dev.belay.json.Json;
import dev.belay.model.script.ScriptedModel;
import dev.belay.runtime.Belay;
import dev.belay.runtime.dispatch.CallRequest;
import dev.belay.runtime.effect.Delivery;
import dev.belay.runtime.effect.Resolution;
import dev.belay.runtime.store.journal.JournalProbe;
import dev.belay.runtime.store.memory.SharedMemory;
import dev.belay.testkit.BelayTest;
import dev.belay.testkit.SimulatedCrash;
import dev.belay.tool.StaticToolProvider;
import dev.belay.tool.ToolDefinition;
import dev.belay.tool.ToolOutcome;
import dev.belay.tool.ToolProvider;
import dev.belay.tool.ToolResult;
import dev.belay.tool.context.PendingCompletion;
import dev.belay.tool.option.Visibility;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Calls that a program asks for itself, through the door of a runtime. */
@BelayTest
@Timeout(120)
class RuntimeCallsTest {

    private static final Json ANY = Json.of("{\"type\":\"object\"}");

    private final AtomicInteger paid = new AtomicInteger();
    private final BlockingQueue<String> keys = new LinkedBlockingQueue<>();

    private ToolProvider tools() {
        return StaticToolProvider.builder()
                .raw(ToolDefinition.raw("pay", "Pays.", ANY)
                        .visibility(Visibility.INTERNAL), (in, context) -> "paid " + paid.incrementAndGet())
                .raw(ToolDefinition.raw("ask", "Asks.", ANY), (in, context) -> {
                    keys.add(context.completionKey().token());
                    return ToolResult.pending(PendingCompletion.DEFAULT);
                })
                .build();
    }

    private static List<CallRequest> one(String tool) {
        return List.of(new CallRequest(tool, "{}"));
    }

    @Test
    void aToolThatIsAddedLaterCanBeCalled(Belay belay) throws Exception {
        assertThat(belay.calls().run("before", one("pay")).outcomes().getFirst().code())
                .contains("unknown_tool");
        belay.tools().add(tools());
        assertThat(belay.calls().run("after", one("pay")).outcomes().getFirst().text()).isEqualTo("paid 1");
    }

    @Test
    void aRuntimeWithoutAModelRunsCallsInternalToolsIncluded() throws Exception {
        try (Belay belay = Belay.builder().tools(tools()).build()) {
            List<ToolOutcome> first = belay.calls().run("batch", one("pay")).outcomes();
            assertThat(first).extracting(ToolOutcome::text).containsExactly("paid 1");
            assertThat(belay.calls().run("batch", one("pay")).outcomes()).isEqualTo(first);
        }
        assertThat(paid).hasValue(1);
    }

    @Test
    void aParkedCallIsResolvedThroughTheRuntime(Belay belay) throws Exception {
        belay.tools().add(tools());
        belay.calls().submit("batch", one("ask"));
        assertThat(belay.resolve(keys.take(), Resolution.ok(Json.string("yes"))))
                .isInstanceOf(Delivery.Accepted.class);
        assertThat(belay.calls().join("batch").orElseThrow()).extracting(ToolOutcome::text)
                .containsExactly("yes");
    }

    @Test
    void aRuntimeWithoutAModelAcceptsNoTurn() {
        try (Belay belay = Belay.builder().build()) {
            assertThatThrownBy(() -> belay.session("s").turn("Hello").submit())
                    .isInstanceOfSatisfying(BelayException.class,
                            e -> assertThat(e.code()).isEqualTo("model_missing"));
            assertThatThrownBy(() -> belay.session("s").begin("Hello"))
                    .isInstanceOfSatisfying(BelayException.class,
                            e -> assertThat(e.code()).isEqualTo("model_missing"));
            assertThat(belay.session("s").head()).isEmpty();
        }
    }

    @Test
    void aRuntimeWithoutAModelLeavesTurnsToOneThatHasIt() throws Exception {
        var memory = new SharedMemory();
        JournalProbe dying = (moment, write) -> {
            if (moment == JournalProbe.Moment.BEFORE && write.startsWith("effect round/1")) {
                throw new SimulatedCrash("here");
            }
        };
        var dead = Belay.builder()
                .model(new ScriptedModel("m").reply("lost"))
                .store(memory.open(dying))
                .build();
        try {
            dead.session("s").turn("Hello").id("in").submit();
        } finally {
            dead.close();
        }
        try (Belay calls = Belay.builder().tools(tools()).store(memory.open()).build()) {
            calls.calls().run("batch", one("pay")).outcomes();
            assertThat(calls.session("s").input("in").orElseThrow().result()).isEmpty();
        }
        try (Belay belay = Belay.builder()
                .model(new ScriptedModel("m").reply("Hi"))
                .store(memory.open())
                .build()) {
            assertThat(belay.session("s").input("in").orElseThrow().awaitCommit().text()).isEqualTo("Hi");
        }
    }

    @Test
    void callsAndTurnsShareARuntime(Belay belay, ScriptedModel model) throws Exception {
        model.reply("Hi");
        belay.tools().add(tools());
        assertThat(belay.session("s").turn("Hello").run().ended().text()).isEqualTo("Hi");
        assertThat(belay.calls().run("batch", one("pay")).outcomes()).extracting(ToolOutcome::text)
                .containsExactly("paid 1");
    }
}
