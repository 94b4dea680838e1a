package dev.belay.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.belay.json.Json;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Each draft by its own rules. */
class DraftTest {

    /** A draft, a schema of it, a value that is accepted and one that is refused; ! for none. */
    @ParameterizedTest(name = "{0}: {1}")
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            4    | {"minimum":1,"exclusiveMinimum":true}                       | 2                 | 1
            4    | {"maximum":1,"exclusiveMaximum":false}                      | 1                 | 2
            4    | {"const":1,"contains":{},"propertyNames":false}             | {"a":1}           | !
            4    | {"properties":{"a":{"$ref":"#x"}},"definitions":{"d":{"id":"#x","type":"null"}}} | {"a":null} | {"a":1}
            4    | {"dependencies":{"a":["b"],"c":{"required":["d"]}}}         | {"a":1,"b":1}     | {"c":1}
            4    | {"items":[{"type":"null"}],"additionalItems":false}         | [null]            | [null,1]
            6    | {"exclusiveMinimum":1,"contains":{"const":2}}               | [2]               | [3]
            6    | {"if":true,"then":false}                                    | 1                 | !
            6    | {"properties":{"a":true,"b":false}}                         | {"a":1}           | {"b":1}
            7    | {"if":{"const":1},"then":false}                             | 2                 | 1
            7    | {"$ref":"#/definitions/a","maxLength":1,"definitions":{"a":{"type":"string"}}} | "long" | 1
            7    | {"items":[{"type":"string"},{"$ref":"#/items/0"}]}          | ["a","b"]         | ["a",1]
            7    | {"items":[true],"additionalItems":{"type":"null"}}          | [1,null]          | [1,2]
            7    | {"additionalItems":false}                                   | [1]               | !
            7    | {"dependencies":{"a":["b"]}}                                | {"b":1}           | {"a":1}
            7    | {"prefixItems":[false],"dependentRequired":{"a":["b"]},"unevaluatedProperties":false} | {"a":1} | !
            7    | {"properties":{"a":{"$id":"#here","type":"null"},"b":{"$ref":"#here"}}} | {"b":null} | {"b":1}
            7    | {"properties":{"a":{"$id":"#/properties/a","type":"null"}}} | {"a":null}        | {"a":1}
            7    | {"properties":{"a":{"$id":"#x"},"b":{"$ref":"#/definitions/n"},"c":{"$ref":"#"}},"definitions":{"n":{"type":"null"}}} | {"b":null,"c":{"b":null}} | {"c":{"b":1}}
            7    | {"oneOf":[{"$ref":"#/definitions/a","properties":{"k":{"const":"x"}}},{"properties":{"k":{"const":"y"}}}],"definitions":{"a":{"required":["z"]}}} | {"k":"y"} | {"k":"y","z":1}
            2019 | {"$ref":"#/$defs/a","maxLength":1,"$defs":{"a":{"type":"string"}}} | "a"        | "long"
            2019 | {"items":[true],"unevaluatedItems":false}                   | [1]               | [1,2]
            2019 | {"contains":{"const":1},"unevaluatedItems":false}           | !                 | [1]
            2019 | {"properties":{"a":{"$recursiveRef":"#"}},"additionalProperties":false} | {"a":{}} | {"a":{"b":1}}
            2019 | {"dependentRequired":{"a":["b"]},"maxContains":1,"contains":{"const":1}} | {"a":1,"b":1} | [1,1]
            2020 | {"contains":{"const":1},"unevaluatedItems":false}           | [1]               | [1,2]
            2020 | {"properties":{"a":{"$dynamicRef":"#n"}},"$dynamicAnchor":"n","additionalProperties":false} | {"a":{}} | {"a":{"b":1}}
            2020 | {"dependencies":{"a":["b"]}}                                | {"b":1}           | {"a":1}
            """)
    void keepsItsRules(String draft, String schema, String accepted, String refused) {
        Draft by = switch (draft) {
            case "4" -> Draft.DRAFT_4;
            case "6" -> Draft.DRAFT_6;
            case "7" -> Draft.DRAFT_7;
            case "2019" -> Draft.DRAFT_2019_09;
            default -> Draft.DRAFT_2020_12;
        };
        JsonSchema compiled = JsonSchema.of(Json.of(schema), by);
        if (!accepted.equals("!")) {
            assertThat(compiled.validate(Json.of(accepted)).message()).isEmpty();
        }
        if (!refused.equals("!")) {
            assertThat(compiled.validate(Json.of(refused)).isEmpty()).isFalse();
        }
    }

    @ParameterizedTest
    @CsvSource({"http://json-schema.org/draft-04/schema#,DRAFT_4",
        "http://json-schema.org/draft-06/schema,DRAFT_6",
        "https://json-schema.org/draft-07/schema#,DRAFT_7",
        "https://json-schema.org/draft/2019-09/schema,DRAFT_2019_09",
        "https://json-schema.org/draft/2020-12/schema#,DRAFT_2020_12"})
    void theNamedDraftIsFound(String uri, Draft draft) {
        assertThat(Draft.named(uri)).contains(draft);
    }

    @Test
    void theNameInTheSchemaWinsOverThatOfTheSource() {
        Json json = Json.of("""
                {"$schema": "http://json-schema.org/draft-07/schema#", "items": [{"type": "string"}]}""");

        assertThat(JsonSchema.of(json).validate(Json.of("[1]")).message())
                .isEqualTo("/0: expected a string, found 1");
        assertThat(JsonSchema.of(json, Draft.DRAFT_4).json().text()).isEqualTo(json.text());
        Json latest = Json
                .of("{\"$schema\":\"http://json-schema.org/schema#\",\"items\":[{\"type\":\"string\"}]}");
        assertThat(JsonSchema.of(latest, Draft.DRAFT_6).validate(Json.of("[1]")).total()).isEqualTo(1);
    }

    @Test
    void oneTextIsKeptOnceForEachDraft() {
        Json json = Json.of("{\"items\":[{\"type\":\"string\"}],\"title\":\"kept for each draft\"}");

        assertThat(JsonSchema.of(json, Draft.DRAFT_7).validate(Json.of("[1]")).total()).isEqualTo(1);
        assertThatThrownBy(() -> JsonSchema.of(json)).isInstanceOf(SchemaException.class);
    }

    @Test
    void anotherDraftInsideIsRefused() {
        assertThatThrownBy(() -> JsonSchema.of(Json.of("""
                {"properties": {"a": {"$schema": "http://json-schema.org/draft-07/schema#"}}}""")))
                .isInstanceOf(SchemaException.class)
                .hasMessageContaining(
                        "/properties/a/$schema: $schema expects the same draft as the whole schema");
    }

    /** An id sets the base of the references below it. */
    @Test
    void referencesFollowTheIdsOfParts() {
        JsonSchema schema = JsonSchema.of(
                Json.of("""
                        {"$id": "https://example.com/root.json",
                         "properties": {"a": {"$ref": "item.json"}, "b": {"$ref": "https://example.com/item.json#/$defs/n"},
                                        "c": {"$ref": "#/$defs/n"}},
                         "$defs": {"n": {"type": "boolean"},
                                   "item": {"$id": "item.json", "items": {"$ref": "#/$defs/n"}, "$defs": {"n": {"type": "null"}}}}}"""));

        assertThat(schema.validate(Json.of("{\"a\":[null],\"b\":null,\"c\":true}")).message()).isEmpty();
        assertThat(schema.validate(Json.of("{\"a\":[true],\"b\":true,\"c\":null}")).first())
                .extracting(Violation::pointer)
                .containsExactly("/a/0", "/b", "/c");
    }

    @Test
    void nullableOfOpenApiCountsBesideAType() {
        JsonSchema schema = JsonSchema.of(
                Json.of("""
                        {"properties": {"a": {"type": "string", "nullable": true}, "b": {"type": "string", "nullable": false},
                                        "c": {"nullable": true, "enum": [1]}}}"""));

        assertThat(schema.validate(Json.of("{\"a\":null}")).message()).isEmpty();
        assertThat(schema.validate(Json.of("{\"a\":1,\"b\":null,\"c\":null}")).message()).isEqualTo("""
                /a: expected a string or null, found 1
                /b: expected a string, found null; leave the field out
                /c: expected 1, found null; leave the field out""");
    }

    @Test
    void annotationsAreFoundInThePositionsOfEveryDraft() {
        assertThat(JsonSchema.of(Json.of("""
                {"items":[{"title":"t","type":"string"}],"additionalItems":{"title":"t"},
                 "dependencies":{"title":{"title":"t"},"a":["title"]},"definitions":{"d":{"title":"t"}}}"""),
                Draft.DRAFT_7)
                .withoutAnnotations()
                .text()).isEqualTo("{\"items\":[{\"type\":\"string\"}],\"additionalItems\":{},"
                        + "\"dependencies\":{\"title\":{},\"a\":[\"title\"]},\"definitions\":{\"d\":{}}}");
    }

    @Test
    void theNamedDraftCountsBesideAReferenceThatWouldStandAlone() {
        String rest = "\"$ref\":\"#/definitions/n\",\"minimum\":5,\"definitions\":{\"n\":{\"type\":\"number\"}}}";
        Json latest = Json.of("{\"$schema\":\"https://json-schema.org/draft/2020-12/schema\"," + rest);
        Json seven = Json.of("{\"$schema\":\"http://json-schema.org/draft-07/schema#\"," + rest);
        Json unknown = Json.of("{\"$schema\":\"https://example.com/schema\"," + rest);

        for (Draft unnamed : Draft.values()) {
            assertThat(JsonSchema.of(latest, unnamed).validate(Json.of("1")).isEmpty()).isFalse();
            assertThat(JsonSchema.of(seven, unnamed).validate(Json.of("1")).isEmpty()).isTrue();
            assertThatThrownBy(() -> JsonSchema.of(unknown, unnamed)).isInstanceOf(SchemaException.class)
                    .hasMessageContaining("expected draft 4, 6, 7, 2019-09 or 2020-12");
        }
    }
}
