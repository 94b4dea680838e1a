package dev.belay.tool.call;

import dev.belay.json.Json;
import dev.belay.tool.ToolDefinition;
import dev.belay.tool.context.CallId;
import dev.belay.tool.context.PluginBinding;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A validated call that its provider may still change before it is approved. Confined to one call. */
public final class PrepareCall {

    private static final Prepared UNCHANGED = new Prepared(null, null);

    private final ToolDefinition definition;
    private final CallId callId;
    private final Arguments.Valid arguments;
    private final Json inputs;

    /**
     * What the provider made of it.
     *
     * @param replaced arguments to run with instead, which are validated again; null leaves them
     * @param payload anything that must not change between now and the body, or null
     */
    public record Prepared(@Nullable Json replaced, @Nullable Json payload) {

        /** The same with a payload that the body gets with the call. */
        public Prepared freeze(Json newPayload) {
            return new Prepared(replaced, newPayload);
        }
    }

    /**
     * Creates one.
     *
     * @param definition the tool
     * @param callId the call
     * @param arguments validated arguments
     */
    public PrepareCall(ToolDefinition definition, CallId callId, Arguments.Valid arguments) {
        this(definition, callId, arguments, Json.EMPTY_OBJECT);
    }

    /**
     * Creates one for a call of a turn.
     *
     * @param definition the tool
     * @param callId the call
     * @param arguments validated arguments
     * @param inputs what was given along with the turn's input, by the id of its binding
     */
    public PrepareCall(ToolDefinition definition, CallId callId, Arguments.Valid arguments, Json inputs) {
        this.definition = definition;
        this.callId = callId;
        this.arguments = arguments;
        this.inputs = inputs;
    }

    /**
     * What a program gave along with the input that started this turn; empty if nothing was given. Only here: freeze what the
     * body needs of it.
     *
     * @throws dev.belay.BelayException {@code plugin_input_mismatch} if it was given with another type
     */
    public <T> Optional<T> input(PluginBinding<T> binding) {
        return inputs.get(binding.id()).map(binding::decode);
    }

    /** The tool. */
    public ToolDefinition definition() {
        return definition;
    }

    /** The call. */
    public CallId callId() {
        return callId;
    }

    /** The validated arguments. */
    public Json arguments() {
        return arguments.json();
    }

    /** Leaves everything as it is. */
    public Prepared unchanged() {
        return UNCHANGED;
    }

    /** Replaces the arguments. */
    public Prepared replace(Json newArguments) {
        return new Prepared(newArguments, null);
    }

    /** Freezes a payload that the body gets with the call. */
    public Prepared freeze(Json payload) {
        return new Prepared(null, payload);
    }
}
