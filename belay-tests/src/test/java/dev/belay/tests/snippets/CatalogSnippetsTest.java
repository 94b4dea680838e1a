package dev.belay.tests.snippets;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.belay.BelayException;
import dev.belay.json.Json;
import dev.belay.model.Message;
import dev.belay.model.ToolSpec;
import dev.belay.runtime.catalog.SourceHandle;
import dev.belay.runtime.catalog.ToolCatalog;
import dev.belay.runtime.catalog.ToolRegistry;
import dev.belay.runtime.dispatch.CallRequest;
import dev.belay.runtime.dispatch.DurableCalls;
import dev.belay.runtime.effect.engine.JournalEffectHost;
import dev.belay.runtime.store.memory.SharedMemory;
import dev.belay.tool.StaticToolProvider;
import dev.belay.tool.ToolDefinition;
import dev.belay.tool.ToolId;
import dev.belay.tool.ToolOutcome;
import dev.belay.tool.ToolProvider;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What {@code docs/catalog.md} says of its code. */
@Timeout(60)
class CatalogSnippetsTest {

    private static ToolDefinition tool(String name) {
        return ToolDefinition.raw(name, "Does " + name + ".", Json.of("{\"type\":\"object\"}"));
    }

    private static ToolProvider tools(String... names) {
        return StaticToolProvider.of(Arrays.stream(names).map(CatalogSnippetsTest::tool).toList(),
                call -> "did " + call.name());
    }

    private final ToolRegistry registry = new ToolRegistry();
    private final SourceHandle shop = registry.add("shop", StaticToolProvider.of(
            List.of(tool("find_orders"), tool("refund"), tool("delete_order"),
                    tool("search_archive").resident(false)),
            call -> "did " + call.name()));

    @Test
    void sourcesStandInOrderAndCanBeReplaced() {
        assertThat(CatalogSnippets.sources(tools("find_orders"), tools("issues"), tools("issues", "pulls")))
                .containsExactly("find_orders", "issues", "pulls");
    }

    @Test
    void anOverlayStandsInForTheRealTool() throws Exception {
        SourceHandle over = CatalogSnippets.dryRun(registry, StaticToolProvider
                .of(List.of(tool("refund")), call -> "would refund"));
        assertThat(call(registry.catalog(), "refund")).isEqualTo("would refund");
        over.withdraw();
        assertThat(call(registry.catalog(), "refund")).isEqualTo("did refund");
    }

    private static String call(ToolCatalog catalog, String name) throws InterruptedException {
        try (var calls = DurableCalls.open(JournalEffectHost.open(new SharedMemory().open()),
                CatalogSnippets.dispatcher(catalog))) {
            ToolOutcome outcome = calls.run("batch", List.of(new CallRequest(name, "{}")))
                    .outcomes()
                    .getFirst();
            return outcome instanceof ToolOutcome.Success success
                    ? success.value().asString()
                    : outcome.code().orElseThrow();
        }
    }

    @Test
    void membershipDecidesWhatIsShownAndWhatRuns() throws Exception {
        assertThat(CatalogSnippets.onlyReading(registry)).containsExactly("no_such_tool");
        assertThat(CatalogSnippets.request(registry.catalog(), List.of(Message.user("Hello"))).tools())
                .extracting(ToolSpec::name)
                .containsExactly("find_orders", "search_archive");
        assertThat(call(registry.catalog(), "refund")).isEqualTo("tool_unavailable");
        assertThat(call(registry.catalog(), "refnd")).isEqualTo("unknown_tool");
        assertThat(call(registry.catalog(), "search_archive")).isEqualTo("did search_archive");
    }

    @Test
    void theListExplainsEveryTool() {
        CatalogSnippets.onlyReading(registry);
        shop.withdraw();
        registry.add("shop", tools("find_orders", "refund"));
        assertThat(CatalogSnippets.explain(registry)).containsExactly(
                "find_orders: MEMBER, source 2 (shop)", "refund: REMOVED, source 2 (shop)",
                "delete_order: its source is missing", "search_archive: its source is missing");
    }

    @Test
    void aCatalogCanLeaveToolsOut() {
        registry.add(tools("call_customer"));
        assertThat(CatalogSnippets.atNight(registry).names()).isEqualTo(
                List.of("find_orders", "refund", "delete_order"));
        assertThat(registry.catalog().find("call_customer")).isPresent();
    }

    @Test
    void aSavedStateSurvivesARestartWithAMissingSource() {
        CatalogSnippets.onlyReading(registry);
        String saved = CatalogSnippets.save(registry);
        var restarted = new ToolRegistry();
        restarted.add(tools("find_orders"));
        assertThat(CatalogSnippets.resume(restarted, saved)).extracting(ToolId::value)
                .containsExactly("tool:refund", "tool:delete_order", "tool:search_archive");
        restarted.add(tools("refund"));
        assertThat(restarted.catalog().names()).containsExactly("find_orders");
    }

    @Test
    void anEditIsRefusedAfterAnotherChange() {
        CatalogSnippets.remove(registry, new ToolId("tool:refund"));
        assertThat(registry.catalog().names()).containsExactly("find_orders", "delete_order");
        var old = registry.state();
        registry.setMembership(List.of("find_orders"), false);
        assertThatThrownBy(() -> registry.applyState(old)).isInstanceOfSatisfying(BelayException.class,
                e -> assertThat(e.code()).isEqualTo("generation_mismatch"));
    }

    @Test
    void whatWasRecordedIsAppliedLater() {
        List<Json> recorded = CatalogSnippets.decideLater(registry, List.of("search_archive"));
        assertThat(registry.catalog().find("search_archive")).isEqualTo(Optional.empty());
        CatalogSnippets.applyNow(registry, recorded);
        assertThat(registry.catalog().find("search_archive")).isPresent();
    }

    @Test
    void aRegistryBelowAnotherDecidesForItself() {
        ToolRegistry own = CatalogSnippets.forOneCustomer(registry, tools("greet"));
        assertThat(own.catalog().names()).containsExactly("find_orders", "delete_order", "greet");
        assertThat(registry.catalog().names()).containsExactly("find_orders", "refund", "delete_order");
        registry.add(tools("news"));
        assertThat(own.catalog().names()).containsExactly("find_orders", "delete_order", "news", "greet");
    }
}
