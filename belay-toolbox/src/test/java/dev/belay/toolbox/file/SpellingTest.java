package dev.belay.toolbox.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.belay.json.Json;
import dev.belay.tool.ToolDefinition;
import dev.belay.tool.ToolException;
import dev.belay.tool.call.Arguments;
import dev.belay.tool.call.PrepareCall;
import dev.belay.tool.call.PreparedCall;
import dev.belay.tool.context.CallId;
import dev.belay.tool.context.IdempotencyKey;
import dev.belay.tool.context.Incarnation;
import dev.belay.toolbox.Calls;
import dev.belay.toolbox.KeyedContext;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A prepared call names its file in one way, and its body touches that file or none. */
class SpellingTest {

    private static final List<Map<String, Object>> CALLS = List.of(
            Map.of("tool", "read_file"), Map.of("tool", "list_dir"),
            Map.of("tool", "glob", "pattern", "*"), Map.of("tool", "grep", "pattern", "x"),
            Map.of("tool", "write_file", "content", "new"),
            Map.of("tool", "edit_file", "find", "old", "replace", "new"));

    @TempDir
    Path root;

    private FileTools tools;

    @BeforeEach
    void open() throws IOException {
        Files.createDirectory(root.resolve("prod"));
        Files.writeString(root.resolve("prod/config.yml"), "old");
        Files.createSymbolicLink(root.resolve("linked"), Path.of("prod"));
        Files.createSymbolicLink(root.resolve("prod/link.yml"), Path.of("config.yml"));
        tools = FileTools.writing(root, FileRules.DEFAULT);
    }

    private List<String> spellings() throws IOException {
        return List.of("prod/config.yml", "./prod/config.yml", "prod/./config.yml", "prod//config.yml",
                "prod/config.yml/", "prod/../prod/config.yml", "linked/config.yml", "prod/link.yml",
                "linked/link.yml", root.resolve("prod/config.yml").toString(),
                root.toRealPath().resolve("linked/link.yml").toString());
    }

    @Test
    void everySpellingOfAFileBecomesTheNamesFromTheRoot() throws Exception {
        for (Map<String, Object> call : CALLS) {
            for (String spelling : spellings()) {
                assertThat(spelled(call, spelling)).as("%s of %s", call.get("tool"), spelling)
                        .isEqualTo("prod/config.yml");
            }
        }
    }

    @Test
    void everySpellingOfANewFileBecomesTheNamesFromTheRoot() throws Exception {
        for (String spelling : List.of("prod/new/a.txt", "./prod/new/a.txt", "prod/new/./a.txt",
                "prod/new//a.txt/",
                "linked/new/a.txt", root + "/linked/./new/a.txt")) {
            assertThat(spelled(CALLS.get(4), spelling)).as(spelling).isEqualTo("prod/new/a.txt");
        }
    }

    @Test
    void theRootIsADotHoweverItIsNamed() throws Exception {
        for (String spelling : new @Nullable String[]{".", "./", "prod/..", root.toString(), null}) {
            assertThat(spelled(Map.of("tool", "list_dir"), spelling)).as(spelling).isEqualTo(".");
        }
    }

    @Test
    void aLinkThatTakesThePlaceOfAPreparedFileIsNotFollowed() throws Exception {
        Files.writeString(root.resolve("prod/other.yml"), "old");
        List<PreparedCall> prepared = new ArrayList<>();
        for (Map<String, Object> call : CALLS) {
            prepared.add(prepared(tools, call, "prod/config.yml"));
        }
        Files.delete(root.resolve("prod/config.yml"));
        Files.createSymbolicLink(root.resolve("prod/config.yml"), Path.of("other.yml"));
        for (PreparedCall call : prepared) {
            assertThatThrownBy(() -> tools.execute(call)).as(call.name())
                    .isInstanceOfSatisfying(ToolException.class,
                            e -> assertThat(e.code()).isEqualTo("prepared_tool_mismatch"));
        }
        assertThat(root.resolve("prod/other.yml")).hasContent("old");
    }

    @Test
    void aCallThatWasPreparedForAnotherWorkspaceIsNotRun(@TempDir Path other) throws Exception {
        Files.createDirectory(other.resolve("prod"));
        Files.writeString(other.resolve("prod/config.yml"), "old");
        FileTools there = FileTools.writing(other, FileRules.DEFAULT);
        for (Map<String, Object> call : CALLS) {
            PreparedCall prepared = prepared(tools, call, "prod/config.yml");
            assertThatThrownBy(() -> there.execute(prepared)).as(prepared.name())
                    .hasMessageContaining("another workspace")
                    .isInstanceOfSatisfying(ToolException.class,
                            e -> assertThat(e.code()).isEqualTo("prepared_tool_mismatch"));
        }
        assertThat(other.resolve("prod/config.yml")).hasContent("old");
    }

    /** 4 KiB that an edit would turn into 4 GB, which no array holds. */
    @Test
    void anEditThatWouldBeTooLargeIsCountedAndNotBuilt() throws Exception {
        Files.writeString(root.resolve("a.txt"), "a".repeat(4096));
        String insert = "b".repeat(1_000_000);
        Calls files = new Calls(tools);
        assertThat(files.text("edit_file", "path", "a.txt", "find", "a", "replace", insert, "all", true))
                .isEqualTo(
                        "Error (file_too_large): \"a.txt\" would have 4096000000 bytes; files of at most 8388608 bytes "
                                + "can be written. Nothing was changed");
        assertThat(Files.size(root.resolve("a.txt"))).isEqualTo(4096);
    }

    @Test
    void aFileThatWouldBeTooLargeIsNotWritten() {
        Calls files = new Calls(FileTools.writing(root, FileRules.DEFAULT.largestEdit(10)));
        assertThat(files.code("write_file", "path", "b.txt", "content", "12345678901"))
                .isEqualTo("file_too_large");
        assertThat(root.resolve("b.txt")).doesNotExist();
        assertThat(files.text("write_file", "path", "b.txt", "content", "1234567890"))
                .isEqualTo("written: b.txt, 10 bytes");
    }

    private String spelled(Map<String, Object> call, @Nullable String path) throws Exception {
        return prepared(tools, call, path).arguments().get("path").orElseThrow().asString();
    }

    private static PreparedCall prepared(FileTools tools, Map<String, Object> call, @Nullable String path)
            throws Exception {
        ToolDefinition definition = tools.definitions()
                .stream()
                .filter(found -> found.name().equals(call.get("tool")))
                .findFirst()
                .orElseThrow();
        List<Object> fields = new ArrayList<>();
        call.forEach((name, value) -> {
            if (!name.equals("tool")) {
                fields.addAll(List.of(name, value));
            }
        });
        if (path != null) {
            fields.addAll(List.of("path", path));
        }
        var key = IdempotencyKey.of(new IdempotencyKey.Place(Incarnation.random(), 0, 0, 0), definition.id());
        Arguments.Valid valid = Arguments.require(definition, Json.of(Calls.json(fields.toArray())));
        PrepareCall.Prepared prepared = tools.prepare(new PrepareCall(definition, CallId.of(0, 0), valid));
        Json replaced = Objects.requireNonNullElse(prepared.replaced(), valid.json());
        return new PreparedCall(definition, Arguments.require(definition, replaced), prepared.payload(),
                new KeyedContext(key));
    }
}
