package dev.belay.tests.output;

import static dev.belay.tests.output.OutputBench.replies;
import static dev.belay.tests.session.SessionBench.call;
import static dev.belay.tests.session.SessionBench.tool;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.belay.model.ModelRequest;
import dev.belay.model.Part.CallPart;
import dev.belay.runtime.Belay;
import dev.belay.runtime.BelayBuilder;
import dev.belay.runtime.dispatch.CallEvent;
import dev.belay.runtime.output.OutputProjector;
import dev.belay.runtime.output.ToolOutput;
import dev.belay.runtime.output.ToolOutputBudgetConfig;
import dev.belay.runtime.plugin.OutputBudgetPlugin;
import dev.belay.runtime.plugin.PluginFactory;
import dev.belay.runtime.plugin.PluginSession;
import dev.belay.runtime.plugin.SessionPlugin;
import dev.belay.runtime.session.Session;
import dev.belay.runtime.session.TurnEvent;
import dev.belay.runtime.store.Store;
import dev.belay.runtime.store.memory.SharedMemory;
import dev.belay.store.jdbc.JdbcStore;
import dev.belay.testkit.FakeTime;
import dev.belay.tests.session.SessionBench;
import dev.belay.tool.StaticToolProvider;
import dev.belay.tool.ToolEffect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Contract M.4, F.2, H.5: projectors of other plugins, good and bad. */
@Timeout(120)
class OutputProjectorTest {

    /** Where sessions are kept. */
    enum Kept {
        IN_MEMORY, IN_A_FILE
    }

    @TempDir
    Path directory;

    private final AtomicInteger files = new AtomicInteger();
    private final List<ModelRequest> requests = new CopyOnWriteArrayList<>();

    private Store store(Kept kept) {
        return kept == Kept.IN_MEMORY
                ? new SharedMemory().open()
                : JdbcStore.sqlite(directory.resolve(files.incrementAndGet() + ".db"));
    }

    private BelayBuilder builder(Kept kept, List<List<CallPart>> rounds) {
        return Belay.builder()
                .store(store(kept))
                .tools(StaticToolProvider.builder()
                        .raw(tool("wide", ToolEffect.READ), (in, context) -> "w".repeat(20_000))
                        .build())
                .model(SessionBench.model(request -> {
                    requests.add(request);
                    int done = SessionBench.roundsSinceUser(request);
                    return done < rounds.size()
                            ? SessionBench.calls(rounds.get(done))
                            : SessionBench.text("done");
                }));
    }

