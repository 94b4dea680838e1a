package dev.belay.schema;

import dev.belay.schema.rules.Excerpt;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One place where a value breaks its schema, in words for a model. Values are shown as JSON, cut to 80 characters.
 *
 * @param pointer the JSON pointer of the place, empty for the whole value
 * @param keyword the schema keyword that is broken; {@code budget} if the check was given up
 * @param expected what is allowed there
 * @param found what is there instead
 * @param hint what would probably help, or null
 */
public record Violation(String pointer, String keyword, String expected, String found,
        @Nullable String hint) {

    /** Checks that all but the hint are given. */
    public Violation {
        Objects.requireNonNull(pointer, "pointer");
        Objects.requireNonNull(keyword, "keyword");
        Objects.requireNonNull(expected, "expected");
        Objects.requireNonNull(found, "found");
    }

    /** One line that says where, what is allowed and what was found. */
    public String message() {
        String problem = switch (keyword) {
            case "required", "dependentRequired" -> "required " + expected + " is missing";
            case "additionalProperties", "unevaluatedProperties" -> "is not a known field";
            default -> "expected " + expected + ", found " + found;
        };
        return Excerpt.pointer(pointer) + ": " + problem + (hint == null ? "" : "; " + hint);
    }
}
