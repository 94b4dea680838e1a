package dev.belay.toolbox;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.json.Json;
import dev.belay.tool.ToolDefinition;
import dev.belay.tool.call.RecordedCall;
import dev.belay.toolbox.command.CommandRules;
import dev.belay.toolbox.file.FileRules;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Text that cannot be seen reaches neither a person who approves nor, unless a rule says so, a model. */
class HiddenTextTest {

    /** One of each kind: control, C1, bidi, without width, tag, variation, Hangul filler, musical, shorthand, separator. */
    private static final int[] HIDDEN = {0x1b, 0x9b, 0x202e, 0x200b, 0xe0041, 0xfe0f, 0xe0100, 0x3164, 0x1160,
        0x1d173, 0x1bca0, 0x2028, 0x2066, 0xfeff, 0x2800, 0x0d};

    @TempDir
    Path root;

    private Calls tools;

    @BeforeEach
    void open() {
        tools = new Calls(Toolbox.in(root).notes().writeFiles().commands().build());
    }

    @Test
    void noPreviewHidesText() throws IOException {
        Path project = Files.createDirectories(root.resolve(".belay/tools"));
        Path script = Files.writeString(project.resolve("run"), "#!/bin/sh\n");
        assertThat(script.toFile().setExecutable(true)).isTrue();
        Files.writeString(project.resolve("t.json"), """
                {"name": "own", "description": "Runs.", "command": ["run"], "input": {"type": "object"}}
                """);
        for (Path path : new Path[]{project, script, project.resolve("t.json")}) {
            assertThat(path.toFile().setWritable(false, false)).isTrue();
        }
        Toolbox all = Toolbox.in(root).basics().notes().writeFiles().commands().http().projectTools().build();
        assertThat(all.definitions()).hasSize(13);
        for (ToolDefinition tool : all.definitions()) {
            RecordedCall.Preview preview = tool.preview().orElseThrow();
            for (int c : HIDDEN) {
                String shown = preview.of(arguments("x" + Character.toString(c) + "y"));
                assertThat(shown.codePoints().filter(each -> each == c)).as("%s U+%04X", tool.name(), c)
                        .isEmpty();
            }
        }
    }

    /** Arguments with a text in every field that a tool of the toolbox has. */
    private static Json arguments(String text) {
        Map<String, Json> fields = new LinkedHashMap<>();
        for (String field : new String[]{"text", "a", "b", "note", "query", "path", "pattern", "files",
            "content",
            "find", "replace", "command", "url"}) {
            fields.put(field, Json.string(text));
        }
        return Json.object(fields);
    }

    @Test
    void newlineInAFileNameForgesNoLine() throws IOException {
        Files.writeString(root.resolve("a\nb.txt:7: found"), "found\n");
        assertThat(tools.text("list_dir")).isEqualTo("a<U+000A>b.txt:7: found\n");
        assertThat(tools.text("glob", "pattern", "a*")).isEqualTo("a<U+000A>b.txt:7: found\n");
        assertThat(tools.text("grep", "pattern", "found")).isEqualTo("a<U+000A>b.txt:7: found:1: found\n");
        assertThat(tools.text("write_file", "path", "a\n[protected", "content", ""))
                .isEqualTo("written: a<U+000A>[protected, 0 bytes");
    }

    @Test
    void outputMarksControlAndBidiCharacters() throws IOException {
        Files.writeString(root.resolve("a.txt"), "red \u001b[31m and \u202eturned\r\nnext\n");
        String marked = "red <U+001B>[31m and <U+202E>turned";
        assertThat(tools.text("read_file", "path", "a.txt")).isEqualTo(marked + "\r\nnext\n");
        assertThat(tools.text("grep", "pattern", "red")).isEqualTo("a.txt:1: " + marked + "\n");
        assertThat(tools.text("run_command", "command", "cat a.txt; cat a.txt >&2"))
                .isEqualTo(marked + "\r\nnext\n[stderr]\n" + marked + "\r\nnext\n");
        assertThat(tools.text("session_note_append", "note", "n\u202ex")).isEqualTo("note appended");
        assertThat(tools.text("session_note_search", "query", "n")).isEqualTo("n<U+202E>x");
    }

    @Test
    void ruleShowsOutputAsItIs() throws IOException {
        String text = "red \u001b[31m and \u202eturned\n";
        Files.writeString(root.resolve("a.txt"), text);
        Files.writeString(root.resolve("b\n.txt"), text);
        Calls raw = new Calls(Toolbox.in(root)
                .readFiles(FileRules.DEFAULT.rawText())
                .commands(CommandRules.DEFAULT.rawText())
                .build());
        assertThat(raw.text("read_file", "path", "a.txt")).isEqualTo(text);
        assertThat(raw.text("grep", "pattern", "red"))
                .isEqualTo("a.txt:1: " + text + "b<U+000A>.txt:1: " + text);
        assertThat(raw.text("run_command", "command", "cat a.txt")).isEqualTo(text);
    }

    @Test
    void textThatLooksLikeAMarkIsMarked() throws IOException {
        Files.writeString(root.resolve("a.txt"), "<U+202E>\n");
        assertThat(tools.text("read_file", "path", "a.txt")).isEqualTo("<U+003C>U+202E>\n");
    }

    @Test
    void editSaysHowToSendAMarkedCharacter() throws IOException {
        Files.writeString(root.resolve("a.txt"), "page\fpage\n");
        assertThat(tools.text("edit_file", "path", "a.txt", "find", "page<U+000C>", "replace", ""))
                .contains("a character that is shown as <U+000C> must be sent as \\u000c, itself");
        assertThat(tools.text("edit_file", "path", "a.txt", "find", "page\f", "replace", ""))
                .isEqualTo("edited: a.txt, 5 bytes");
    }
}
