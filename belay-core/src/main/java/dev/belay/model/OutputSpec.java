package dev.belay.model;

import dev.belay.json.Json;

/** The form of answer that is asked for. */
public sealed interface OutputSpec {

    /** Asks for free text; the default. */
    static OutputSpec text() {
        return new Text();
    }

    /** Asks for JSON that satisfies a schema. */
    static OutputSpec schema(String name, Json schema) {
        return new Schema(name, schema);
    }

    /** Free text. */
    record Text() implements OutputSpec {}

    /**
     * JSON by a schema.
     *
     * @param name what the model is told it is, {@code [a-zA-Z0-9_-]{1,64}}
     * @param schema a JSON Schema, an object
     */
    record Schema(String name, Json schema) implements OutputSpec {

        /** Refuses a name no provider takes, and a schema that is not a JSON object. */
        public Schema {
            ToolSpec.checkName(name, "name of an output schema");
            ToolSpec.checkSchema(schema, "output schema \"" + name + "\"");
        }
    }
}
