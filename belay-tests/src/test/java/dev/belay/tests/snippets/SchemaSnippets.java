package dev.belay.tests.snippets;

import dev.belay.json.Json;
import dev.belay.schema.Description;
import dev.belay.schema.JsonSchema;
import dev.belay.schema.Length;
import dev.belay.schema.Pattern;
import dev.belay.schema.Range;
import dev.belay.schema.Size;
import dev.belay.schema.Tag;
import dev.belay.schema.Violations;
import java.time.LocalDate;
import java.util.List;
import java.util.Optional;

/** The code of {@code docs/schemas.md}. */
final class SchemaSnippets {

    private SchemaSnippets() {}

    // region constraints
    record Booking(
            @Description("Whom the table is for.") @Length(min = 1, max = 80) String name,
            @Range(min = 1, max = 12) int guests,
            LocalDate day,
            Optional<@Pattern("^\\+[0-9]{5,15}$") String> phone,
            @Size(max = 3) List<@Length(max = 40) String> wishes) {}
    // endregion

    // region union
    @Tag(property = "kind")
    sealed interface Payment {

        record Card(String number) implements Payment {}

        @Tag("cash")
        record CashOnDelivery(boolean exactChange) implements Payment {}
    }
    // endregion

    // region recursion
    record Category(String name, List<Category> children) {}
    // endregion

    static Violations validate() {
        // region validate
        JsonSchema schema = JsonSchema.of(Json.of("""
                {"type": "object",
                 "properties": {"size": {"enum": ["small", "large"]}, "count": {"type": "integer"}},
                 "required": ["size"],
                 "additionalProperties": false}
                """));
        Violations found = schema.validate(Json.of("{\"sise\": \"small\", \"count\": 1.5}"));
        // endregion
        return found;
    }

    static String canonical() {
        // region canonical
        Json given = Json.of("{\"b\": 1.50, \"a\": 1e2}");
        String same = given.text(); // {"b": 1.50, "a": 1e2}
        String short1 = given.compact(); // {"b":1.50,"a":1e2}
        String canonical = given.canonical(); // {"a":100,"b":1.5}
        // endregion
        return same + "\n" + short1 + "\n" + canonical;
    }
}
