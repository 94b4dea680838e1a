package dev.belay.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.belay.json.Json;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a model is told, word for word. */
class ViolationMessageTest {

    private static final String SHAPES = """
            {"oneOf":[{"$ref":"#/$defs/circle"},{"$ref":"#/$defs/square"}],"$defs":{
              "circle":{"type":"object","properties":{"type":{"const":"circle"},"radius":{"type":"number"}},
                        "required":["type","radius"],"additionalProperties":false},
              "square":{"type":"object","properties":{"type":{"const":"square"},"side":{"type":"number"}},
                        "required":["type","side"],"additionalProperties":false}}}""";

    @ParameterizedTest(name = "{0} on {1}")
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            {"properties":{"limit":{"type":"integer","maximum":50}}} | {"limit":70} | /limit: expected a whole number of at most 50, found 70
            {"properties":{"limit":{"type":"integer"}}} | {"limit":"70"}      | /limit: expected a whole number, found "70"; write 70 without quotes
            {"properties":{"o":{"type":"object"}}} | {"o":"{\\"a\\": 1}"}     | /o: expected an object, found "{\\"a\\": 1}"; write {"a":1} without quotes
            {"type":["string","null"]}         | true                         | (root): expected a string or null, found true
            {"type":"boolean"}                 | 0                            | (root): expected true or false, found 0
            {"required":["customer"]}          | {}                           | (root): required field "customer" is missing
            {"properties":{"customer":true,"limit":true},"additionalProperties":false} | {"customr":1} | /customr: is not a known field; did you mean "customer"? Known fields are "customer", "limit"
            {"properties":{"customer":true},"additionalProperties":false} | {"zzz":1} | /zzz: is not a known field; known fields are "customer"
            {"additionalProperties":false}     | {"a":1}                      | /a: is not a known field; no fields are allowed here
            {"allOf":[{"properties":{"order_id":true}}],"unevaluatedProperties":false} | {"orderId":1} | /orderId: is not a known field; did you mean "order_id"? Known fields are "order_id"
            {"properties":{"a":false}}         | {"a":1}                      | /a: expected nothing at all here, found 1
            {"enum":["celsius","kelvin"]}      | "Celcius"                    | (root): expected one of "celsius", "kelvin", found "Celcius"; did you mean "celsius"?
            {"const":"a"}                      | "b"                          | (root): expected "a", found "b"
            {"minimum":1}                      | 0                            | (root): expected a number of at least 1, found 0
            {"exclusiveMinimum":1}             | 1                            | (root): expected a number greater than 1, found 1
            {"exclusiveMaximum":1}             | 1                            | (root): expected a number less than 1, found 1
            {"multipleOf":5}                   | 7                            | (root): expected a multiple of 5, found 7
            {"minLength":1}                    | ""                           | (root): expected a string of at least 1 character, found "" of 0 characters
            {"maxLength":2}                    | "abc"                        | (root): expected a string of at most 2 characters, found "abc" of 3 characters
            {"pattern":"^a"}                   | "b"                          | (root): expected a string matching ^a, found "b"
            {"type":[]}                        | 1                            | (root): expected nothing at all here, found 1
            {"enum":[]}                        | 1                            | (root): expected nothing at all here, found 1
            {"type":["string","string"]}       | 1                            | (root): expected a string, found 1
            {"additionalProperties":{"type":"null"}} | {"a\\n\\u001b":1}  | /a\\u000a\\u001b: expected null, found 1
            {"minItems":2}                     | [1]                          | (root): expected an array of at least 2 items, found 1 item
            {"maxItems":1}                     | [1,2]                        | (root): expected an array of at most 1 item, found 2 items
            {"uniqueItems":true}               | [3,"x",3.0]                  | (root): expected items that all differ, found 3.0 at both 0 and 2
            {"contains":{"type":"null"}}       | [1]                          | (root): expected at least 1 item matching {"type":"null"}, found 0 such items
            {"prefixItems":[true],"unevaluatedItems":false} | [1,2]           | /1: expected no further item, found 2
            {"minProperties":1}                | {}                           | (root): expected an object of at least 1 field, found 0 fields
            {"propertyNames":{"maxLength":2}}  | {"abc":1}                    | /abc: expected a field name that is a string of at most 2 characters, found "abc"
            {"dependentRequired":{"a":["b"]}}  | {"a":1}                      | (root): required field "b" is missing; it belongs to "a", which is there
            {"not":{"const":3}}                | 3                            | (root): expected a value that does not match {"const":3}, found 3
            {"oneOf":[{"minimum":1},{"minimum":2}]} | 3                       | (root): expected a value that matches exactly one of 2 forms, found 3; it matches the forms [1, 2]
            {"anyOf":[{"type":"string"},{"type":"null"}]} | 5                 | (root): expected a string or null, found 5
            {"anyOf":[{"type":"null"},{"type":"object","required":["a"]}]} | {} | (root): required field "a" is missing
            {"properties":{"a":{"type":"string"}}} | {"a":null}               | /a: expected a string, found null; leave the field out
            {"oneOf":[{"properties":{"a":{"type":"string"}}}]} | {"a":null}   | /a: expected a string, found null; leave the field out
            {"properties":{"a":{"enum":[1,2]}}} | {"a":null}                  | /a: expected one of 1, 2, found null; leave the field out
            {"properties":{"a":{"anyOf":[{"type":"string"},{"type":"array"}]}}} | {"a":null} | /a: expected a string or an array, found null; leave the field out
            {"properties":{"a":{"type":"string"}},"required":["a"]} | {"a":null} | /a: expected a string, found null
            {"properties":{"a":{"items":{"type":"string"}}}} | {"a":[null]}   | /a/0: expected a string, found null
            {"properties":{"customer":{}},"required":["customer"]} | {"Customer_":1} | (root): required field "customer" is missing; did you send it as "Customer_"?
            {"properties":{"customer":{},"customers":{}},"required":["customer"]} | {"customers":1} | (root): required field "customer" is missing
            {"allOf":[{"type":"string"},{"type":"string"}]} | 1               | (root): expected a string, found 1
            {"allOf":[{"properties":{"a":true},"additionalProperties":false}],"unevaluatedProperties":false} | {"b":1} | /b: is not a known field; known fields are "a"
            {"items":{"properties":{"a/b~c":{"type":"null"}}}} | [{"a/b~c":1}] | /0/a~1b~0c: expected null, found 1
            """)
    void saysWhatIsWrong(String schema, String value, String message) {
        assertThat(JsonSchema.of(Json.of(schema)).validate(Json.of(value)).message()).isEqualTo(message);
    }

    @Test
    void theTagChoosesTheBranchThatIsReported() {
        assertThat(report(SHAPES, "{\"type\":\"square\",\"sid\":1}")).isEqualTo("""
                (root): required field "side" is missing
                /sid: is not a known field; did you mean "side"? Known fields are "type", "side\"""");
        assertThat(report(SHAPES, "{\"type\":\"circel\"}")).isEqualTo(
                "/type: expected one of the tags \"circle\", \"square\", found \"circel\"; did you mean \"circle\"?");
        assertThat(report(SHAPES, "{\"side\":1}")).isEqualTo(
                "(root): required field \"type\" is missing; it is one of the tags \"circle\", \"square\"");
        assertThat(report(SHAPES, "5")).isEqualTo("(root): expected an object, found 5");
    }

    @Test
    void theClosestBranchIsReportedWithoutTags() {
        String schema = """
                {"anyOf":[{"type":"object","required":["a","b","c"]},{"type":"object","required":["x"]},{"type":"string"}]}""";

        assertThat(report(schema, "{}")).isEqualTo("(root): required field \"x\" is missing");
    }

    @Test
    void tellsEveryViolationUpToTenAndCountsTheRest() {
        String items = IntStream.range(0, 13)
                .mapToObj(Integer::toString)
                .collect(Collectors.joining(",", "[", "]"));
        Violations violations = JsonSchema.of(Json.of("{\"items\":{\"type\":\"string\"}}"))
                .validate(Json.of(items));

        assertThat(violations.total()).isEqualTo(13);
        assertThat(violations.first()).hasSize(10);
        assertThat(violations.message().lines()).hasSize(11)
                .startsWith("/0: expected a string, found 0")
                .endsWith("/9: expected a string, found 9", "and 3 more");
    }

    @Test
    void tellsViolationsOfDifferentKeywordsTogether() {
        String schema = """
                {"required":["a"],"properties":{"b":{"type":"string"},"c":{"maximum":1}},"additionalProperties":false}""";

        assertThat(JsonSchema.of(Json.of(schema)).validate(Json.of("{\"b\":1,\"c\":2,\"d\":3}")).first())
                .extracting(Violation::keyword, Violation::pointer)
                .containsExactly(org.assertj.core.groups.Tuple.tuple("required", ""),
                        org.assertj.core.groups.Tuple.tuple("type", "/b"),
                        org.assertj.core.groups.Tuple.tuple("maximum", "/c"),
                        org.assertj.core.groups.Tuple.tuple("additionalProperties", "/d"));
    }

    @Test
    void longValuesAreCutAtACodePoint() {
        String value = "\"" + "a".repeat(78) + "😀😀\"";

        assertThat(report("{\"type\":\"null\"}", value))
                .isEqualTo("(root): expected null, found \"" + "a".repeat(78) + "…");
    }

    @Test
    void escapesAreDecodedBeforeTheyAreShown() {
        String tokyo = "\\u6771\\u4eac";

        assertThat(report("{\"type\":\"null\"}", "\"" + tokyo + " \\u0022x\""))
                .isEqualTo("(root): expected null, found \"東京 \\\"x\"");
        assertThat(report("{\"type\":\"null\"}", "{\"" + tokyo + "\":[\"" + tokyo + "\\u000a\"]}"))
                .isEqualTo("(root): expected null, found {\"東京\":[\"東京\\n\"]}");
        assertThatThrownBy(() -> Json.of("\"" + tokyo + "\"").asInt()).hasMessage(
                "expected a number, found a string: \"東京\"");
    }

    @Test
    void anEscapeIsNeverCut() {
        String start = "(root): expected null, found \"";

        assertThat(report("{\"type\":\"null\"}", "\"" + "a".repeat(73) + "\\u0007bbbbbbbb\""))
                .isEqualTo(start + "a".repeat(73) + "\\u0007…");
        assertThat(report("{\"type\":\"null\"}", "\"" + "a".repeat(74) + "\\u0007bbbbbbbb\""))
                .isEqualTo(start + "a".repeat(74) + "…");
        assertThat(report("{\"type\":\"null\"}", "\"" + "a".repeat(78) + "\\\"bbbbbbbb\""))
                .isEqualTo(start + "a".repeat(78) + "…");
    }

    @Test
    void equalLinesAreSaidOnceAndCountedOnce() {
        String twice = "{\"allOf\":[{\"$ref\":\"#/$defs/a\"},{\"$ref\":\"#/$defs/a\"}],"
                + "\"$defs\":{\"a\":{\"required\":[\"x\",\"y\"]}}}";

        assertThat(JsonSchema.of(Json.of(twice)).validate(Json.of("{}")).total()).isEqualTo(2);
        assertThat(report(twice, "{}"))
                .isEqualTo(
                        "(root): required field \"x\" is missing\n(root): required field \"y\" is missing");
    }

    @Test
    void largeValuesAreShownOnOneLine() {
        assertThat(report("{\"type\":\"null\"}", "{\n  \"a\": [1,\n 2],\n \"b\": {}\n}"))
                .isEqualTo("(root): expected null, found {\"a\":[1,2],\"b\":{}}");
    }

    @Test
    void manyAllowedValuesAreCut() {
        String values = IntStream.range(0, 1_000)
                .mapToObj(i -> "\"value" + i + "\"")
                .collect(Collectors.joining(","));
        String message = report("{\"enum\":[" + values + "]}", "5");

        assertThat(message).startsWith("(root): expected one of \"value0\", \"value1\", ")
                .endsWith(", …, found 5")
                .hasSizeLessThan(350);
    }

    @Test
    void aValidValueHasNoMessage() {
        Violations none = JsonSchema.of(Json.of("true")).validate(Json.of("1"));

        assertThat(none.isEmpty()).isTrue();
        assertThat(none.total()).isZero();
        assertThat(none.first()).isEmpty();
        assertThat(none.message()).isEmpty();
    }

    private static String report(String schema, String value) {
        return JsonSchema.of(Json.of(schema)).validate(Json.of(value)).message();
    }

    @ParameterizedTest
    @ValueSource(strings = {"\"allOf\":[{\"required\":[\"a\"]}]", "\"dependentRequired\":{\"b\":[\"a\"]}",
        "\"anyOf\":[{\"required\":[\"a\"]},{\"required\":[\"c\"]}]", "\"minProperties\":2",
        "\"$ref\":\"#/$defs/r\""})
    void aFieldThatAnotherPartMayDemandIsNotToBeLeftOut(String demand) {
        String defs = ",\"$defs\":{\"r\":{\"required\":[\"a\"]}}}";
        String fields = "\"properties\":{\"a\":{\"type\":\"string\"}}";
        for (String schema : List.of("{" + fields + "," + demand + defs,
                "{\"allOf\":[{" + fields + "},{" + demand + "}]" + defs)) {
            assertThat(JsonSchema.of(Json.of(schema)).validate(Json.of("{\"a\":null,\"b\":1}")).message())
                    .as(schema)
                    .isEqualTo("/a: expected a string, found null");
        }
    }
}
