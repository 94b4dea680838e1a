package dev.belay.toolbox.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.belay.toolbox.Calls;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Keeps "checked again at opening" of R.7 where the path above changes after a directory was opened, for both kinds of folders. */
@Timeout(60)
class FolderTest {

    private static final Path SECRET = Path.of("secret.txt");

    @TempDir
    Path base;

    private Path root;
    private Path outside;

    @BeforeEach
    void makeTwoPlaces() throws IOException {
        root = Files.createDirectory(base.toRealPath().resolve("root"));
        outside = Files.createDirectory(base.toRealPath().resolve("outside"));
        Files.writeString(outside.resolve(SECRET), "the secret outside");
        Files.createDirectory(root.resolve("dir"));
        Files.writeString(root.resolve("dir").resolve(SECRET), "harmless");
    }

    private Workspace workspace(boolean held, Workspace.Interlude interlude) throws IOException {
        return new Workspace(root, new SecretNames(FileRules.DEFAULT), held, interlude);
    }

    private void swap() throws IOException {
        Files.move(root.resolve("dir"), root.resolve("away"));
        Files.createSymbolicLink(root.resolve("dir"), outside);
    }

    @Test
    void heldDirectoryStaysTheOneThatWasOpened() throws IOException {
        try (Folder top = workspace(true, Workspace.Interlude.NONE).openRoot();
                Folder dir = top.enter(Path.of("dir"))) {
            swap();
            try (SeekableByteChannel channel = dir.read(SECRET)) {
                ByteBuffer text = ByteBuffer.allocate(100);
                channel.read(text);
                assertThat(new String(text.array(), 0, text.position(), StandardCharsets.UTF_8))
                        .isEqualTo("harmless");
            }
            dir.create(Path.of("new"), true).close();
            assertThat(root.resolve("away/new")).exists();
            assertThat(dir.names()).containsExactlyInAnyOrder(SECRET, Path.of("new"));
        }
        assertThat(outside.resolve("new")).doesNotExist();
    }

    @Test
    void checkedDirectoryNoticesThatItMoved() throws IOException {
        try (Folder top = workspace(false, Workspace.Interlude.NONE).openRoot();
                Folder dir = top.enter(Path.of("dir"))) {
            swap();
            assertThatThrownBy(() -> dir.read(SECRET)).hasMessageContaining("it has become a link");
            assertThatThrownBy(() -> dir.create(Path.of("new"), false)).isInstanceOf(IOException.class);
            assertThatThrownBy(() -> dir.attributes(SECRET)).isInstanceOf(IOException.class);
            assertThatThrownBy(() -> dir.delete(SECRET)).isInstanceOf(IOException.class);
            assertThatThrownBy(dir::names).isInstanceOf(IOException.class);
            assertThatThrownBy(() -> dir.move(SECRET, top, SECRET)).isInstanceOf(IOException.class);
            assertThatThrownBy(() -> top.move(Path.of("away"), dir, SECRET)).isInstanceOf(IOException.class);
            assertThatThrownBy(() -> dir.permit(SECRET, PosixFilePermissions.fromString("rwxrwxrwx")))
                    .isInstanceOf(IOException.class);
        }
        assertThat(outside.resolve(SECRET)).hasContent("the secret outside");
        assertThat(outside.resolve("new")).doesNotExist();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void everythingWorksInBothKinds(boolean held) throws IOException {
        Calls files = new Calls(FileTools.of(workspace(held, Workspace.Interlude.NONE), FileRules.DEFAULT,
                Thread.ofVirtual().factory(), true));
        assertThat(files.text("write_file", "path", "a/b/c.txt", "content", "one\n"))
                .isEqualTo("written: a/b/c.txt, 4 bytes");
        Files.setPosixFilePermissions(root.resolve("a/b/c.txt"),
                PosixFilePermissions.fromString("rwxr-x---"));
        assertThat(files.text("edit_file", "path", "a/b/c.txt", "find", "one", "replace", "two"))
                .isEqualTo("edited: a/b/c.txt, 4 bytes");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(root.resolve("a/b/c.txt"))))
                .isEqualTo("rwxr-x---");
        assertThat(files.text("read_file", "path", "a/b/c.txt")).isEqualTo("two\n");
        assertThat(files.text("list_dir", "path", "a/b")).isEqualTo("c.txt\n");
        assertThat(files.text("glob", "pattern", "*.txt")).isEqualTo("a/b/c.txt\ndir/secret.txt\n");
        assertThat(files.text("grep", "pattern", "tw[o]")).isEqualTo("a/b/c.txt:1: two\n");
    }

    /** Without help the opening of a pipe waits for ever, and no interruption ends it. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void pipeSwappedInBeforeTheOpeningHoldsNobodyUp(boolean held) throws Exception {
        Path file = root.resolve("file.txt");
        Files.writeString(file, "text");
        int[] looks = {0};
        Calls files = new Calls(FileTools.of(workspace(held, path -> {
            if (++looks[0] == 2) {
                Files.delete(file);
                fifo(file);
            }
        }), FileRules.DEFAULT, Thread.ofVirtual().factory(), false));
        assertThat(files.text("read_file", "path", "file.txt"))
                .isEqualTo("Error (file_failed): \"file.txt\" could not be used: it has become a pipe");
        try (Folder folder = workspace(held, Workspace.Interlude.NONE).openRoot()) {
            assertThatThrownBy(() -> folder.enter(Path.of("file.txt"))).isInstanceOf(IOException.class);
            assertThatThrownBy(() -> folder.read(Path.of("missing"))).isInstanceOf(NoSuchFileException.class);
        }
    }

    private static void fifo(Path path) throws IOException {
        try {
            assertThat(new ProcessBuilder("mkfifo", path.toString()).start().waitFor(10, TimeUnit.SECONDS))
                    .isTrue();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
