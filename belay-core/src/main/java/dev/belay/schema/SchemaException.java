package dev.belay.schema;

import dev.belay.BelayException;
import dev.belay.schema.rules.Excerpt;

/** A schema that cannot be used: wrong in its draft, over a limit, or asking for something Belay does not do. */
public final class SchemaException extends BelayException {

    private static final long serialVersionUID = 1L;

    private final String pointer;

    public SchemaException(String pointer, String problem) {
        super("invalid_schema", "schema at " + Excerpt.pointer(pointer) + ": " + problem);
        this.pointer = pointer;
    }

    /** The JSON pointer, into the schema, of what is wrong; empty for the whole schema. */
    public String pointer() {
        return pointer;
    }
}
