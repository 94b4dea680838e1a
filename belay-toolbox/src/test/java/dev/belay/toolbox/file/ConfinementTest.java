package dev.belay.toolbox.file;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.toolbox.Calls;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Keeps R.7: files are confined to the workspace, resolved, without escape through links, checked again at opening; A.6. */
@Timeout(120)
class ConfinementTest {

    private static final String SECRET = "the secret outside";

    @TempDir
    Path base;

    private Path root;
    private Path outside;
    private Calls files;

    @BeforeEach
    void makeTwoPlaces() throws IOException {
        root = Files.createDirectory(base.resolve("root"));
        outside = Files.createDirectory(base.resolve("outside"));
        Files.writeString(outside.resolve("secret.txt"), SECRET);
        Files.writeString(root.resolve("inside.txt"), "inside");
        files = new Calls(FileTools.writing(root, FileRules.DEFAULT));
    }

    @ParameterizedTest
    @ValueSource(strings = {"../outside/secret.txt", "x/../../outside/secret.txt", "/etc/passwd", "..", "/",
        "../outside/missing", "../root2/x", "//etc/passwd", "./../outside", "a/b/c/../../../../outside"})
    void pathsOutsideAreRefused(String path) {
        for (String tool : List.of("read_file", "list_dir")) {
            assertThat(files.code(tool, "path", path)).isEqualTo("outside_workspace");
        }
        assertThat(files.code("glob", "pattern", "*", "path", path)).isEqualTo("outside_workspace");
        assertThat(files.code("grep", "pattern", "x", "path", path)).isEqualTo("outside_workspace");
        assertThat(files.code("write_file", "path", path, "content", "x")).isEqualTo("outside_workspace");
        assertThat(files.code("edit_file", "path", path, "find", "x", "replace", "y"))
                .isEqualTo("outside_workspace");
    }

    @Test
    void linksOutsideAreRefusedAndSayNothingOfWhatIsThere() throws IOException {
        Files.createSymbolicLink(root.resolve("file"), outside.resolve("secret.txt"));
        Files.createSymbolicLink(root.resolve("dir"), outside);
        Files.createSymbolicLink(root.resolve("second"), root.resolve("dir"));
        for (String path : List.of("file", "dir/secret.txt", "dir/missing", "dir/no/such/thing",
                "second/secret.txt",
                "dir/../outside/secret.txt")) {
            assertThat(files.code("read_file", "path", path)).as(path).isEqualTo("outside_workspace");
            assertThat(files.code("write_file", "path", path, "content", "x")).as(path)
                    .isEqualTo("outside_workspace");
        }
        assertThat(files.code("list_dir", "path", "dir")).isEqualTo("outside_workspace");
        assertThat(files.text("grep", "pattern", "secret")).isEqualTo("no matches\n");
        assertThat(files.text("glob", "pattern", "**")).isEqualTo("inside.txt\n");
        assertThat(outside.resolve("secret.txt")).hasContent(SECRET);
        assertThat(outside).isDirectoryNotContaining("glob:**missing");
    }

    @Test
    void linksInsideWork() throws IOException {
        Files.createSymbolicLink(root.resolve("link"), Path.of("inside.txt"));
        assertThat(files.text("read_file", "path", "link")).isEqualTo("inside");
        assertThat(files.text("edit_file", "path", "link", "find", "inside", "replace", "within"))
                .isEqualTo("edited: inside.txt, 6 bytes");
        assertThat(root.resolve("inside.txt")).hasContent("within");
        assertThat(root.resolve("link")).isSymbolicLink();
    }

    @Test
    void linkThatLeadsNowhereIsNotWrittenThrough() throws IOException {
        Files.createSymbolicLink(root.resolve("dangling"), outside.resolve("made.txt"));
        Files.createSymbolicLink(root.resolve("circle"), Path.of("circle"));
        assertThat(files.code("write_file", "path", "dangling", "content", "x")).isEqualTo("bad_path");
        assertThat(files.code("write_file", "path", "dangling/x", "content", "x")).isEqualTo("bad_path");
        assertThat(files.code("read_file", "path", "dangling")).isEqualTo("path_not_found");
        assertThat(files.code("read_file", "path", "circle")).isEqualTo("bad_path");
        assertThat(files.code("write_file", "path", "circle/x", "content", "x")).isEqualTo("bad_path");
        assertThat(outside.resolve("made.txt")).doesNotExist();
    }

    @Test
    void absolutePathsInsideWork() {
        assertThat(files.text("read_file", "path", root.resolve("inside.txt").toString()))
                .isEqualTo("inside");
    }

    @Test
    void workspaceMayItselfBeReachedThroughALink() throws IOException {
        Path link = Files.createSymbolicLink(base.resolve("link"), root);
        Calls linked = new Calls(FileTools.reading(link, FileRules.DEFAULT));
        assertThat(linked.text("read_file", "path", "inside.txt")).isEqualTo("inside");
        assertThat(linked.text("read_file", "path", link.resolve("inside.txt").toString()))
                .isEqualTo("inside");
    }

    @Test
    void namesThatNoFileCanHaveAreASentence() {
        assertThat(files.code("read_file", "path", "a\0b")).isEqualTo("bad_path");
        assertThat(files.code("read_file", "path", "x".repeat(300))).isEqualTo("bad_path");
        assertThat(files.code("write_file", "path", "x".repeat(300), "content", "")).isEqualTo("bad_path");
        assertThat(files.code("read_file", "path", "x/".repeat(2000))).isEqualTo("path_not_found");
        assertThat(files.code("read_file", "path", "x".repeat(5000))).isEqualTo("invalid_arguments");
        assertThat(files.code("read_file", "path", "")).isEqualTo("invalid_arguments");
        assertThat(files.text("read_file", "path", "tab\tand\u202eturn"))
                .contains("\"tab<U+0009>and<U+202E>turn\"");
    }

