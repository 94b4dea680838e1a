package dev.belay.model.anthropic;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.json.Json;
import org.junit.jupiter.api.Test;

/** A structured answer is asked for in the part of JSON Schema that Anthropic takes. */
class OutputSchemaTest {

    @Test
    void aSchemaThatFitsIsNotTouched() {
        Json fits = Json
                .of("""
                        {"type": "object", "properties": {"a": {"type": "string", "format": "date"}, "b": {"$ref": "#/$defs/B"},
                         "c": {"type": "array", "items": {"enum": [1, 2]}, "minItems": 1}}, "required": ["a"],
                         "additionalProperties": false,
                         "$defs": {"B": {"type": "object", "properties": {}, "additionalProperties": false}}}""");
        assertThat(OutputSchema.of(fits)).isSameAs(fits);
    }

    @Test
    void objectsAreClosedEverywhere() {
        assertThat(OutputSchema.of(Json.of("""
                {"type":"object","properties":{"a":{"type":"array","items":{"type":"object"}},
                 "b":{"anyOf":[{"type":"object","additionalProperties":{"type":"string"}},{"type":"null"}]}},
                 "$defs":{"C":{"properties":{}}}}"""))).isEqualTo(Json.of("""
                {"type":"object","additionalProperties":false,"properties":{
                 "a":{"type":"array","items":{"type":"object","additionalProperties":false}},
                 "b":{"anyOf":[{"type":"object","additionalProperties":false},{"type":"null"}]}},
                 "$defs":{"C":{"properties":{},"additionalProperties":false}}}"""));
    }

    @Test
    void boundsBecomeWords() {
        assertThat(OutputSchema.of(Json.of("""
                {"type":"integer","minimum":1,"maximum":9,"description":"A number."}""")))
                .isEqualTo(Json.of("""
                        {"type":"integer","description":"A number. (minimum: 1, maximum: 9)"}"""));
        assertThat(OutputSchema.of(Json.of("{\"type\":\"string\",\"minLength\":2,\"format\":\"regex\"}")))
                .isEqualTo(Json.of(
                        "{\"type\":\"string\",\"description\":\"(minLength: 2, format: \\\"regex\\\")\"}"));
        assertThat(OutputSchema
                .of(Json.of("{\"type\":\"array\",\"items\":true,\"minItems\":2,\"uniqueItems\":true}")))
                .isEqualTo(Json.of(
                        "{\"type\":\"array\",\"items\":true,\"description\":\"(minItems: 2, uniqueItems: true)\"}"));
    }

    @Test
    void oneOfBecomesAnyOfAndRemarksAreDropped() {
        assertThat(OutputSchema.of(Json.of("""
                {"$schema":"https://json-schema.org/draft/2020-12/schema","$comment":"x","examples":[1],
                 "oneOf":[{"type":"string"},{"type":"integer","exclusiveMinimum":0}]}"""))).isEqualTo(
                Json.of("""
                        {"anyOf":[{"type":"string"},{"type":"integer","description":"(exclusiveMinimum: 0)"}]}"""));
    }
}
