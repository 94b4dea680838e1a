package dev.belay.tool.context;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.belay.json.Json;
import dev.belay.tool.StaticToolProvider;
import dev.belay.tool.ToolCaller;
import dev.belay.tool.ToolDefinition;
import dev.belay.tool.ToolOutcome;
import dev.belay.tool.context.Attachments.Reference;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Contract T.4: a reference is plain data that a tool may return and take. */
class AttachmentsTest {

    private static final String HASH = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
    private static final Reference ABC = new Reference(HASH, "text/plain", 3);
    private static final String JSON = "{\"hash\":\"" + HASH + "\",\"mediaType\":\"text/plain\",\"size\":3}";

    record Show(Reference file) {}

    private static ToolOutcome show(String arguments) {
        var tools = StaticToolProvider.builder()
                .tool(ToolDefinition.typed(Show.class, Reference.class, "show", "Shows a file."),
                        Show.class, (in, context) -> in.file())
                .build();
        return ToolCaller.of(tools).call("show", arguments);
    }

    @Test
    void aReferenceIsAnObjectAsInputAndAsOutput() {
        assertThat(show("{\"file\":" + JSON + "}")).isEqualTo(new ToolOutcome.Success(Json.of(JSON)));
    }

    @Test
    void theModelIsToldEverythingThatIsWrongWithAReference() {
        assertThat(show("{\"file\":{\"hash\":\"ABC\",\"mediaType\":\"png\",\"size\":0}}"))
                .isInstanceOfSatisfying(ToolOutcome.Failure.class, failure -> {
                    assertThat(failure.failure().code()).isEqualTo("invalid_arguments");
                    assertThat(failure.failure().message()).contains("/file/hash", "/file/mediaType",
                            "/file/size");
                });
    }

    @ParameterizedTest
    @ValueSource(strings = {"text/plain", "image/svg+xml", "application/vnd.ms-excel",
        "text/plain; charset=utf-8", "text/html;charset=\"utf-8\"", "a/b"})
    void mediaTypesAreTaken(String type) {
        assertThat(new Reference(HASH, type, 1).mediaType()).isEqualTo(type);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "png", "/png", "image/", "image /png", "image/png\n", "image/png;\u0000",
        "bild/größe", "a/b/c"})
    void otherMediaTypesAreRefusedWithTheirText(String type) {
        assertThatThrownBy(() -> new Reference(HASH, type, 1)).isInstanceOf(IllegalArgumentException.class)
                .hasMessageContainingAll("type/subtype", "\"" + type + "\"");
        assertThatThrownBy(() -> new Reference(HASH, "a/" + "b".repeat(199), 1))
                .hasMessageContaining("at most 200");
    }

    @ParameterizedTest
    @CsvSource({"-1", "0", "67108865"})
    void sizesThatNoAttachmentHasAreRefused(long size) {
        assertThatThrownBy(() -> new Reference(HASH, "a/b", size))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContainingAll("1 to 67108864", "found " + size);
    }

    @Test
    void hashesAreLowerCase() {
        for (String hash : List.of("", HASH.substring(1), HASH.toUpperCase(java.util.Locale.ROOT), HASH + "0",
                HASH + "\n")) {
            assertThatThrownBy(() -> new Reference(hash, "a/b", 1))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("64 lower-case hexadecimal digits");
        }
        assertThat(ABC).isEqualTo(new Reference(HASH, "text/plain", 3));
    }
}
