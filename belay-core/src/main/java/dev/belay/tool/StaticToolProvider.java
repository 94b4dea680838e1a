package dev.belay.tool;

import dev.belay.BelayException;
import dev.belay.json.Json;
import dev.belay.tool.call.Admission;
import dev.belay.tool.call.PreparedCall;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A fixed set of tools. Thread-safe if its bodies are. */
public final class StaticToolProvider implements ToolProvider {

    private final List<ToolDefinition> definitions;
    private final Executor executor;

    /** Runs the calls of a provider. */
    @FunctionalInterface
    public interface Executor {

        /** Runs one call; returns a value or a {@link ToolResult}. */
        @Nullable
        Object execute(PreparedCall call) throws Exception;
    }

    private StaticToolProvider(List<ToolDefinition> definitions, Executor executor) {
        Admission.requireUnique(definitions);
        this.definitions = List.copyOf(definitions);
        this.executor = executor;
    }

    /**
     * A provider with one executor for all its tools.
     *
     * @param definitions the tools; {@code duplicate_tool_name} or {@code duplicate_tool_id} if two are the same
     * @param executor runs them, by {@link PreparedCall#name}
     */
    public static StaticToolProvider of(List<ToolDefinition> definitions, Executor executor) {
        return new StaticToolProvider(definitions, executor);
    }

    /** Starts a provider with one body per tool. */
    public static Builder builder() {
        return new Builder();
    }

    @Override
    public List<ToolDefinition> definitions() {
        return definitions;
    }

    @Override
    public @Nullable Object execute(PreparedCall call) throws Exception {
        return executor.execute(call);
    }

    /**
     * Collects tools with their bodies. A body that asks for a context of the runtime is written with {@link ToolBody#with}. Confined
     * to one thread.
     */
    public static final class Builder {

        private final List<ToolDefinition> definitions = new ArrayList<>();
        private final Map<ToolId, Executor> bodies = new LinkedHashMap<>();

        private Builder() {}

        /** Adds the tool that a record, enum or sealed interface declares; the body returns what it declares. */
        public <O extends @Nullable Object, I extends ToolInput<O>> Builder tool(Class<I> type,
                ToolBody<I, O> body) {
            return tool(ToolDefinition.of(type), type, body);
        }

        /** The same for a body that may also say by its result that it failed, or that it will be completed later. */
        public <O extends @Nullable Object, I extends ToolInput<O>> Builder attempt(Class<I> type,
                ToolBody<I, ToolResult<O>> body) {
            return tool(ToolDefinition.of(type), type, body);
        }

        /** Adds a tool with its own definition; the body must fit its types. */
        public <I> Builder tool(ToolDefinition definition, Class<I> type, ToolBody<I, ?> body) {
            return add(definition, body, call -> body.run(call.input(type), call.context()));
        }

        /** Adds a raw tool. */
        public Builder raw(ToolDefinition definition, ToolBody<Json, ?> body) {
            return add(definition, body, call -> body.run(call.arguments(), call.context()));
        }

        private Builder add(ToolDefinition definition, ToolBody<?, ?> body, Executor executor) {
            definitions.add(body.contexts().isEmpty() ? definition : definition.contexts(body.contexts()));
            bodies.put(definition.id(), executor);
            return this;
        }

        /** The finished provider. */
        public StaticToolProvider build() {
            Map<ToolId, Executor> byId = Map.copyOf(bodies);
            return new StaticToolProvider(definitions, call -> {
                Executor body = byId.get(call.definition().id());
                if (body == null) {
                    throw new BelayException("unknown_tool",
                            "this provider has no tool " + call.definition().id());
                }
                return body.execute(call);
            });
        }
    }
}
