package dev.belay.toolbox.file;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.json.Json;
import dev.belay.tool.ToolDefinition;
import dev.belay.tool.call.Arguments;
import dev.belay.tool.call.PrepareCall;
import dev.belay.tool.context.CallId;
import dev.belay.toolbox.Calls;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Other names of an edit's arguments, and patches: one form is recorded, shown and carried out. */
class EditFormTest {

    @TempDir
    Path root;

    private FileTools tools;
    private Calls files;

    @BeforeEach
    void open() {
        tools = FileTools.writing(root, FileRules.DEFAULT);
        files = new Calls(tools);
    }

    @Test
    void namesOfOtherToolsBecomeTheOneForm() throws Exception {
        Files.writeString(root.resolve("a.txt"), "one two two\n");
        assertThat(prepared("path", "./a.txt", "old_string", "one", "new_string", "1"))
                .isEqualTo(Json.of("{\"path\":\"a.txt\",\"find\":\"one\",\"replace\":\"1\"}"));
        assertThat(prepared("path", "a.txt", "old_string", "two", "new_string", "2", "replace_all", true))
                .isEqualTo(Json.of("{\"path\":\"a.txt\",\"find\":\"two\",\"replace\":\"2\",\"all\":true}"));
        assertThat(files.text("edit_file", "path", "a.txt", "old_string", "one", "new_string", ""))
                .isEqualTo("edited: a.txt, 9 bytes");
        assertThat(root.resolve("a.txt")).hasContent(" two two\n");
    }

    @Test
    void aPatchBecomesTheSmallestPieceOfLinesThatOccursOnce() throws Exception {
        Files.writeString(root.resolve("a.txt"), "a\nsame\nb\nsame\nc\n");
        assertThat(prepared("path", "a.txt", "patch", """
                --- a/a.txt
                +++ b/a.txt
                @@ -3,2 +3,2 @@ void head()
                 b
                -same
                +other
                """)).isEqualTo(
                Json.of("{\"path\":\"a.txt\",\"find\":\"b\\nsame\\nc\",\"replace\":\"b\\nother\\nc\"}"));
    }

    @Test
    void aPatchMayAddAndRemoveLinesAtEitherEnd() throws IOException {
        patched("b\nc\n", "@@ -1,1 +1,2 @@\n+a\n b\n", "a\nb\nc\n");
        patched("a\nb\n", "@@ -2 +2,2 @@\n b\n+c\n", "a\nb\nc\n");
        patched("a\nb\nc\n", "@@ -1,2 +1 @@\n-a\n b\n", "b\nc\n");
        patched("a\nb\nc\n", "@@\n b\n-c\n", "a\nb\n");
        patched("a\nb\n", "@@ -1,0 +2,1 @@\n+x\n", "a\nx\nb\n");
        patched("a\n\nb\n", "@@ -1,3 +1,3 @@\n-a\n+x\n\n b\n", "x\n\nb\n");
    }

    @Test
    void theEndOfTheFileMayLoseOrGetItsNewline() throws IOException {
        patched("a\nb", "@@ -2 +2 @@\n-b\n\\ No newline at end of file\n+b\n", "a\nb\n");
        patched("a\nb\n", "@@ -2 +2 @@\n-b\n+b\n\\ No newline at end of file\n", "a\nb");
        patched("a\nb", "@@ -1,2 +1,2 @@\n-a\n+x\n b\n\\ No newline at end of file\n", "x\nb");
    }

    @Test
    void numbersAreOnlyAHintAndSeveralHunksFollowEachOther() throws IOException {
        String text = "x\n".repeat(3) + "same\n" + "y\n".repeat(3) + "same\n" + "z\n".repeat(3);
        patched(text, "@@ -9,1 +9,1 @@\n-same\n+near\n", text.replaceFirst("(?s)(.*)same", "$1near"));
        patched(text, "@@ -4 +4 @@\n-same\n+1\n@@ -8 +8 @@\n-same\n+2\n",
                text.replaceFirst("same", "1").replaceFirst("same", "2"));
        patched("a\nb\n", "*** Begin Patch\n*** Update File: a.txt\n@@ class X\n-b\n+c\n*** End Patch\n",
                "a\nc\n");
        patched("a\nb\n", "-b\n+c\n", "a\nc\n");
    }

