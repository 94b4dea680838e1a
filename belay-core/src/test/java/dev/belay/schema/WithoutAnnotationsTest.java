package dev.belay.schema;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.json.Json;
import org.junit.jupiter.api.Test;

class WithoutAnnotationsTest {

    @Test
    void everyAnnotationGoesAtEverySchemaPosition() {
        assertThat(
                strip("""
                        {"title":"t","description":"d","$comment":"c","deprecated":true,"type":"object",
                         "properties":{"a":{"description":"d","default":1,"examples":[1],"readOnly":true,"type":"integer"}},
                         "items":{"title":"t"},"allOf":[{"writeOnly":true}],"$defs":{"x":{"title":"t","minimum":1}},
                         "patternProperties":{"^t":{"title":"t"}},"additionalProperties":{"title":"t"},"not":{"title":"t"},
                         "dependentSchemas":{"title":{"title":"t"}}}"""))
                .isEqualTo(
                        """
                                {"type":"object","properties":{"a":{"type":"integer"}},"items":{},"allOf":[{}],"$defs":{"x":{"minimum":1}},"patternProperties":{"^t":{}},"additionalProperties":{},"not":{},"dependentSchemas":{"title":{}}}""");
    }

    @Test
    void propertiesCalledLikeAnnotationsStay() {
        assertThat(
                strip("""
                        {"properties":{"description":{"type":"string","description":"gone"},"title":true,"default":{}},"required":["title"]}"""))
                .isEqualTo(
                        """
                                {"properties":{"description":{"type":"string"},"title":true,"default":{}},"required":["title"]}""");
        assertThat(strip("{\"$defs\":{\"title\":{\"title\":\"t\"}}}"))
                .isEqualTo("{\"$defs\":{\"title\":{}}}");
    }

    @Test
    void constantsStayAsTheyAre() {
        assertThat(strip(
                "{\"enum\":[{\"title\":\"a\"}],\"const\":{\"description\":\"b\"},\"x-own\":{\"title\":\"c\"}}"))
                .isEqualTo(
                        "{\"enum\":[{\"title\":\"a\"}],\"const\":{\"description\":\"b\"},\"x-own\":{\"title\":\"c\"}}");
    }

    @Test
    void booleansStay() {
        assertThat(strip("true")).isEqualTo("true");
    }

    private static String strip(String schema) {
        return JsonSchema.of(Json.of(schema)).withoutAnnotations().text();
    }
}
