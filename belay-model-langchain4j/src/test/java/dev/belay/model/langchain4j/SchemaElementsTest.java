package dev.belay.model.langchain4j;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.json.Json;
import dev.langchain4j.model.chat.request.json.JsonAnyOfSchema;
import dev.langchain4j.model.chat.request.json.JsonArraySchema;
import dev.langchain4j.model.chat.request.json.JsonBooleanSchema;
import dev.langchain4j.model.chat.request.json.JsonEnumSchema;
import dev.langchain4j.model.chat.request.json.JsonIntegerSchema;
import dev.langchain4j.model.chat.request.json.JsonNumberSchema;
import dev.langchain4j.model.chat.request.json.JsonObjectSchema;
import dev.langchain4j.model.chat.request.json.JsonRawSchema;
import dev.langchain4j.model.chat.request.json.JsonReferenceSchema;
import dev.langchain4j.model.chat.request.json.JsonStringSchema;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Schemas reach LangChain4j whole, as elements where they fit and raw where they do not. */
class SchemaElementsTest {

    @Test
    void whatAnElementHoldsIsAnElement() {
        assertThat(SchemaElements.of(
                Json.of("""
                        {"type":"object","description":"d","additionalProperties":false,"required":["a"],"properties":{
                         "a":{"type":"string","description":"A"},"b":{"type":"integer"},"c":{"type":"number"},"d":{"type":"boolean"},
                         "e":{"type":"string","enum":["x","y"]},"f":{"type":"array","items":{"type":"string"}},
                         "g":{"anyOf":[{"type":"string"},{"type":"integer"}]},"h":{"$ref":"#/$defs/H"}},
                         "$defs":{"H":{"type":"object"}}}""")))
                .isEqualTo(JsonObjectSchema.builder()
                        .description("d")
                        .additionalProperties(false)
                        .required("a")
                        .addProperty("a", JsonStringSchema.builder().description("A").build())
                        .addProperty("b", new JsonIntegerSchema())
                        .addProperty("c", new JsonNumberSchema())
                        .addProperty("d", new JsonBooleanSchema())
                        .addProperty("e", JsonEnumSchema.builder().enumValues("x", "y").build())
                        .addProperty("f", JsonArraySchema.builder().items(new JsonStringSchema()).build())
                        .addProperty("g",
                                JsonAnyOfSchema.builder()
                                        .anyOf(new JsonStringSchema(), new JsonIntegerSchema())
                                        .build())
                        .addProperty("h", JsonReferenceSchema.builder().reference("H").build())
                        .definitions(Map.of("H", JsonObjectSchema.builder().build()))
                        .build());
    }

    @ParameterizedTest
    @ValueSource(strings = {
        "{\"type\":\"string\",\"minLength\":2}",
        "{\"type\":[\"string\",\"null\"]}",
        "{\"type\":\"integer\",\"minimum\":0}",
        "{\"type\":\"array\"}",
        "{\"type\":\"array\",\"items\":{\"type\":\"string\"},\"maxItems\":3}",
        "{\"type\":\"object\",\"additionalProperties\":{\"type\":\"string\"}}",
        "{\"type\":\"object\",\"minProperties\":1}",
        "{\"type\":\"string\",\"enum\":[\"a\",null]}",
        "{\"enum\":[\"a\"]}",
        "{\"const\":1}",
        "{\"$ref\":\"#\"}",
        "{\"$ref\":\"#/$defs/A/properties/b\"}",
        "{\"oneOf\":[{\"type\":\"string\"}]}",
        "{\"anyOf\":[]}",
        "{\"type\":\"string\",\"description\":7}",
        "{}",
        "true"
    })
    void whatNoElementHoldsIsRaw(String schema) {
        assertThat(SchemaElements.of(Json.of(schema))).isEqualTo(JsonRawSchema.from(schema));
    }

    @Test
    void parametersThatAreNoPlainObjectAreNotWhole() {
        SchemaElements.Parameters parameters = SchemaElements.parameters(
                Json.of("""
                        {"type":"object","properties":{"kind":{"type":"string"}},"oneOf":[{"required":["kind"]}]}"""));
        assertThat(parameters.isWhole()).isFalse();
        assertThat(parameters.schema())
                .isEqualTo(JsonObjectSchema.builder().addStringProperty("kind").build());
        assertThat(SchemaElements.parameters(Json.of("{\"type\":\"object\"}")).isWhole()).isTrue();
    }

    @Test
    void whatParametersCannotHoldIsSaidInTheDescription() {
        Json schema = Json.of("{\"type\":\"object\",\"oneOf\":[{\"required\":[\"a\"]}]}");
        var request = dev.belay.model.ModelRequest
                .builder(java.util.List.of(dev.belay.model.Message.user("go")))
                .tools(java.util.List.of(new dev.belay.model.ToolSpec("t", "Does.", schema)))
                .build();
        assertThat(ChatRequests.of(request, "p").toolSpecifications().getFirst().description())
                .isEqualTo("Does.\n\nThe arguments must satisfy this JSON Schema: " + schema.text());
    }
}
