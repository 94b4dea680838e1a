package dev.belay.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.belay.json.Json;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Schemas that are refused, and where they say they are wrong. */
class BadSchemaTest {

    @ParameterizedTest(name = "{0} is wrong at {1}")
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            5                                                   | ``                       | a schema is an object, true or false, found 5
            {"properties":{"a":[]}}                             | /properties/a            | a schema is an object, true or false, found []
            {"$defs":{"unused":{"type":"strin"}}}               | /$defs/unused/type       | found "strin"
            {"$ref":"https://example.com/s"}                    | /$ref                    | only references within the schema
            {"$ref":"other.json#/a"}                            | /$ref                    | only references within the schema
            {"items":{"$ref":"#/$defs/no"}}                     | /items/$ref              | the reference leads nowhere: "#/$defs/no"
            {"$ref":"#nowhere"}                                 | /$ref                    | the reference leads nowhere: "#nowhere"
            {"$ref":"#/allOf/1","allOf":[{}]}                   | /$ref                    | leads nowhere
            {"$ref":"#/$defs/a/minimum","$defs":{"a":{"minimum":1}}} | /$defs/a/minimum    | a schema is an object
            {"type":"int"}                                      | /type                    | found "int"
            {"type":5}                                          | /type                    | found 5
            {"minLength":-1}                                    | /minLength               | a whole number of at least 0, found -1
            {"maxItems":1.5}                                    | /maxItems                | found 1.5
            {"minProperties":"1"}                               | /minProperties           | a number, found "1"
            {"minimum":"1"}                                     | /minimum                 | a number, found "1"
            {"multipleOf":0}                                    | /multipleOf              | greater than 0, found 0
            {"uniqueItems":1}                                   | /uniqueItems             | true or false, found 1
            {"required":"a"}                                    | /required                | an array of strings, found "a"
            {"required":["a",1]}                                | /required/1              | a string, found 1
            {"dependentRequired":{"a":[2]}}                     | /dependentRequired/a/0   | a string, found 2
            {"enum":"a"}                                        | /enum                    | an array, found "a"
            {"properties":[]}                                   | /properties              | an object, found []
            {"allOf":[]}                                        | /allOf                   | at least one schema, found []
            {"allOf":{}}                                        | /allOf                   | at least one schema, found {}
            {"prefixItems":[1]}                                 | /prefixItems/0           | a schema is an object
            {"items":[{}]}                                      | /items                   | a schema is an object, true or false
            {"pattern":"["}                                     | /pattern                 | expected a regular expression
            {"pattern":5}                                       | /pattern                 | a string, found 5
            {"patternProperties":{"(":{}}}                      | /patternProperties/(     | expected a regular expression
            {"format":1}                                        | /format                  | a string, found 1
            {"items":{"$dynamicRef":"#a","$id":"x"}}            | /items/$dynamicRef       | $dynamicRef is not supported in a schema with an $id below its root
            {"items":{"$dynamicRef":"#a"}}                      | /items/$dynamicRef       | the reference leads nowhere: "#a"
            {"$schema":"http://json-schema.org/draft-03/schema#"} | /$schema               | expected draft 4, 6, 7, 2019-09 or 2020-12
            {"$anchor":"a b"}                                   | /$anchor                 | $anchor expects a name
            {"$anchor":"a","items":{"$anchor":"a"}}             | /items/$anchor           | is given twice
            {"$ref":"#"}                                        | ``                       | leads back to itself
            """)
    void isRefusedWithItsPointer(String schema, String pointer, String problem) {
        SchemaException refused = catchThrowableOfType(SchemaException.class,
                () -> JsonSchema.of(Json.of(schema)));

        assertThat(refused.code()).isEqualTo("invalid_schema");
        assertThat(refused.pointer()).isEqualTo(pointer);
        assertThat(refused)
                .hasMessageStartingWith("schema at " + (pointer.isEmpty() ? "(root)" : pointer) + ": ")
                .hasMessageContaining(problem);
    }

    @Test
    void longIdsAreRefusedBecauseEveryPartKeepsItsAddress() {
        Json schema = Json.of(
                "{\"$id\":\"https://example.com/" + "a".repeat(100_000) + "/\",\"items\":{\"$id\":\"b\"}}");
        assertThatThrownBy(() -> JsonSchema.of(schema)).isInstanceOf(SchemaException.class)
                .hasMessage(
                        "schema at /$id: an id may have at most 2000 characters with the ids around it, found 100021");
    }

    @Test
    void referencesInACircleAreRefused() {
        refuses("{\"$ref\":\"#/$defs/a\",\"$defs\":{\"a\":{\"$ref\":\"#/$defs/b\"},\"b\":{\"$ref\":\"#/$defs/a\"}}}");
        refuses("{\"$defs\":{\"a\":{\"anyOf\":[{\"type\":\"null\"},{\"$ref\":\"#/$defs/a\"}]}}}");
        refuses("{\"$defs\":{\"a\":{\"not\":{\"$ref\":\"#/$defs/a\"}}}}");
        refuses("{\"dependentSchemas\":{\"x\":{\"if\":{\"$ref\":\"#\"}}}}");
    }

    private static void refuses(String schema) {
        assertThatThrownBy(() -> JsonSchema.of(Json.of(schema))).isInstanceOf(SchemaException.class)
                .hasMessageContaining("leads back to itself");
    }

    @Test
    void circlesThroughTheValueAreFine() {
        assertThat(
                JsonSchema.of(Json.of("{\"items\":{\"$ref\":\"#\"}}")).validate(Json.of("[[[]]]")).isEmpty())
                .isTrue();
    }

    @Test
    void oversizeIsRefused() {
        Json large = Json.of("{\"description\":\"" + "é".repeat(140_000) + "\"}");
        assertThatThrownBy(() -> JsonSchema.of(large)).isInstanceOf(SchemaException.class)
                .hasMessage("schema at (root): a schema may have at most 262144 bytes, found 280018");

        Json deep = Json.of("{\"items\":".repeat(65) + "true" + "}".repeat(65));
        assertThatThrownBy(() -> JsonSchema.of(deep)).isInstanceOf(SchemaException.class)
                .hasMessage("schema at (root): a schema may have at most 64 levels, found 65");

        Json allowed = Json.of("{\"items\":".repeat(64) + "true" + "}".repeat(64));
        assertThat(JsonSchema.of(allowed).validate(Json.of("1")).isEmpty()).isTrue();
    }

    @Test
    void theDialectOfTheDraftIsAccepted() {
        Json schema = Json.of(
                "{\"$schema\":\"https://json-schema.org/draft/2020-12/schema\",\"$id\":\"https://example.com/a\"}");

        assertThat(JsonSchema.of(schema).validate(Json.of("1")).isEmpty()).isTrue();
    }
}
