package dev.belay.runtime.catalog;

import static dev.belay.runtime.catalog.Samples.internal;
import static dev.belay.runtime.catalog.Samples.nonResident;
import static dev.belay.runtime.catalog.Samples.source;
import static dev.belay.runtime.catalog.Samples.tool;
import static dev.belay.runtime.catalog.Samples.tools;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.belay.BelayException;
import dev.belay.json.Json;
import dev.belay.model.ToolSpec;
import dev.belay.runtime.dispatch.CallRequest;
import dev.belay.runtime.dispatch.DurableCalls;
import dev.belay.runtime.dispatch.ToolDispatcher;
import dev.belay.runtime.effect.engine.JournalEffectHost;
import dev.belay.runtime.store.memory.SharedMemory;
import dev.belay.tool.Dynamic;
import dev.belay.tool.ToolContract;
import dev.belay.tool.ToolDefinition;
import dev.belay.tool.ToolId;
import dev.belay.tool.ToolOutcome;
import dev.belay.tool.ToolProvider;
import dev.belay.tool.ToolResult;
import dev.belay.tool.call.Arguments;
import dev.belay.tool.call.PrepareCall;
import dev.belay.tool.call.PreparedCall;
import dev.belay.tool.context.CallId;
import dev.belay.tool.context.HostValues;
import dev.belay.tool.context.IdempotencyKey;
import dev.belay.tool.context.Incarnation;
import dev.belay.tool.context.ToolContexts;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Contract C.2 and C.5: what a model is shown, and who runs what it calls. */
@Timeout(60)
class ToolCatalogTest {

    private final ToolRegistry registry = new ToolRegistry();

    private static List<ToolOutcome> call(ToolCatalog catalog, String... names) throws InterruptedException {
        var dispatcher = ToolDispatcher.builder(catalog.provider()).offering(catalog::offers).build();
        try (var calls = DurableCalls.open(JournalEffectHost.open(new SharedMemory().open()),
                dispatcher)) {
            return calls.run("batch",
                    List.of(names).stream().map(name -> new CallRequest(name, "{}")).toList()).outcomes();
        }
    }

    private static String text(ToolOutcome outcome) {
        return outcome instanceof ToolOutcome.Success success
                ? success.value().text()
                : outcome.code().orElseThrow();
    }

    @Test
    void specsAreWhatTheDefinitionsSay() {
        ToolDefinition a = tool("a");
        registry.add(source(a));
        assertThat(registry.catalog().specs()).containsExactly(new ToolSpec("a", "Does a.",
                Json.of("{\"type\":\"object\",\"properties\":{\"x\":{\"type\":\"string\"}}}")));
        assertThat(registry.catalog().find("a")).containsSame(a);
        assertThat(registry.catalog().find("b")).isEmpty();
        assertThat(registry.catalog().fingerprints()).isEqualTo(Map.of(a.id(), a.fingerprint()));
    }

    @Test
    void callsGoToTheSourceOfTheTool() throws Exception {
        registry.add(new Named("one", "a"));
        registry.add(new Named("two", "b"));
        registry.overlay(new Named("three", "a"));
        assertThat(call(registry.catalog(), "a", "b")).extracting(ToolCatalogTest::text)
                .containsExactly("\"three prepared \\\"three\\\"\"", "\"two prepared \\\"two\\\"\"");
    }

    /** Says in its results who prepared and who ran a call. */
    private record Named(String name, String tool) implements ToolProvider {
        @Override
        public List<ToolDefinition> definitions() {
            return List.of(Samples.tool(tool));
        }

        @Override
        public Optional<ToolContract> contract(ToolId id) {
            return name.equals("silent") ? Optional.empty() : ToolProvider.super.contract(id);
        }

        @Override
        public PrepareCall.Prepared prepare(PrepareCall call) {
            return call.freeze(Json.string(name));
        }

        @Override
        public Object execute(PreparedCall call) {
            return name + " prepared " + call.payload().orElseThrow().text();
        }
    }

    @Test
    void contractsComeFromTheSourceOfTheTool() throws Exception {
        registry.add(new Named("silent", "a"));
        registry.add(new Named("two", "b"));
        ToolProvider all = registry.catalog().provider();
        assertThatThrownBy(() -> all.contract(new ToolId("tool:a")))
                .hasMessage("tool a is listed, but what it takes is not known now; try again later");
        assertThat(all.contract(new ToolId("tool:b"))).isPresent();
        assertThat(all.contract(new ToolId("tool:c"))).isEmpty();
        assertThat(call(registry.catalog(), "a")).extracting(ToolCatalogTest::text)
                .containsExactly("tool_contract_unavailable");
    }

