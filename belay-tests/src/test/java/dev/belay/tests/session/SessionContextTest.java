package dev.belay.tests.session;

import static dev.belay.tests.session.SessionBench.call;
import static dev.belay.tests.session.SessionBench.calling;
import static dev.belay.tests.session.SessionBench.tool;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.belay.BelayException;
import dev.belay.runtime.Belay;
import dev.belay.runtime.dispatch.CallRequest;
import dev.belay.runtime.session.SessionToolContext;
import dev.belay.testkit.ToolHarness;
import dev.belay.testkit.crash.CrashKit;
import dev.belay.tool.StaticToolProvider;
import dev.belay.tool.Tool;
import dev.belay.tool.ToolBody;
import dev.belay.tool.ToolCaller;
import dev.belay.tool.ToolDefinition;
import dev.belay.tool.ToolEffect;
import dev.belay.tool.ToolInput;
import dev.belay.tool.ToolMethods;
import dev.belay.tool.ToolProvider;
import dev.belay.tool.ToolResult;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Bodies that ask for the context of a session by its type, in sessions and elsewhere. */
class SessionContextTest {

    private static final String REFUSED = "Error (capability_unavailable): this tool needs a SessionToolContext, and this call has"
            + " none: it runs outside the sessions of a runtime";

    @Tool(undescribed = true)
    record Typed() implements ToolInput<String> {}

    @Tool(undescribed = true)
    record Attempted() implements ToolInput<String> {}

    static class Methods {
        @Tool(undescribed = true)
        String method(SessionToolContext context) {
            return name(context);
        }
    }

    private final SessionBench bench = new SessionBench();

    @AfterEach
    void close() {
        bench.close();
    }

    private static String name(SessionToolContext context) {
        return context.sessions().model().name();
    }

    private static Stream<ToolProvider> asking() {
        return Stream.of(
                StaticToolProvider.builder()
                        .raw(tool("raw", ToolEffect.ONCE), ToolBody.with(SessionToolContext.class,
                                (in, context) -> name(context)))
                        .build(),
                StaticToolProvider.builder()
                        .tool(Typed.class,
                                ToolBody.with(SessionToolContext.class, (in, context) -> name(context)))
                        .build(),
                StaticToolProvider.builder()
                        .attempt(Attempted.class, ToolBody.with(SessionToolContext.class,
                                (in, context) -> ToolResult.ok(name(context))))
                        .build(),
                StaticToolProvider.of(
                        List.of(tool("executed", ToolEffect.ONCE)
                                .contexts(List.of(SessionToolContext.class))),
                        prepared -> name(prepared.context(SessionToolContext.class))),
                ToolMethods.of(new Methods()));
    }

    private static String name(ToolProvider tools) {
        return tools.definitions().getFirst().name();
    }

    @ParameterizedTest
    @MethodSource("asking")
    void aBodyOfAnyProviderGetsTheContextOfItsSession(ToolProvider tools) throws Exception {
        Belay belay = bench.open(calling(List.of(call("a", name(tools))), List.of()),
                builder -> builder.tools(tools));
        belay.session("s").turn("Go.").run();
        assertThat(belay.session("s").calls(1).getFirst().outcome().orElseThrow().text())
                .isEqualTo("default");
        try (var harness = ToolHarness.of(tools)) {
            assertThat(harness.call(name(tools), "{}").text()).isEqualTo("default");
        }
    }

    @ParameterizedTest
    @MethodSource("asking")
    void outsideASessionTheModelIsToldWhatIsMissing(ToolProvider tools) throws Exception {
        assertThat(ToolCaller.of(tools).call(name(tools), "{}").text()).isEqualTo(REFUSED);
        Belay belay = bench.open(calling(), builder -> builder.tools(tools));
        assertThat(belay.calls()
                .run("b", List.of(new CallRequest(name(tools), "{}")))
                .outcomes()
                .getFirst()
                .text())
                .isEqualTo(REFUSED);
    }

    @ParameterizedTest
    @MethodSource("asking")
    void theCrashKitRefusesAToolThatNeedsASession(ToolProvider tools) {
        CrashKit kit = CrashKit.inMemory().tools(tools);
        assertThatThrownBy(() -> kit.call(name(tools), "{}"))
                .isInstanceOfSatisfying(BelayException.class,
                        e -> assertThat(e.code()).isEqualTo("capability_unavailable"))
                .hasMessageContaining("only a session");
    }

    @ParameterizedTest
    @MethodSource("asking")
    void theDefinitionSaysWhichContextIsNeeded(ToolProvider tools) {
        assertThat(tools.definitions()).flatExtracting(ToolDefinition::runtimeContexts)
                .containsExactly(SessionToolContext.class);
    }
}
