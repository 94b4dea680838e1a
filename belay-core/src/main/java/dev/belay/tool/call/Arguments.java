package dev.belay.tool.call;

import dev.belay.json.CheckBudget;
import dev.belay.json.Json;
import dev.belay.json.JsonException;
import dev.belay.json.JsonLimits;
import dev.belay.json.JsonReader;
import dev.belay.json.JsonSyntaxException;
import dev.belay.schema.Violations;
import dev.belay.schema.Wording;
import dev.belay.tool.ToolDefinition;
import dev.belay.tool.ToolException;
import dev.belay.tool.ToolFailure;
import org.jspecify.annotations.Nullable;

/** The result of reading the text that a model sent as arguments. */
public sealed interface Arguments {

    /** The tool can run with them. */
    final class Valid implements Arguments {

        private final Object input;
        private final String text;
        private volatile @Nullable Json json;

        private Valid(Object input, String text, @Nullable Json json) {
            this.input = input;
            this.text = text;
            this.json = json;
        }

        /** What the body gets: the typed object, or JSON for a raw tool. */
        public Object input() {
            return input;
        }

        /** The arguments as JSON. */
        public Json json() {
            Json parsed = json;
            if (parsed == null) {
                parsed = Json.ofRead(text); // the codec has read all of it
                json = parsed;
            }
            return parsed;
        }
    }

    /**
     * The text is not JSON, or is beyond the limits of arguments.
     *
     * @param failure code {@code malformed_arguments}
     */
    record Malformed(ToolFailure failure) implements Arguments {}

    /**
     * The JSON breaks the tool's schema.
     *
     * @param failure code {@code invalid_arguments}, with every violation in the message
     */
    record Invalid(ToolFailure failure) implements Arguments {}

    /** Steps for patterns while a typed tool is read; a tenth of what its schema allows, which decides about more. */
    long STEPS_IN_ONE_PASS = 1_000_000;

    /**
     * Reads text. A typed tool is read and checked in one pass; only if that fails, the text is read again to say all that is
     * wrong with it.
     */
    static Arguments read(ToolDefinition definition, String text) {
        String effective = text;
        if (text.isBlank()) {
            if (!definition.contract().input().validate(Json.EMPTY_OBJECT).isEmpty()) {
                return malformed(definition, "the text is empty; expected a JSON object");
            }
            effective = "{}";
        }
        if (definition.codec().checksItself()) {
            try {
                var in = new JsonReader(effective, JsonLimits.ARGUMENTS,
                        CheckBudget.of(STEPS_IN_ONE_PASS));
                Object input = definition.codec().readInput(in);
                in.end();
                return new Valid(input, effective, null);
            } catch (JsonException e) {
                return explain(definition, effective);
            }
        }
        return explain(definition, effective);
    }

    /** Arguments that never came: the model's answer was cut at the limit of output tokens before them. */
    static Arguments cut(String tool) {
        return new Malformed(ToolFailure.ofRuntime(ToolFailure.Kind.INVALID_REQUEST, "malformed_arguments",
                "the call of " + tool + " was cut at the limit of output tokens before its arguments"));
    }

    /** Checks JSON that is there already, for example after a provider replaced it. */
    static Arguments of(ToolDefinition definition, Json json) {
        Violations violations = definition.contract().input().validate(json);
        if (!violations.isEmpty()) {
            return invalid(definition, violations.message());
        }
        if (json.kind() != Json.Kind.OBJECT) { // a schema of others may be nullable, or hide its type behind a reference
            return invalid(definition,
                    "(root): expected an object, found " + Wording.shown(json.compact(), 80));
        }
        if (definition.codec() == ToolCodec.RAW) {
            return new Valid(json, json.text(), json);
        }
        try {
            var in = new JsonReader(json.text(), JsonLimits.DEFAULT);
            return new Valid(definition.codec().readInput(in), json.text(), json);
        } catch (JsonException e) {
            return invalid(definition, String.valueOf(e.getMessage()));
        }
    }

    /** The same, where anything but valid arguments is a mistake of the caller: throws a {@link ToolException}. */
    static Valid require(ToolDefinition definition, Json json) {
        return switch (of(definition, json)) {
            case Valid valid -> valid;
            case Malformed(ToolFailure failure) -> throw new ToolException(failure);
            case Invalid(ToolFailure failure) -> throw new ToolException(failure);
        };
    }

    private static Arguments explain(ToolDefinition definition, String text) {
        try {
            return of(definition, Json.of(text, JsonLimits.ARGUMENTS));
        } catch (JsonSyntaxException e) {
            return malformed(definition, String.valueOf(e.getMessage()));
        }
    }

    private static Arguments malformed(ToolDefinition definition, String problem) {
        return new Malformed(ToolFailure.ofRuntime(ToolFailure.Kind.INVALID_REQUEST, "malformed_arguments",
                "the arguments of " + definition.name() + " cannot be read as JSON: " + problem));
    }

    private static Arguments invalid(ToolDefinition definition, String problems) {
        return new Invalid(ToolFailure.ofRuntime(ToolFailure.Kind.INVALID_REQUEST, "invalid_arguments",
                "the arguments of " + definition.name() + " do not fit its schema:\n" + problems));
    }
}
