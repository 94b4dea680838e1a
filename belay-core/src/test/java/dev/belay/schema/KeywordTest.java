package dev.belay.schema;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.json.Json;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What each keyword accepts and refuses. */
class KeywordTest {

    @ParameterizedTest(name = "{0} accepts {1}, refuses {2}")
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            {"type":"integer"}                                        | 2.0                      | 2.5
            {"type":"integer"}                                        | 1e3                      | 1e-3
            {"type":"integer"}                                        | 1e9999                   | 1e-9999
            {"type":"number"}                                         | 2.5                      | "2.5"
            {"type":["string","null"]}                                | null                     | 1
            {"type":"boolean"}                                        | false                    | null
            {"type":"object"}                                         | {}                       | []
            {"type":"array"}                                          | []                       | {}
            {"enum":["a",1,[1,{"x":2}]]}                              | [1.0,{"x":2.0}]          | [1]
            {"enum":["a",1]}                                          | 1.0                      | "1"
            {"const":{"a":1,"b":2}}                                   | {"b":2,"a":1}            | {"a":1}
            {"const":false}                                           | false                    | 0
            {"multipleOf":0.01}                                       | 19.99                    | 19.995
            {"multipleOf":0.1}                                        | 0.3                      | 0.35
            {"multipleOf":7}                                          | 0                        | 1e9999
            {"multipleOf":1e-9999}                                    | 1e9999                   | 1.5e-9999
            {"multipleOf":1e9999}                                     | 3e9999                   | 1
            {"multipleOf":3}                                          | -12e3000                 | 10e3000
            {"minimum":0.1}                                           | 0.10                     | 0.0999999999999999999999
            {"maximum":9007199254740993}                              | 9007199254740993         | 9007199254740993.1
            {"exclusiveMinimum":1}                                    | 1.0000000000000000000001 | 1.0
            {"exclusiveMaximum":1}                                    | -1e9999                  | 1
            {"minLength":2}                                           | "ab"                     | "😀"
            {"maxLength":1}                                           | "😀"                     | "ab"
            {"pattern":"b"}                                           | "abc"                    | "ac"
            {"pattern":"^b$"}                                         | "b"                      | "abc"
            {"minItems":1}                                            | [1]                      | []
            {"maxItems":1.0}                                          | [1]                      | [1,2]
            {"uniqueItems":true}                                      | [1,"1",true,[1],{"a":1}] | [1,1.0]
            {"uniqueItems":true}                                      | [{"a":1},{"a":2}]        | [{"a":1,"b":2},{"b":2,"a":1}]
            {"uniqueItems":true}                                      | [0,false,null,""]        | [[1,[2]],[1,[2]]]
            {"contains":{"type":"string"}}                            | [1,"a"]                  | [1]
            {"contains":{"type":"string"},"minContains":2}            | ["a","b"]                | ["a",1]
            {"contains":{"type":"string"},"maxContains":1}            | ["a",1]                  | ["a","b"]
            {"contains":{"type":"string"},"minContains":0,"maxContains":1} | []                  | ["a","b"]
            {"minContains":2}                                         | []                       | !
            {"prefixItems":[{"type":"string"}]}                       | ["a",1]                  | [1]
            {"prefixItems":[{"type":"string"}],"items":false}         | ["a"]                    | ["a",1]
            {"items":{"type":"string"}}                               | ["a"]                    | ["a",1]
            {"properties":{"a":{"type":"string"}}}                    | {"b":1}                  | {"a":1}
            {"patternProperties":{"^x":{"type":"string"}}}            | {"a":1,"x1":"a"}         | {"x1":1}
            {"patternProperties":{"^x":true},"additionalProperties":false} | {"x":1}             | {"y":1}
            {"properties":{"a":true},"additionalProperties":{"type":"string"}} | {"a":1,"b":"c"} | {"b":1}
            {"propertyNames":{"maxLength":2}}                         | {"ab":1}                 | {"abc":1}
            {"required":["a","b"]}                                    | {"a":null,"b":1}         | {"a":1}
            {"dependentRequired":{"a":["b"]}}                         | {"b":1}                  | {"a":1}
            {"dependentSchemas":{"a":{"required":["b"]}}}             | {"c":1}                  | {"a":1}
            {"minProperties":1}                                       | {"a":1}                  | {}
            {"maxProperties":1}                                       | {"a":1}                  | {"a":1,"b":2}
            {"allOf":[{"minimum":1},{"maximum":2}]}                   | 1                        | 3
            {"anyOf":[{"type":"string"},{"minimum":5}]}               | 6                        | 3
            {"oneOf":[{"minimum":1},{"minimum":5}]}                   | 3                        | 6
            {"oneOf":[{"minimum":1},{"minimum":5}]}                   | 2                        | 0
            {"not":{"type":"string"}}                                 | 1                        | "a"
            {"if":{"type":"string"},"then":{"minLength":1},"else":{"minimum":1}} | "a"           | ""
            {"if":{"type":"string"},"then":{"minLength":1},"else":{"minimum":1}} | 1             | 0
            {"then":false,"else":false}                               | 1                        | !
            {"allOf":[{"properties":{"a":true}}],"unevaluatedProperties":false} | {"a":1}        | {"b":1}
            {"anyOf":[{"properties":{"a":{"const":1}},"required":["a"]},{"properties":{"b":true}}],"unevaluatedProperties":false} | {"a":1,"b":1} | {"a":2}
            {"if":{"required":["a"]},"then":{"properties":{"a":true}},"unevaluatedProperties":false} | {"a":1} | {"b":1}
            {"prefixItems":[true],"unevaluatedItems":false}           | [1]                      | [1,2]
            {"contains":{"type":"string"},"unevaluatedItems":{"type":"null"}} | ["a",null]       | ["a",1]
            {"$ref":"#/$defs/a","maximum":5,"$defs":{"a":{"minimum":1}}} | 3                     | 6
            {"$ref":"#/$defs/a","maximum":5,"$defs":{"a":{"minimum":1}}} | 5                     | 0
            {"$ref":"#here","$defs":{"a":{"$anchor":"here","type":"string"}}} | "a"              | 1
            {"$ref":"#/$defs/a~1b%20c","$defs":{"a/b c":{"type":"string"}}} | "a"                | 1
            {"properties":{"next":{"$ref":"#"}},"additionalProperties":false} | {"next":{"next":{}}} | {"next":{"nxt":{}}}
            true                                                      | 1                        | !
            false                                                     | !                        | 1
            {"format":"date"}                                         | "yesterday"              | !
            {"x-unknown":5,"minimum":1}                               | 1                        | 0
            """)
    void keywordAcceptsAndRefuses(String schema, String accepted, String refused) {
        JsonSchema compiled = JsonSchema.of(Json.of(schema));
        if (!accepted.equals("!")) {
            assertThat(compiled.validate(Json.of(accepted)).message()).isEmpty();
        }
        if (!refused.equals("!")) {
            assertThat(compiled.validate(Json.of(refused)).isEmpty()).isFalse();
        }
    }

    @Test
    void keywordsOfOtherKindsAreIgnored() {
        JsonSchema schema = JsonSchema.of(
                Json.of("""
                        {"minimum":1,"minLength":1,"minItems":1,"minProperties":1,"required":["a"],"pattern":"a"}"""));

        assertThat(schema.validate(Json.of("null")).isEmpty()).isTrue();
        assertThat(schema.validate(Json.of("true")).isEmpty()).isTrue();
    }

    @Test
    void keepsTheSchemaItWasMadeFrom() {
        Json json = Json.of("{\"type\" : \"string\"}");

        assertThat(JsonSchema.of(json).json().text()).isEqualTo("{\"type\" : \"string\"}");
    }

    @Test
    void recursiveSchemasFollowTheValue() {
        JsonSchema tree = JsonSchema.of(
                Json.of("""
                        {"$ref":"#/$defs/node","$defs":{"node":{"type":"object","required":["v"],"additionalProperties":false,
                         "properties":{"v":{"type":"integer"},"kids":{"type":"array","items":{"$ref":"#/$defs/node"}}}}}}"""));

        assertThat(tree.validate(Json.of("{\"v\":1,\"kids\":[{\"v\":2,\"kids\":[{\"v\":3}]}]}")).isEmpty())
                .isTrue();
        assertThat(tree.validate(Json.of("{\"v\":1,\"kids\":[{\"v\":2,\"kids\":[{\"v\":\"3\"}]}]}")).first())
                .extracting(Violation::pointer)
                .containsExactly("/kids/0/kids/0/v");
    }
}
