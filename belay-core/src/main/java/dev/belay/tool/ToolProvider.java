package dev.belay.tool;

import dev.belay.json.Json;
import dev.belay.tool.call.Contracts;
import dev.belay.tool.call.PrepareCall;
import dev.belay.tool.call.PreparedCall;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A source of tools. {@link #definitions} and {@link #execute} alone make a whole provider. A source whose tools are remote, many or
 * changing overrides {@link #manifests} and {@link #contract} instead: a contract is asked for when its tool is first offered or
 * called, and again if its manifest has changed.
 *
 * <p>An implementer promises: every method may be called from any thread and by several threads at once; {@code definitions}
 * and {@code manifests} are cheap and stable between announced changes; {@code execute} is called at most once per attempt, on
 * the thread that the body may block.
 */
public interface ToolProvider {

    /** Its tools, in the order in which a model sees them; by default one for each of {@link #manifests}, with JSON on both sides. */
    default List<ToolDefinition> definitions() {
        return Contracts.listed(this);
    }

    /** Its tools without their schemas; cheap. */
    default List<ToolManifest> manifests() {
        Contracts.requireDefinitions(this);
        return definitions().stream().map(ToolDefinition::manifest).toList();
    }

    /**
     * The schemas of one tool, which hold also if {@link #definitions} says otherwise. A tool whose schemas are empty or cannot be had
     * now is {@code tool_contract_unavailable} for one call, and is asked for again at the next.
     */
    default Optional<ToolContract> contract(ToolId id) {
        if (!Contracts.hasDefinitions(this)) {
            return Optional.empty();
        }
        for (ToolDefinition definition : definitions()) {
            if (definition.id().equals(id)) {
                return Optional.of(definition.contract());
            }
        }
        return Optional.empty();
    }

    /** Prepares a validated call before it is approved; may replace arguments and freeze a payload. */
    default PrepareCall.Prepared prepare(PrepareCall call) throws Exception {
        return call.unchanged();
    }

    /** Prepares and runs a call that arrived in a place for tools known only at run time. */
    default ToolResult<Json> execute(Dynamic call, ToolContext context) throws Exception {
        Object returned = execute(PreparedCall.prepare(this, call.tool(), call.valid(), context));
        return switch (returned) {
            case ToolResult.Done<?>(var value) -> ToolResult.ok(call.tool().output(value));
            case ToolResult.Failed<?>(var failure) -> ToolResult.failure(failure);
            case ToolResult.Rejected<?>(var reason) -> ToolResult.rejected(reason);
            case ToolResult.Pending<?>(var completion) -> ToolResult.pending(completion);
            case ToolResult.Finish<?>(var value) -> ToolResult.finish(call.tool().output(value));
            case ToolResult.Fail<?>(var failure) -> ToolResult.fail(failure);
            case null -> ToolResult.ok(call.tool().output(null));
            case Object value -> ToolResult.ok(call.tool().output(value));
        };
    }

    /**
     * Runs the body.
     *
     * @return the value, or a {@link ToolResult}
     * @throws Exception what the body throws; it becomes a failure that the model reads
     */
    @Nullable
    Object execute(PreparedCall call) throws Exception;
}