    @Test
    void whatIsNoMemberIsUnavailableAndNotUnknown() throws Exception {
        registry.add(source(tool("member"), tool("removed"), internal("internal"), nonResident("rare")));
        registry.setMembership(List.of("removed"), false);
        assertThat(call(registry.catalog(), "member", "removed", "internal", "rare", "nobody"))
                .extracting(ToolCatalogTest::text)
                .containsExactly("\"ran member\"", "tool_unavailable", "tool_unavailable", "tool_unavailable",
                        "unknown_tool");
    }

    @Test
    void whatIsLeftOutIsUnavailable() throws Exception {
        registry.add(tools("a", "b", "c"));
        ToolCatalog catalog = registry.catalog().without(Set.of("b", "nobody"));
        assertThat(catalog.names()).containsExactly("a", "c");
        assertThat(catalog.specs()).extracting(ToolSpec::name).containsExactly("a", "c");
        assertThat(catalog.prompt()).extracting(ToolSpec::name).containsExactly("a", "c");
        assertThat(catalog.fingerprints()).hasSize(2);
        assertThat(catalog.find("b")).isEmpty();
        assertThat(catalog.generation()).isEqualTo(1);
        assertThat(registry.catalog().names()).containsExactly("a", "b", "c");
        assertThat(call(catalog, "a", "b")).extracting(ToolCatalogTest::text)
                .containsExactly("\"ran a\"", "tool_unavailable");
    }

    @Test
    void leavingOutNothingIsTheSameCatalog() {
        registry.add(tools("a"));
        ToolCatalog catalog = registry.catalog();
        assertThat(catalog.without(Set.of())).isSameAs(catalog);
        assertThat(catalog.without(Set.of("nobody"))).isSameAs(catalog);
    }

    @Test
    void aCatalogGoesOnWhenItsSourcesAreGone() throws Exception {
        SourceHandle source = registry.add(tools("a"));
        ToolCatalog before = registry.catalog();
        source.withdraw();
        assertThat(before.names()).containsExactly("a");
        assertThat(call(before, "a")).extracting(ToolCatalogTest::text).containsExactly("\"ran a\"");
        assertThat(call(registry.catalog(), "a")).extracting(ToolCatalogTest::text)
                .containsExactly("unknown_tool");
    }

    @Test
    void aReplacedBodyReachesTheNextCatalogEvenIfItLooksTheSame() throws Exception {
        SourceHandle source = registry.add(new Named("old", "a"));
        ToolCatalog before = registry.catalog();
        source.replace(new Named("new", "a"));
        assertThat(registry.catalog().generation()).isEqualTo(before.generation());
        assertThat(call(before, "a")).extracting(ToolCatalogTest::text).first().asString().contains("old");
        assertThat(call(registry.catalog(), "a")).extracting(ToolCatalogTest::text)
                .first()
                .asString()
                .contains("new");
    }

    @Test
    void aToolOfTheSameNameAndAnotherIdIsNotOffered() {
        registry.add(tools("a"));
        assertThat(registry.catalog().offers(tool("a").manifest())).isTrue();
        assertThat(registry.catalog().offers(tool("a").id("other").manifest())).isFalse();
        assertThat(registry.catalog().offers(tool("b").id("tool:a").manifest())).isFalse();
    }

    @Test
    void aCallOfAToolThatNoSourceHasIsRefused() {
        registry.add(tools("a"));
        ToolProvider all = registry.catalog().provider();
        ToolDefinition foreign = tool("foreign");
        assertThatThrownBy(() -> all.prepare(new PrepareCall(foreign, new CallId("c"), empty(foreign))))
                .isInstanceOfSatisfying(BelayException.class,
                        e -> assertThat(e.code()).isEqualTo("unknown_tool"));
    }

    @Test
    void aDynamicCallGoesToTheSourceOfTheTool() {
        registry.add(new Named("one", "a"));
        ToolCatalog catalog = registry.catalog();
        ToolDefinition a = catalog.find("a").orElseThrow();
        var place = new IdempotencyKey.Place(new Incarnation(1, 2), 0, 0, 0);
        ToolResult<Json> result = ToolContexts.plain(new CallId("c"), place, a.id(), HostValues.NONE,
                context -> {
                    try {
                        return catalog.provider().execute(Dynamic.of(a, empty(a)), context);
                    } catch (Exception e) {
                        throw new AssertionError(e);
                    }
                });
        assertThat(result).isEqualTo(ToolResult.ok(Json.string("one prepared \"one\"")));
    }

    private static Arguments.Valid empty(ToolDefinition definition) {
        return (Arguments.Valid) definition.arguments("{}");
    }
}
