package dev.belay.tool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import dev.belay.json.Json;
import dev.belay.schema.Pattern;
import dev.belay.schema.SchemaException;
import dev.belay.schema.shape.UnsupportedTypeException;
import dev.belay.tool.call.Arguments;
import java.time.Duration;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Contract B.3: only local references, and a hostile schema cannot hang the declaration or a call. */
class HostileSchemaTest {

    @ParameterizedTest
    @ValueSource(strings = {"https://example.com/schema.json", "other.json#/a", "file:///etc/passwd",
        "#/nowhere"})
    void aReferenceThatIsNotLocalIsRefused(String reference) {
        assertThatThrownBy(() -> ToolDefinition.raw("hostile", "Hostile.",
                Json.of("{\"type\":\"object\",\"properties\":{\"a\":{\"$ref\":\"" + reference + "\"}}}")))
                .isInstanceOfSatisfying(SchemaException.class,
                        e -> assertThat(e.code()).isEqualTo("invalid_schema"))
                .hasMessageContaining("/properties/a/$ref")
                .hasMessageContaining(reference);
    }

    @Test
    void aSchemaThatRefersOnlyToItselfIsRefused() {
        assertThatThrownBy(() -> ToolDefinition.raw("hostile", "Hostile.",
                Json.of("{\"type\":\"object\",\"$ref\":\"#/$defs/a\",\"$defs\":{\"a\":{\"$ref\":\"#/$defs/b\"},"
                        + "\"b\":{\"$ref\":\"#/$defs/a\"}}}")))
                .isInstanceOf(SchemaException.class);
    }

    @Test
    void recursionThroughTheValueEnds() {
        var tree = ToolDefinition.raw("tree", "Takes a tree.",
                Json.of("{\"type\":\"object\",\"properties\":{\"next\":{\"$ref\":\"#\"}}}"));
        String deep = "{\"next\":".repeat(127) + "{}" + "}".repeat(127);
        assertThat(tree.arguments(deep)).isInstanceOf(Arguments.Valid.class);
    }

    @Test
    void doublingReferencesAreBounded() {
        String defs = IntStream.range(0, 60)
                .mapToObj(i -> "\"d" + i + "\":{\"allOf\":[{\"$ref\":\"#/$defs/d" + (i + 1)
                        + "\"},{\"$ref\":\"#/$defs/d" + (i + 1) + "\"}]}")
                .collect(Collectors.joining(","));
        var hostile = ToolDefinition.raw("hostile", "Hostile.", Json.of(
                "{\"type\":\"object\",\"$ref\":\"#/$defs/d0\",\"$defs\":{" + defs
                        + ",\"d60\":{\"type\":\"object\"}}}"));
        Arguments read = assertTimeoutPreemptively(Duration.ofSeconds(30),
                () -> hostile.arguments("{\"a\":1}"));
        assertThat(read).isInstanceOf(Arguments.Invalid.class);
    }

    @Test
    void aSchemaBeyondTheBoundsIsRefused() {
        assertThatThrownBy(() -> ToolDefinition.raw("big", "Big.",
                Json.of("{\"type\":\"object\",\"description\":\"" + "x".repeat(256 << 10) + "\"}")))
                .isInstanceOf(SchemaException.class)
                .hasMessageContaining("a schema may have at most 262144 bytes");
        assertThatThrownBy(() -> ToolDefinition.raw("deep", "Deep.",
                Json.of("{\"type\":\"object\",\"not\":" + "{\"not\":".repeat(64) + "{}" + "}".repeat(64)
                        + "}")))
                .isInstanceOf(SchemaException.class)
                .hasMessageContaining("a schema may have at most 64 levels");
    }

    @Test
    void aCatastrophicPatternOfARawSchemaIsGivenUp() {
        var hostile = ToolDefinition.raw("hostile", "Hostile.", Json.of(
                "{\"type\":\"object\",\"properties\":{\"a\":{\"type\":\"string\",\"pattern\":\"^(a|a)*$\"}}}"));
        Arguments read = assertTimeoutPreemptively(Duration.ofSeconds(30),
                () -> hostile.arguments("{\"a\":\"" + "a".repeat(5_000) + "b\"}"));
        assertThat(read).isInstanceOf(Arguments.Invalid.class);
    }

    record NoPattern(@Pattern("(a") String code) {}

    @Test
    void aPatternThatIsNoneIsRefusedWhereItIsDeclared() {
        assertThatThrownBy(() -> ToolDefinition.raw("hostile", "Hostile.",
                Json.of("{\"type\":\"object\",\"properties\":{\"a\":{\"pattern\":\"(a\"}}}")))
                .isInstanceOf(SchemaException.class)
                .hasMessageContaining("/properties/a/pattern");
        assertThatThrownBy(() -> ToolDefinition.typed(NoPattern.class, Void.class, "hostile", "Hostile."))
                .isInstanceOf(UnsupportedTypeException.class)
                .hasMessageStartingWith("NoPattern.code: @Pattern(\"(a\") is not a regular expression");
    }
}