    private static int bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8).length;
    }

    @ParameterizedTest
    @EnumSource
    void theThreeViewsAreReplacedSeparately(Kept kept) throws Exception {
        OutputProjector base = ToolOutputBudgetConfig.DEFAULT.projector();
        for (OutputProjector projector : List.of(base,
                base.withCaller(OutputProjector.CallerView.WHOLE),
                base.withModel((batch, keeper) -> List.of("for the model")),
                base.withHistory((batch, shown, keeper) -> List.of("for the history")))) {
            requests.clear();
            BlockingQueue<String> heard = new LinkedBlockingQueue<>(); // run() does not wait for listeners
            try (Belay belay = builder(kept, List.of(List.of(call("a", "wide"))))
                    .configurePlugins(stack -> stack
                            .replace(new OutputBudgetPlugin(ToolOutputBudgetConfig.DEFAULT, projector)))
                    .listener((session, event) -> {
                        if (event instanceof TurnEvent.Call call
                                && call.event() instanceof CallEvent.Finished finished) {
                            heard.add(finished.outcome().text());
                        }
                    })
                    .build()) {
                Session session = belay.session("s");
                session.turn("Go.").run();
                session.turn("Again.").run();
                String model = replies(requests.get(1).messages()).getFirst();
                String later = replies(requests.get(2).messages()).getFirst();
                String history = replies(session.messages()).getFirst();
                assertThat(later).as("later turns see the history").isEqualTo(history);
                assertThat(heard.take().length() == 20_000)
                        .isEqualTo(!projector.caller().equals(base.caller()));
                assertThat(model)
                        .startsWith(projector.model().equals(base.model()) ? "www" : "for the model");
                assertThat(history)
                        .isEqualTo(projector.history().equals(base.history()) ? model : "for the history");
            }
        }
    }

    private static PluginFactory projecting(String id) {
        return new PluginFactory() {
            @Override
            public String id() {
                return id;
            }

            @Override
            public SessionPlugin build(PluginSession session) {
                return on -> on.toolResults().projector(ToolOutputBudgetConfig.DEFAULT.projector());
            }
        };
    }

    @Test
    void aSecondProjectorFailsTheOpenAndNamesBoth() {
        try (Belay belay = builder(Kept.IN_MEMORY, List.of()).plugin(projecting("mine")).build()) {
            assertThatThrownBy(() -> belay.session("s").turn("Go.").run()).hasMessageContaining(
                    "plugins output-budget and mine both register a projector of tool results");
            assertThatThrownBy(() -> belay.session("t").begin("Go.")).as("a loop of your own")
                    .hasMessageContaining("plugins output-budget and mine both register");
        }
    }

    @ParameterizedTest
    @EnumSource
    void aProjectorThatFailsIsReplacedByTheDefaultBudget(Kept kept) throws Exception {
        OutputProjector broken = new OutputProjector((ToolOutput output) -> {
            throw new IllegalStateException("caller");
        }, (batch, keeper) -> {
            throw new AssertionError("model");
        }, (batch, shown, keeper) -> List.of());
        try (Belay belay = builder(kept, List.of(List.of(call("a", "wide"))))
                .configurePlugins(stack -> stack
                        .replace(new OutputBudgetPlugin(ToolOutputBudgetConfig.DEFAULT, broken)))
                .build()) {
            Session session = belay.session("s");
            assertThat(session.turn("Go.").run().ended().text()).isEqualTo("done");
            assertThat(bytes(replies(session.messages()).getFirst())).isBetween(16_300, 16_384);
        }
    }

    /** A projector one of whose views waits until it is interrupted. */
    private static OutputProjector hanging(String view, CountDownLatch entered, CountDownLatch interrupted) {
        OutputProjector base = ToolOutputBudgetConfig.DEFAULT.projector();
        return switch (view) {
            case "caller" -> base.withCaller(output -> {
                hang(entered, interrupted);
                return output.outcome();
            });
            case "model" -> base.withModel((batch, keeper) -> {
                hang(entered, interrupted);
                return List.of("too late");
            });
            default -> base.withHistory((batch, shown, keeper) -> {
                hang(entered, interrupted);
                return List.of("too late");
            });
        };
    }

    private static void hang(CountDownLatch entered, CountDownLatch interrupted) {
        entered.countDown();
        try {
            new CountDownLatch(1).await();
        } catch (InterruptedException e) {
            interrupted.countDown();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"caller", "model", "history"})
    void aProjectorThatHangsIsGivenUpAndReplacedByTheDefaultBudget(String view) throws Exception {
        var time = new FakeTime();
        var entered = new CountDownLatch(1);
        var interrupted = new CountDownLatch(1);
        try (Belay belay = builder(Kept.IN_MEMORY, List.of(List.of(call("a", "wide")))).time(time)
                .configurePlugins(
                        stack -> stack.replace(new OutputBudgetPlugin(ToolOutputBudgetConfig.DEFAULT,
                                hanging(view, entered, interrupted))))
                .build()) {
            Thread clock = Thread.ofVirtual().start(() -> {
                try {
                    entered.await();
                    time.awaitAlarmIn(Duration.ofSeconds(5));
                    time.advance(Duration.ofSeconds(5));
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            });
            Session session = belay.session("s");
            assertThat(session.turn("Go.").run().ended().text()).isEqualTo("done");
            assertThat(bytes(replies(session.messages()).getFirst())).isBetween(16_300, 16_384);
            assertThat(bytes(replies(requests.get(1).messages()).getFirst())).isBetween(16_300, 16_384);
            clock.join();
        }
    }
}
