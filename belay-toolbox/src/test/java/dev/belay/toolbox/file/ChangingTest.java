package dev.belay.toolbox.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

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
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Keeps the promises of writes: whole or not at all, permissions kept, refused if the file changed meanwhile. */
class ChangingTest {

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
    void writeMakesFileAndDirectories() throws IOException {
        assertThat(files.text("write_file", "path", "a/b/c.txt", "content", "hé\n"))
                .isEqualTo("written: a/b/c.txt, 4 bytes");
        assertThat(root.resolve("a/b/c.txt")).hasContent("hé\n");
        assertThat(names()).containsExactly("a", "a/b", "a/b/c.txt");
    }

    @Test
    void writeReplacesAndKeepsPermissions() throws IOException {
        Path script = root.resolve("run.sh");
        Files.writeString(script, "old");
        Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwxr-x--x"));
        assertThat(files.text("write_file", "path", "run.sh", "content", "new"))
                .isEqualTo("written: run.sh, 3 bytes");
        assertThat(script).hasContent("new");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(script)))
                .isEqualTo("rwxr-x--x");
        assertThat(names()).containsExactly("run.sh");
    }

    @Test
    void writeBelowAFileNamesTheFile() throws IOException {
        Files.writeString(root.resolve("a.txt"), "x");
        Files.createSymbolicLink(root.resolve("b"), Path.of("a.txt"));
        for (String path : List.of("a.txt/x", "a.txt/x/y", "b/x")) {
            assertThat(files.text("write_file", "path", path, "content", "y")).isEqualTo(
                    "Error (not_a_directory): \"" + path + "\" cannot exist, because \"a.txt\" is not a"
                            + " directory; use a path that does not go through it");
        }
        assertThat(root.resolve("a.txt")).hasContent("x");
    }

    @Test
    void writeThroughAMissingDirectoryIsRefused() throws IOException {
        assertThat(files.code("write_file", "path", "no/../x.txt", "content", "x"))
                .isEqualTo("path_not_found");
        Files.writeString(root.resolve("file"), "x");
        Files.createSymbolicLink(root.resolve("link"), Path.of("nowhere"));
        assertThat(files.text("write_file", "path", "link/x.txt", "content", "x"))
                .isEqualTo("Error (bad_path): \"link/x.txt\" cannot be a path: a link in it leads nowhere");
        assertThat(files.code("write_file", "path", ".", "content", "x")).isEqualTo("not_a_file");
        assertThat(root.resolve("file")).hasContent("x");
    }

    @Test
    void editReplacesExactlyOnce() throws IOException {
        Path file = root.resolve("a.txt");
        Files.writeString(file, "one two two\nthree\n");
        assertThat(files.text("edit_file", "path", "a.txt", "find", "one", "replace", "1"))
                .isEqualTo("edited: a.txt, 16 bytes");
        assertThat(files.text("edit_file", "path", "a.txt", "find", "two", "replace", "2"))
                .startsWith("Error (text_not_unique): the text to find occurs 2 times in \"a.txt\"");
        assertThat(files.text("edit_file", "path", "a.txt", "find", "four", "replace", "4"))
                .startsWith("Error (text_not_found)");
        assertThat(file).hasContent("1 two two\nthree\n");
        assertThat(files.text("edit_file", "path", "a.txt", "find", "two", "replace", "", "all", true))
                .isEqualTo("edited: a.txt, 10 bytes");
        assertThat(file).hasContent("1  \nthree\n");
    }

    @Test
    void editTakesReplacementsAsTheyAre() throws IOException {
        Files.writeString(root.resolve("a.txt"), "x");
        files.text("edit_file", "path", "a.txt", "find", "x", "replace", "$1 \\ .*");
        assertThat(root.resolve("a.txt")).hasContent("$1 \\ .*");
    }

    @Test
    void editSaysWhenLinesEndOtherwise() throws IOException {
        Files.writeString(root.resolve("dos.txt"), "a\r\nb\r\n");
        assertThat(files.text("edit_file", "path", "dos.txt", "find", "a\nb", "replace", "c"))
                .contains("the lines of this file end with \\r\\n");
    }

    @Test
    void editOfWhatIsNotTextIsRefused() throws IOException {
        byte[] latin = {'a', (byte) 0xe4};
        Files.write(root.resolve("latin"), latin);
        assertThat(files.code("edit_file", "path", "latin", "find", "a", "replace", "b"))
                .isEqualTo("not_text");
        assertThat(root.resolve("latin")).hasBinaryContent(latin);
        assertThat(files.code("edit_file", "path", "none", "find", "a", "replace", "b"))
                .isEqualTo("path_not_found");
    }

    @Test
    void changeSinceThePreparationIsRefused() throws Exception {
        Path file = root.resolve("a.txt");
        Files.writeString(file, "one");
        PreparedCall edit = prepared("edit_file", "path", "a.txt", "find", "one", "replace", "two");
        PreparedCall write = prepared("write_file", "path", "new.txt", "content", "mine");
        Files.writeString(file, "one and more");
        Files.writeString(root.resolve("new.txt"), "somebody else's");
        assertThat(codeOf(() -> tools.execute(edit))).isEqualTo("prepared_tool_mismatch");
        assertThat(codeOf(() -> tools.execute(write))).isEqualTo("prepared_tool_mismatch");
        assertThat(file).hasContent("one and more");
        assertThat(root.resolve("new.txt")).hasContent("somebody else's");
        Files.delete(file);
        assertThatThrownBy(() -> tools.execute(edit)).hasMessageContaining("has vanished");
    }

    @Test
    void repeatedAttemptFindsItselfDone() throws Exception {
        Path file = root.resolve("a.txt");
        Files.writeString(file, "one");
        PreparedCall edit = prepared("edit_file", "path", "a.txt", "find", "one", "replace", "one and one");
        assertThat(tools.execute(edit)).isEqualTo("edited: a.txt, 11 bytes");
        assertThat(tools.execute(edit)).isEqualTo("edited: a.txt, 11 bytes");
        assertThat(file).hasContent("one and one");
    }

    @Test
    void failureBeforeTheMoveLeavesNothing() throws Exception {
        Path file = root.resolve("a.txt");
        Files.writeString(file, "old");
        for (String name : new String[]{"a.txt", "b.txt"}) {
            Calls failing = during(name, () -> {
                assertThat(names()).as("the temporary file").anyMatch(left -> left.startsWith(".belay-"));
                throw new IOException("the disk is full");
            });
            assertThat(failing.text("write_file", "path", name, "content", "new")).isEqualTo(
                    "Error (file_failed): \"" + name + "\" could not be used: the disk is full");
        }
        assertThat(names()).containsExactly("a.txt");
        assertThat(file).hasContent("old");
    }

    @Test
    void changeWhileWritingIsRefused() throws Exception {
        Path file = root.resolve("a.txt");
        Files.writeString(file, "old");
        Calls late = during("a.txt", () -> {
            Files.writeString(file, "somebody was faster");
            return null;
        });
        assertThat(late.code("write_file", "path", "a.txt", "content", "new"))
                .isEqualTo("prepared_tool_mismatch");
        assertThat(file).hasContent("somebody was faster");
        assertThat(names()).containsExactly("a.txt");
    }

    @Test
    void leftoverOfACrashIsRemovedByTheNextAttempt() throws Exception {
        PreparedCall write = prepared("write_file", "path", "a.txt", "content", "new");
        Path leftover = root
                .resolve(".belay-" + write.context().idempotencyKey().value().substring(0, 24) + ".tmp");
        Files.writeString(leftover, "ne");
        tools.execute(write);
        assertThat(names()).containsExactly("a.txt");
        assertThat(root.resolve("a.txt")).hasContent("new");
    }

    @Test
    void readersNeverSeeAPart() throws Exception {
        String a = "a".repeat(1 << 18);
        String b = "b".repeat(1 << 18);
        Path file = root.resolve("big.txt");
        Files.writeString(file, a);
        List<String> said = new CopyOnWriteArrayList<>();
        Thread writer = Thread.ofVirtual().start(() -> {
            for (int round = 0; round < 40; round++) {
                said.add(files.text("write_file", "path", "big.txt", "content", round % 2 == 0 ? b : a));
            }
        });
        int seen = 0;
        while (writer.isAlive() || seen == 0) {
            String text = Files.readString(file);
            assertThat(text.equals(a) || text.equals(b)).isTrue();
            seen++;
        }
        writer.join();
        assertThat(said).as("every write was made").hasSize(40).noneMatch(text -> text.startsWith("Error"));
        assertThat(file).hasContent(a);
    }

    @Test
    void previewOfAChangeOfAFileIsAUnifiedDiffOfItsWholeContent() throws IOException {
        Files.writeString(root.resolve("a.txt"), "1\n2\n3\n4\n5\nold\n7\n8\n9\n10\n11\n");
        String diff = """
                --- a.txt
                +++ a.txt
                @@ -3,7 +3,8 @@
                 3
                 4
                 5
                -old
                +new
                +er
                 7
                 8
                 9
                """;
        assertThat(preview("edit_file", "path", "a.txt", "find", "old", "replace", "new\ner"))
                .isEqualTo(diff);
        assertThat(preview("write_file", "path", "a.txt", "content",
                "1\n2\n3\n4\n5\nnew\ner\n7\n8\n9\n10\n11\n")).as("what is overwritten is shown")
                .isEqualTo(diff);
        assertThat(preview("edit_file", "path", "a.txt", "find", "none", "replace", "x"))
                .as("it will fail; its arguments are shown")
                .isEqualTo("--- a.txt\n+++ a.txt\n-none\n+x\n");
    }

    @Test
    void previewOfANewFileHasOneLineForEachOfItsLines() {
        assertThat(preview("write_file", "path", "new.txt", "content", "one\ntwo\n"))
                .isEqualTo("--- new.txt\n+++ new.txt\n+one\n+two\n");
        assertThat(preview("write_file", "path", "new.txt", "content", "one\n\n"))
                .isEqualTo("--- new.txt\n+++ new.txt\n+one\n+\n");
        assertThat(preview("write_file", "path", "new.txt", "content", ""))
                .isEqualTo("--- new.txt\n+++ new.txt\n");
    }

    @Test
    void previewShowsThatTheNewlineAtTheEndGoes() throws IOException {
        Files.writeString(root.resolve("a.txt"), "one\ntwo\n");
        assertThat(preview("write_file", "path", "a.txt", "content", "one\ntwo")).isEqualTo("""
                --- a.txt
                +++ a.txt
                @@ -1,2 +1,2 @@
                 one
                -two
                +two
                \\ No newline at end of file
                """);
        Files.writeString(root.resolve("a.txt"), "");
        assertThat(preview("write_file", "path", "a.txt", "content", "one\n"))
                .isEqualTo("--- a.txt\n+++ a.txt\n@@ -0,0 +1,1 @@\n+one\n");
    }

    @Test
    void previewIsADiffThatHidesNothing() {
        assertThat(preview("edit_file", "path", "a.txt", "find", "x\nold\nz", "replace", "x\nnew\u0007\nz"))
                .isEqualTo(
                        "--- a.txt\n+++ a.txt\n x\n-old\n+new<U+0007>\n z\n");
        assertThat(preview("edit_file", "path", "a.txt", "find", "x", "replace", "", "all", true))
                .isEqualTo("every occurrence\n--- a.txt\n+++ a.txt\n-x\n");
        assertThat(preview("write_file", "path", "b\n.txt", "content", "one\ntwo\u202e")).isEqualTo(
                "--- b<U+000A>.txt\n+++ b<U+000A>.txt\n+one\n+two<U+202E>\n\\ No newline at end of file\n");
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void directoriesAreMadeWhereTheRootIsOnAnotherDevice(boolean held) throws IOException {
        Calls mounted = new Calls(
                FileTools.of(otherDevice(held), FileRules.DEFAULT, Thread.ofVirtual().factory(), true));
        Files.createDirectory(root.resolve("mount"));
        assertThat(mounted.text("write_file", "path", "mount/a/b/c.txt", "content", "x"))
                .isEqualTo("written: mount/a/b/c.txt, 1 bytes");
        assertThat(names()).containsExactly("mount", "mount/a", "mount/a/b", "mount/a/b/c.txt");
    }

    @Test
    void directoriesAreMadeBelowARealMountPoint() throws IOException {
        Path device = Path.of("/dev");
        Path mount = Path.of("/dev/shm");
        assumeTrue(Files.isWritable(device) && Files.isWritable(mount)
                && !Files.getFileStore(device).equals(Files.getFileStore(mount)),
                "needs a writable mount point below a writable directory: /dev/shm below /dev");
        Path made = Files.createTempDirectory(mount, "belay-");
        Calls mounted = new Calls(FileTools.writing(device, FileRules.DEFAULT));
        try {
            String path = device.relativize(made) + "/a/b/c.txt";
            assertThat(mounted.text("write_file", "path", path, "content", "x"))
                    .isEqualTo("written: " + path + ", 1 bytes");
            assertThat(made.resolve("a/b/c.txt")).hasContent("x");
        } finally {
            for (String name : new String[]{"a/b/c.txt", "a/b", "a", ""}) {
                Files.deleteIfExists(made.resolve(name));
            }
        }
    }

    @Test
    void directoryIsNotMadeWhereAPathIsLedElsewhere(@TempDir Path elsewhere) throws IOException {
        Files.createDirectory(root.resolve("mount"));
        Workspace.Interlude swap = new Workspace.Interlude() {

            @Override
            public void before(String path) {}

            @Override
            public void beforeDirectory() throws IOException {
                Files.move(root.resolve("mount"), root.resolve("away"));
                Files.createSymbolicLink(root.resolve("mount"), elsewhere);
                throw new AtomicMoveNotSupportedException("a", "b", "Invalid cross-device link");
            }
        };
        Workspace workspace = new Workspace(root, new SecretNames(FileRules.DEFAULT), true, swap);
        Calls led = new Calls(FileTools.of(workspace, FileRules.DEFAULT, Thread.ofVirtual().factory(), true));
        assertThat(led.text("write_file", "path", "mount/a/b.txt", "content", "x"))
                .startsWith("Error (path_changed)");
        assertThat(elsewhere).isEmptyDirectory();
        assertThat(root.resolve("away")).isEmptyDirectory();
    }

    private Workspace otherDevice(boolean held) throws IOException {
        return new Workspace(root, new SecretNames(FileRules.DEFAULT), held, new Workspace.Interlude() {

            @Override
            public void before(String path) {}

            @Override
            public void beforeDirectory() throws IOException {
                throw new AtomicMoveNotSupportedException("a", "b", "Invalid cross-device link");
            }
        });
    }

    @Test
    void fileThatIsMountedAloneSaysSoAndStays() throws Exception {
        Files.writeString(root.resolve("a.txt"), "old");
        Calls busy = during("a.txt", () -> {
            throw new FileSystemException("a.txt", null, "Device or resource busy");
        });
        assertThat(busy.text("write_file", "path", "a.txt", "content", "new"))
                .startsWith(
                        "Error (file_failed): \"a.txt\" cannot be replaced, because it is mounted as a file of its own");
        assertThat(root.resolve("a.txt")).hasContent("old");
        assertThat(names()).containsExactly("a.txt");
    }

    @Test
    void readOnlyFileIsNotReplaced() throws Exception {
        Path file = Files.writeString(root.resolve("a.txt"), "old");
        PreparedCall late = prepared("write_file", "path", "a.txt", "content", "new");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("r--r--r--"));
        assertThat(codeOf(() -> tools.execute(late))).isEqualTo("read_only_file");
        assertThat(codeOf(() -> prepared("write_file", "path", "a.txt", "content", "new")))
                .isEqualTo("read_only_file");
        assertThat(files.text("edit_file", "path", "a.txt", "find", "old", "replace", "new")).isEqualTo(
                "Error (read_only_file): \"a.txt\" is read-only, so nothing was written; write to another file, "
                        + "or ask the user to make it writable");
        assertThat(file).hasContent("old");
        assertThat(names()).containsExactly("a.txt");
    }

    private String preview(String tool, Object... fields) {
        return definition(tool).preview().orElseThrow().of(Json.of(Calls.json(fields)));
    }

    private ToolDefinition definition(String tool) {
        return tools.definitions()
                .stream()
                .filter(found -> found.name().equals(tool))
                .findFirst()
                .orElseThrow();
    }

    private PreparedCall prepared(String tool, Object... fields) throws Exception {
        ToolDefinition definition = definition(tool);
        var valid = (Arguments.Valid) definition.arguments(Calls.json(fields));
        var prepared = tools.prepare(new PrepareCall(definition, CallId.of(0, 0), valid));
        var key = IdempotencyKey.of(new IdempotencyKey.Place(Incarnation.random(), 0, 0, 0), definition.id());
        return new PreparedCall(definition, valid, prepared.payload(), new KeyedContext(key));
    }

    private static String codeOf(Callable<@Nullable Object> call) throws Exception {
        try {
            return "no failure: " + call.call();
        } catch (ToolException e) {
            return e.code();
        }
    }

    /** Tools that do something after the new content is written and before it takes its place. */
    private Calls during(String path, Callable<@Nullable Object> action) throws IOException {
        Workspace.Interlude interlude = asked -> {
            boolean writing = names().stream().anyMatch(name -> name.startsWith(".belay-"));
            if (asked.equals(path) && writing) {
                try {
                    action.call();
                } catch (IOException e) {
                    throw e;
                } catch (Exception e) {
                    throw new IllegalStateException(e);
                }
            }
        };
        Workspace workspace = new Workspace(root, new SecretNames(FileRules.DEFAULT), true, interlude);
        return new Calls(FileTools.of(workspace, FileRules.DEFAULT, Thread.ofVirtual().factory(), true));
    }

    private Set<String> names() throws IOException {
        Set<String> names = new TreeSet<>();
        try (var found = Files.walk(root)) {
            found.skip(1).forEach(path -> names.add(root.relativize(path).toString()));
        }
        return names;
    }
}