    @Test
    void linkSwappedInBeforeTheOpeningLeadsNowhere() throws Exception {
        Files.createDirectory(root.resolve("dir"));
        Files.writeString(root.resolve("dir/secret.txt"), "harmless");
        for (boolean held : new boolean[]{true, false}) {
            Workspace.Interlude swap = path -> {
                if (Files.isDirectory(root.resolve("dir"), java.nio.file.LinkOption.NOFOLLOW_LINKS)) {
                    Files.move(root.resolve("dir"), root.resolve("away"));
                    Files.createSymbolicLink(root.resolve("dir"), outside);
                }
            };
            Calls swapped = new Calls(FileTools.of(
                    new Workspace(root, new SecretNames(FileRules.DEFAULT), held, swap), FileRules.DEFAULT,
                    Thread.ofVirtual().factory(), true));
            for (Object[] call : new Object[][]{{"read_file", "path", "dir/secret.txt"},
                {"list_dir", "path", "dir"}, {"grep", "path", "dir", "pattern", "secret"},
                {"glob", "path", "dir", "pattern", "*"},
                {"write_file", "path", "dir/new.txt", "content", "x"},
                {"edit_file", "path", "dir/secret.txt", "find", "the", "replace", "no"}}) {
                Object[] fields = java.util.Arrays.copyOfRange(call, 1, call.length);
                assertThat(swapped.code((String) call[0], fields)).as(call[0] + " held " + held)
                        .isEqualTo("path_changed");
                Files.delete(root.resolve("dir"));
                Files.move(root.resolve("away"), root.resolve("dir"));
            }
        }
        assertThat(outside.resolve("secret.txt")).hasContent(SECRET);
        assertThat(outside.resolve("new.txt")).doesNotExist();
    }

    @Test
    void fileSwappedForALinkIsNotRead() throws Exception {
        Path file = root.resolve("file.txt");
        for (boolean held : new boolean[]{true, false}) {
            Files.deleteIfExists(file);
            Files.writeString(file, "harmless");
            int[] looks = {0};
            Workspace workspace = new Workspace(root, new SecretNames(FileRules.DEFAULT), held, path -> {
                if (++looks[0] == 2) {
                    Files.delete(file);
                    Files.createSymbolicLink(file, outside.resolve("secret.txt"));
                }
            });
            Calls swapped = new Calls(
                    FileTools.of(workspace, FileRules.DEFAULT, Thread.ofVirtual().factory(), false));
            assertThat(swapped.code("read_file", "path", "file.txt")).isEqualTo("path_changed");
        }
    }

    /** A second thread swaps a directory and a link to the outside as fast as it can; nothing of the outside is ever touched. */
    @Test
    void raceAgainstASwapperIsNeverLost() throws Exception {
        Files.createDirectory(root.resolve("dir"));
        Files.writeString(root.resolve("dir/secret.txt"), "harmless");
        Path spare = Files.createSymbolicLink(root.resolve("spare"), outside);
        AtomicBoolean done = new AtomicBoolean();
        CountDownLatch started = new CountDownLatch(1);
        AtomicReference<IOException> broken = new AtomicReference<>();
        Thread swapper = Thread.ofPlatform().start(() -> {
            try {
                while (!done.get()) {
                    Files.move(root.resolve("dir"), root.resolve("away"), StandardCopyOption.ATOMIC_MOVE);
                    Files.move(spare, root.resolve("dir"), StandardCopyOption.ATOMIC_MOVE);
                    started.countDown();
                    Files.move(root.resolve("dir"), spare, StandardCopyOption.ATOMIC_MOVE);
                    Files.move(root.resolve("away"), root.resolve("dir"), StandardCopyOption.ATOMIC_MOVE);
                }
            } catch (IOException e) {
                broken.set(e);
                started.countDown();
            }
        });
        Set<String> heard = new TreeSet<>();
        try {
            started.await();
            for (int round = 0; round < 2000; round++) {
                String text = files.text("read_file", "path", "dir/secret.txt");
                assertThat(text).doesNotContain(SECRET);
                heard.add(text.replaceAll(":.*", ""));
                if (round % 10 == 0) {
                    assertThat(files.text("grep", "pattern", "secret outside")).isEqualTo("no matches\n");
                    files.text("edit_file", "path", "dir/secret.txt", "find", "secret", "replace", "stolen");
                }
            }
        } finally {
            done.set(true);
            swapper.join();
        }
        assertThat(broken.get()).isNull();
        assertThat(heard).contains("harmless", "Error (outside_workspace)");
        assertThat(outside.resolve("secret.txt")).hasContent(SECRET);
        try (var left = Files.list(outside)) {
            assertThat(left).containsExactly(outside.resolve("secret.txt"));
        }
    }

    @Test
    void noFieldChoosesARoot() {
        FileTools tools = FileTools.writing(root, FileRules.DEFAULT);
        for (String extra : List.of("root", "workspace", "rules", "follow", "cwd")) {
            assertThat(new Calls(tools).code("read_file", "path", "inside.txt", extra, "/")).isEqualTo(
                    "invalid_arguments");
        }
    }
}
