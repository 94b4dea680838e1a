package dev.belay.tool;

import dev.belay.json.Json;
import org.jspecify.annotations.Nullable;

/** A validated call that its provider may still change before anybody is asked to approve it. Confined to one call. */
public final class PrepareCall {

    private static final Prepared UNCHANGED = new Prepared(null, null);

    private final ToolDefinition definition;
    private final CallId callId;
    private final Arguments.Valid arguments;

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
        this.definition = definition;
        this.callId = callId;
        this.arguments = arguments;
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