    @Test
    void linesOfAFileWithReturnsKeepThem() throws IOException {
        patched("a\r\nb\r\nc\r\n", "@@ -2 +2 @@\n-b\n+x\n+y\n", "a\r\nx\r\ny\r\nc\r\n");
    }

    @Test
    void whatAPatchDoesIsWhatItSaysForAnyTwoTexts() throws IOException {
        long seed = 36;
        var random = new Random(seed);
        for (int i = 0; i < 2_000; i++) {
            String before = text(random, 1 + random.nextInt(9));
            String after = text(random, random.nextInt(10));
            if (before.equals(after) || before.isEmpty()) {
                continue;
            }
            Files.writeString(root.resolve("a.txt"), before);
            String said = files.text("edit_file", "path", "a.txt", "patch",
                    LineDiff.unified("a.txt", before, after));
            assertThat(Files.readString(root.resolve("a.txt"))).as("seed %d, %d: %s", seed, i, said)
                    .isEqualTo(after);
        }
    }

    private static String text(Random random, int lines) {
        List<String> text = new ArrayList<>();
        for (int i = 0; i < lines; i++) {
            text.add(List.of("a", "b", "", " c").get(random.nextInt(4)));
        }
        String joined = String.join("\n", text);
        return random.nextInt(4) == 0 || joined.isEmpty() ? joined : joined + "\n";
    }

    @Test
    void whatDoesNotFitIsRefusedWithWordsForAModel() throws IOException {
        Files.writeString(root.resolve("a.txt"), "a\nsame\nsame\n");
        assertThat(refused("path", "a.txt"))
                .isEqualTo("Error (bad_edit): the edit of \"a.txt\" cannot be made: it needs"
                        + " find and replace; old_string and new_string, or a patch, are taken too. Nothing was changed");
        assertThat(refused("path", "a.txt", "find", "a", "old_string", "b", "replace", "c")).contains(
                "bad_edit",
                "find and old_string are one thing, and differ");
        assertThat(refused("path", "a.txt", "find", "a", "replace", "c", "patch", "@@\n-a\n+b\n")).contains(
                "bad_edit",
                "it has a patch and find, replace; send either");
        assertThat(refused("path", "a.txt", "patch", "@@ -1 +1 @@\n-b\n+c\n")).contains("text_not_found",
                "hunk 1 of the patch does not fit");
        assertThat(refused("path", "a.txt", "patch", "@@\n-same\n+c\n")).contains("text_not_unique",
                "2 times");
        assertThat(refused("path", "a.txt", "patch", "@@\n+c\n")).contains("text_not_found",
                "where it belongs");
        assertThat(refused("path", "a.txt", "patch", "@@ -99999999999 +1 @@\n+c\n"))
                .contains("text_not_found");
        assertThat(refused("path", "a.txt", "patch", "@@ -900 +1,0 @@\n+c\n")).contains("text_not_found");
        assertThat(refused("path", "a.txt", "patch", "Change a to b")).contains("bad_edit");
        assertThat(refused("path", "a.txt", "patch", "@@\n-a\nb\n")).contains("bad_edit",
                "line 3 of the patch begins with none of");
        assertThat(refused("path", "a.txt", "patch", "@@\n a\n")).contains("bad_edit", "changes nothing");
        assertThat(refused("path", "none.txt", "patch", "@@\n-a\n+b\n")).contains("path_not_found");
        assertThat(root.resolve("a.txt")).hasContent("a\nsame\nsame\n");
        Files.writeString(root.resolve("a.txt"), "");
        assertThat(refused("path", "a.txt", "patch", "@@ -0,0 +1 @@\n+c\n")).contains("bad_edit",
                "write_file writes it");
    }

    private String refused(Object... fields) {
        return files.text("edit_file", fields);
    }

    private void patched(String before, String patch, String after) throws IOException {
        Files.writeString(root.resolve("a.txt"), before);
        String said = files.text("edit_file", "path", "a.txt", "patch", patch);
        assertThat(Files.readString(root.resolve("a.txt"))).as(said).isEqualTo(after);
    }

    private Json prepared(Object... fields) throws Exception {
        ToolDefinition edit = tools.definitions()
                .stream()
                .filter(tool -> tool.name().equals("edit_file"))
                .findFirst()
                .orElseThrow();
        var call = new PrepareCall(edit, CallId.of(0, 0),
                Arguments.require(edit, Json.of(Calls.json(fields))));
        return Objects.requireNonNull(tools.prepare(call).replaced());
    }
}
