package dev.belay.tests.snippets;

import dev.belay.json.Json;
import dev.belay.model.Message;
import dev.belay.model.ModelRequest;
import dev.belay.runtime.catalog.ListedTool;
import dev.belay.runtime.catalog.Membership;
import dev.belay.runtime.catalog.MembershipChange;
import dev.belay.runtime.catalog.MembershipChanges;
import dev.belay.runtime.catalog.RestoreReport;
import dev.belay.runtime.catalog.SourceHandle;
import dev.belay.runtime.catalog.ToolCatalog;
import dev.belay.runtime.catalog.ToolRegistry;
import dev.belay.runtime.catalog.ToolState;
import dev.belay.runtime.dispatch.ToolDispatcher;
import dev.belay.tool.ToolId;
import dev.belay.tool.ToolProvider;
import java.util.List;
import java.util.Set;

/** The code of {@code docs/catalog.md}. */
final class CatalogSnippets {

    private CatalogSnippets() {}

    static List<String> sources(ToolProvider orders, ToolProvider github, ToolProvider githubAgain) {
        // region sources
        var registry = new ToolRegistry();
        registry.add("orders", orders);
        SourceHandle mcp = registry.add("github", github);

        mcp.replace(githubAgain); // another provider in the same place
        List<String> shown = registry.catalog().names(); // first of "orders", then of "github"
        mcp.withdraw();
        // endregion
        return shown;
    }

    // region overlay
    static SourceHandle dryRun(ToolRegistry registry, ToolProvider pretending) {
        return registry.overlay("dry run", pretending); // withdraw it to get the real tools back
    }
    // endregion

    // region membership
    static List<String> onlyReading(ToolRegistry registry) {
        registry.setMembership(List.of("refund", "delete_order"), false);
        MembershipChanges granted = registry.setMembership(List.of("search_archive", "no_such_tool"), true);
        return granted.notFound(); // [no_such_tool]: not an error
    }
    // endregion

    // region list
    static List<String> explain(ToolRegistry registry) {
        return registry.list().stream().map(tool -> switch (tool) {
            case ListedTool.Live live -> live.name() + ": " + live.standing() + ", " + live.source();
            case ListedTool.Orphan orphan -> orphan.name() + ": its source is missing";
        }).toList();
    }
    // endregion

    // region request
    static ModelRequest request(ToolCatalog catalog, List<Message> messages) {
        return ModelRequest.builder(messages).tools(catalog.specs()).build();
    }

    static ToolDispatcher dispatcher(ToolCatalog catalog) {
        return ToolDispatcher.builder(catalog.provider()).offering(catalog::offers).build();
    }
    // endregion

    // region without
    static ToolCatalog atNight(ToolRegistry registry) {
        return registry.catalog().without(Set.of("call_customer"));
    }
    // endregion

    // region save
    static String save(ToolRegistry registry) {
        return registry.state().toJson().text();
    }

    static List<ToolId> resume(ToolRegistry registry, String saved) {
        RestoreReport report = registry.restoreState(ToolState.of(Json.of(saved)));
        return report.orphans(); // tools whose source is not there yet
    }
    // endregion

    // region edit
    static void remove(ToolRegistry registry, ToolId tool) {
        ToolState state = registry.state();
        registry.applyState(state.with(tool, Membership.ABSENT)); // generation_mismatch if it changed meanwhile
    }
    // endregion

    // region record
    static List<Json> decideLater(ToolRegistry registry, List<String> names) {
        return registry.resolve(names, Membership.PRESENT)
                .changes()
                .stream()
                .map(MembershipChange::toJson)
                .toList();
    }

    static void applyNow(ToolRegistry registry, List<Json> recorded) {
        registry.apply(recorded.stream().map(MembershipChange::of).toList());
    }
    // endregion

    // region below
    static ToolRegistry forOneCustomer(ToolRegistry shared, ToolProvider theirOwn) {
        ToolRegistry registry = ToolRegistry.below(shared);
        registry.add("customer", theirOwn);
        registry.setMembership(List.of("refund"), false); // for this customer only
        return registry;
    }
    // endregion
}
