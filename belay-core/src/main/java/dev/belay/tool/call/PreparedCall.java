package dev.belay.tool.call;

import dev.belay.json.Json;
import dev.belay.tool.ToolContext;
import dev.belay.tool.ToolDefinition;
import dev.belay.tool.ToolException;
import dev.belay.tool.ToolFailure;
import dev.belay.tool.ToolProvider;
import dev.belay.tool.context.HostSupplied;
import dev.belay.tool.context.ToolContexts;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What a provider executes: one call, validated and prepared. Confined to one call. */
public final class PreparedCall {

    private final ToolDefinition definition;
    private final Arguments.Valid arguments;
    private final @Nullable Json payload;
    private final ToolContext context;

    /**
     * Creates one.
     *
     * @param definition the tool
     * @param arguments what it runs with
     * @param payload what the provider froze, or null
     * @param context what the body may ask for
     */
    public PreparedCall(ToolDefinition definition, Arguments.Valid arguments, @Nullable Json payload,
            ToolContext context) {
        this.definition = definition;
        this.arguments = arguments;
        this.payload = payload;
        this.context = context;
    }

    /**
     * Lets a provider prepare a call of its own, unless that was done before the call was approved: then it is as it was approved. Arguments
     * that the provider replaces are validated like those of a model; a {@link ToolException} with {@code invalid_arguments} if they
     * do not fit.
     */
    public static PreparedCall prepare(ToolProvider provider, ToolDefinition definition,
            Arguments.Valid arguments,
            ToolContext context) throws Exception {
        HostSupplied.Frozen frozen = context instanceof HostSupplied host ? host.frozen() : null;
        if (frozen != null && frozen.tool().equals(definition.id())
                && frozen.arguments().equals(arguments.json())) {
            return new PreparedCall(definition, arguments, frozen.payload(), context);
        }
        PrepareCall.Prepared prepared = provider
                .prepare(new PrepareCall(definition, context.callId(), arguments));
        Json replaced = prepared.replaced();
        Arguments.Valid effective = replaced == null ? arguments : Arguments.require(definition, replaced);
        return new PreparedCall(definition, effective, prepared.payload(), context);
    }

    /** The tool. */
    public ToolDefinition definition() {
        return definition;
    }

    /** The tool's name. */
    public String name() {
        return definition.name();
    }

    /** The arguments as JSON. */
    public Json arguments() {
        return arguments.json();
    }

    /** What the body works with: the typed object, or JSON for a raw tool. */
    public Object input() {
        return arguments.input();
    }

    /** The typed object; {@code wrong_input} if the tool has another input type. */
    public <I> I input(Class<I> type) {
        if (!type.isInstance(arguments.input())) {
            throw new ToolException(ToolFailure.ofRuntime(ToolFailure.Kind.INTERNAL, "wrong_input",
                    "tool " + name()
                            + " was given " + arguments.input().getClass().getName() + ", not "
                            + type.getName()));
        }
        return type.cast(arguments.input());
    }

    /** What the provider froze when it prepared the call. */
    public Optional<Json> payload() {
        return Optional.ofNullable(payload);
    }

    /** What the body may ask for. */
    public ToolContext context() {
        return context;
    }

    /**
     * The same as a type that only some places have, for example {@code SessionToolContext} in sessions of the runtime;
     * {@code capability_unavailable} elsewhere.
     */
    public <C extends ToolContext> C context(Class<C> type) {
        return ToolContexts.as(type, context);
    }
}
