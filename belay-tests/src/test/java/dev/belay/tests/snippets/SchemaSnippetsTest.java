package dev.belay.tests.snippets;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.json.Json;
import dev.belay.schema.FormatMode;
import dev.belay.schema.JsonSchema;
import dev.belay.schema.shape.ScalarType;
import dev.belay.tests.Project;
import dev.belay.tests.snippets.SchemaSnippets.Booking;
import dev.belay.tests.snippets.SchemaSnippets.Category;
import dev.belay.tests.snippets.SchemaSnippets.Payment;
import dev.belay.tool.ToolDefinition;
import dev.belay.tool.call.Arguments;
import org.junit.jupiter.api.Test;

/** What {@code docs/schemas.md} says of its code. */
class SchemaSnippetsTest {

    private static final String PAGE = Project.here().read("docs/schemas.md");

    @Test
    void constraintsAppearInTheSchema() {
        pageShows(schemaOf(Booking.class),
                """
                        {"type": "object",
                         "properties": {
                           "name": {"type": "string", "minLength": 1, "maxLength": 80, "description": "Whom the table is for."},
                           "guests": {"type": "integer", "format": "int32", "minimum": 1, "maximum": 12},
                           "day": {"type": "string", "format": "date"},
                           "phone": {"type": ["string", "null"], "pattern": "^\\\\+[0-9]{5,15}$"},
                           "wishes": {"type": "array", "items": {"type": "string", "maxLength": 40}, "maxItems": 3}},
                         "required": ["name", "guests", "day", "wishes"],
                         "additionalProperties": false}
                        """);
    }

    @Test
    void everyViolationIsTold() {
        String told = failure(Booking.class,
                """
                        {"name": "", "guests": "2", "day": "tomorrow", "wishes": ["a", "b", "c", "d"], "phon": null}
                        """);
        assertThat(told).isEqualTo("""
                the arguments of t do not fit its schema:
                /name: expected a string of at least 1 character, found "" of 0 characters
                /guests: expected a whole number, found "2"; write 2 without quotes
                /day: expected a date such as "2025-12-31", found "tomorrow"
                /wishes: expected an array of at most 3 items, found 4 items
                /phon: is not a known field; did you mean "phone"?""" + //
                " Known fields are \"name\", \"guests\", \"day\", \"phone\", \"wishes\"");
        assertThat(PAGE).contains(told.substring(told.indexOf('\n') + 1));
    }

    @Test
    void unionsAreToldApartByTheirTag() {
        pageShows(schemaOf(Payment.class),
                """
                        {"type": "object",
                         "anyOf": [
                           {"type": "object",
                            "properties": {"kind": {"const": "card"}, "number": {"type": "string"}},
                            "required": ["kind", "number"], "additionalProperties": false},
                           {"type": "object",
                            "properties": {"kind": {"const": "cash"}, "exactChange": {"type": "boolean"}},
                            "required": ["kind", "exactChange"], "additionalProperties": false}]}
                        """);
        assertThat(failure(Payment.class, "{\"kind\": \"cart\"}")).endsWith(
                "/kind: expected one of the tags \"card\", \"cash\", found \"cart\"; did you mean \"card\"?");
    }

    @Test
    void recursiveTypeRefersToItself() {
        pageShows(schemaOf(Category.class),
                """
                        {"type": "object",
                         "properties": {"name": {"type": "string"}, "children": {"type": "array", "items": {"$ref": "#"}}},
                         "required": ["name", "children"],
                         "additionalProperties": false}
                        """);
    }

    @Test
    void optionalFieldTakesNullAndAbsence() {
        String rest = "\"name\": \"Ada\", \"guests\": 2, \"day\": \"2026-01-31\", \"wishes\": []}";
        assertThat(input(Booking.class, "{" + rest))
                .isEqualTo(input(Booking.class, "{\"phone\": null, " + rest));
    }

    @Test
    void formatsAreAssertedForTypedSchemasAlone() {
        Json schema = Json.of("{\"type\": \"string\", \"format\": \"date\"}");
        Json value = Json.string("tomorrow");
        assertThat(JsonSchema.of(schema).validate(value).isEmpty()).isTrue();
        assertThat(JsonSchema.of(schema, FormatMode.ASSERT).validate(value).isEmpty()).isFalse();
        Json booking = Json.of("""
                {"name": "Ada", "guests": 2, "day": "tomorrow", "wishes": []}""");
        assertThat(ToolDefinition.typed(Booking.class, String.class, "t", "Tests.")
                .contract()
                .input()
                .validate(booking)
                .message()).contains("/day: expected a date");
    }

    @Test
    void violationsOfARawSchemaAreTold() {
        assertThat(PAGE).contains("```text\n" + SchemaSnippets.validate().message() + "\n```");
    }

    @Test
    void canonicalTextIsAsTheCommentsSay() {
        assertThat(SchemaSnippets.canonical())
                .isEqualTo("{\"b\": 1.50, \"a\": 1e2}\n{\"b\":1.50,\"a\":1e2}\n{\"a\":100,\"b\":1.5}");
    }

    @Test
    void everyFormatIsOnThePage() {
        String table = PAGE.substring(PAGE.indexOf("## From Java types"), PAGE.indexOf("## Constraints"));
        assertThat(ScalarType.values()).allSatisfy(type -> assertThat(table).contains(type.format()));
    }

    private static void pageShows(Json schema, String shown) {
        assertThat(schema).isEqualTo(Json.of(shown));
        assertThat(PAGE).contains("```json\n" + shown + "```");
    }

    private static Json schemaOf(Class<?> type) {
        return ToolDefinition.typed(type, String.class, "t", "Tests.").contract().input().json();
    }

    private static Object input(Class<?> type, String text) {
        var arguments = ToolDefinition.typed(type, String.class, "t", "Tests.").arguments(text);
        assertThat(arguments).isInstanceOf(Arguments.Valid.class);
        return ((Arguments.Valid) arguments).input();
    }

    private static String failure(Class<?> type, String text) {
        var arguments = ToolDefinition.typed(type, String.class, "t", "Tests.").arguments(text);
        assertThat(arguments).isInstanceOf(Arguments.Invalid.class);
        return ((Arguments.Invalid) arguments).failure().message();
    }
}
