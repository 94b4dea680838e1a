package dev.belay.toolbox.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import dev.belay.tool.ToolOutcome;
import dev.belay.toolbox.Calls;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Keeps R.7 for reading, S "a missing file aborts the run", and the bad input of files that are large, odd or moving. */
@Timeout(60)
class ReadingTest {

    @TempDir
    Path root;

    private Calls files;

    @BeforeEach
    void open() {
        files = new Calls(FileTools.reading(root, FileRules.DEFAULT));
    }

    @Test
    void wholeTextIsVerbatim() throws IOException {
        Files.writeString(root.resolve("a.txt"), "first\n  second\r\nthird without break");
        assertThat(files.text("read_file", "path", "a.txt"))
                .isEqualTo("first\n  second\r\nthird without break");
        assertThat(files.text("read_file", "path", "./x/../a.txt")).startsWith("Error (path_not_found)");
    }

    @Test
    void missingFileIsAnAnswer() {
        assertThat(files.outcome("read_file", "path", "no/such.txt")).isInstanceOf(ToolOutcome.Failure.class);
        assertThat(files.text("read_file", "path", "no/such.txt"))
                .isEqualTo(
                        "Error (path_not_found): there is no \"no/such.txt\"; list_dir or glob show what there is");
    }

    @Test
    void emptyFileSaysSo() throws IOException {
        Files.createFile(root.resolve("empty"));
        assertThat(files.text("read_file", "path", "empty")).isEqualTo("[the file is empty]");
    }

    @Test
    void pagesJoinToTheWholeFile() throws IOException {
        StringBuilder all = new StringBuilder();
        for (int line = 1; line <= 1001; line++) {
            all.append("line ").append(line).append('\n');
        }
        Files.writeString(root.resolve("long.txt"), all);
        String first = files.text("read_file", "path", "long.txt");
        assertThat(first).startsWith("line 1\n")
                .endsWith("line 400\n[lines 1 to 400; for more ask with from=401]\n");
        assertThat(files.text("read_file", "path", "long.txt", "from", 401, "lines", 600))
                .startsWith("line 401\n")
                .endsWith("line 1000\n[lines 401 to 1000; for more ask with from=1001]\n");
        assertThat(files.text("read_file", "path", "long.txt", "from", 1001))
                .isEqualTo("line 1001\n[lines 1001 to 1001, the end of the file]\n");
        assertThat(files.text("read_file", "path", "long.txt", "from", 1002))
                .isEqualTo("[the file ends before line 1002; it has 1001 lines]");
    }

    @Test
    void pageIsBoundedInBytesAtALine() throws IOException {
        Files.writeString(root.resolve("wide.txt"), ("x".repeat(999) + "\n").repeat(100));
        String page = files.text("read_file", "path", "wide.txt");
        assertThat(page).hasSizeLessThan(TextPage.MOST_BYTES + 100)
                .endsWith("x\n[lines 1 to 32; for more ask with from=33]\n");
    }

    @Test
    void overlongLineIsCutAtACharacter() throws IOException {
        Files.writeString(root.resolve("one.txt"), "a" + "é".repeat(100_000) + "\nnext\n");
        assertThat(files.text("read_file", "path", "one.txt"))
                .endsWith(
                        "éé\n[line 1 is longer than 32768 bytes and is cut here; the next line is from=2]\n")
                .doesNotContain("\uFFFD");
        assertThat(files.text("read_file", "path", "one.txt", "from", 2)).startsWith("next\n[");
    }

    @Test
    void fiveGigabytesAreReadByThePage() throws IOException {
        try (RandomAccessFile file = new RandomAccessFile(root.resolve("huge.log").toFile(), "rw")) {
            file.writeBytes("entry\n".repeat(3000));
            file.setLength(5L << 30);
        }
        Runtime runtime = Runtime.getRuntime();
        long before = runtime.totalMemory() - runtime.freeMemory();
        assertThat(files.text("read_file", "path", "huge.log"))
                .endsWith("entry\n[lines 1 to 400; for more ask with from=401]\n");
        assertThat(runtime.totalMemory() - runtime.freeMemory() - before).isLessThan(64L << 20);
        assertThat(files.code("read_file", "path", "huge.log", "from", 3001)).isEqualTo("not_text");
        assertThat(new Calls(FileTools.writing(root, FileRules.DEFAULT))
                .code("edit_file", "path", "huge.log", "find", "entry", "replace", "x"))
                .isEqualTo("file_too_large");
    }

    @Test
    void binaryFileIsASentence() throws IOException {
        Files.write(root.resolve("a.bin"), new byte[]{'a', 0, 'b'});
        assertThat(files.text("read_file", "path", "a.bin"))
                .isEqualTo("Error (not_text): \"a.bin\" is not a text file (it contains NUL bytes)");
    }

    @Test
    void otherEncodingsAreShownWithAWarning() throws IOException {
        Files.write(root.resolve("latin.txt"), new byte[]{'n', (byte) 0xe4, 'h', '\n'});
        assertThat(files.text("read_file", "path", "latin.txt"))
                .isEqualTo("n\uFFFDh\n[bytes that are not UTF-8 are shown as \uFFFD]\n");
    }

    @Test
    void directoryIsNoFileAndFileNoDirectory() throws IOException {
        Files.createDirectory(root.resolve("dir"));
        Files.createFile(root.resolve("file"));
        assertThat(files.code("read_file", "path", "dir")).isEqualTo("not_a_file");
        assertThat(files.code("read_file", "path", ".")).isEqualTo("not_a_file");
        assertThat(files.code("list_dir", "path", "file")).isEqualTo("not_a_directory");
        assertThat(files.code("read_file", "path", "file/x")).isEqualTo("not_a_directory");
    }

    @Test
    void holeIsNotPassedOver() throws IOException {
        try (var file = new RandomAccessFile(root.resolve("sparse").toFile(), "rw")) {
            file.writeBytes("first\n" + "second\n".repeat(2000));
            file.seek(6L << 30);
            file.writeBytes("\nlast\n");
        }
        assertThat(files.text("read_file", "path", "sparse", "lines", 1)).startsWith("first\n[lines 1 to 1;");
        String text = assertTimeoutPreemptively(Duration.ofSeconds(30),
                () -> files.text("read_file", "path", "sparse", "from", 2003));
        assertThat(text).isEqualTo(
                "Error (not_text): \"sparse\" is not a text file (it contains NUL bytes)");
    }

    @Test
    void bytesBeforeAPageAreBounded() {
        var channel = new EndlessChannel();
        assertThatThrownBy(() -> new TextPage("long", 900, 10).read(channel, 1 << 20, () -> false))
                .hasMessage(
                        "line 900 of \"long\" is too far from its beginning: reading stopped in line 1; read an"
                                + " earlier line, or find lines with grep");
        assertThat(channel.bytes).isEqualTo(1 << 20);
    }

    @Test
    void timeBeforeAPageIsBounded() {
        var channel = new EndlessChannel();
        var asked = new AtomicInteger();
        assertThatThrownBy(() -> new TextPage("long", 2, 10)
                .read(channel, Long.MAX_VALUE, () -> asked.incrementAndGet() == 5))
                .hasMessageContaining("is too far from its beginning");
        assertThat(channel.reads).isEqualTo(5);
    }

    /** One line without end. */
    private static final class EndlessChannel implements SeekableByteChannel {

        private long bytes;
        private int reads;

        @Override
        public int read(ByteBuffer buffer) {
            int length = buffer.remaining();
            while (buffer.hasRemaining()) {
                buffer.put((byte) 'x');
            }
            bytes += length;
            reads++;
            return length;
        }

        @Override
        public int write(ByteBuffer buffer) {
            throw new UnsupportedOperationException();
        }

        @Override
        public long position() {
            return bytes;
        }

        @Override
        public SeekableByteChannel position(long position) {
            throw new UnsupportedOperationException();
        }

        @Override
        public long size() {
            return Long.MAX_VALUE;
        }

        @Override
        public SeekableByteChannel truncate(long size) {
            throw new UnsupportedOperationException();
        }

        @Override
        public boolean isOpen() {
            return true;
        }

        @Override
        public void close() {
            // nothing is open
        }
    }

    @Test
    void pipeIsRefusedWithoutBlocking() throws Exception {
        Process made = new ProcessBuilder("mkfifo", root.resolve("pipe").toString()).start();
        assertThat(made.waitFor(10, TimeUnit.SECONDS)).isTrue();
        assertThat(files.text("read_file", "path", "pipe"))
                .isEqualTo("Error (not_a_file): \"pipe\" is a pipe, socket or device, not a regular file");
        assertThat(files.text("grep", "pattern", "x")).isEqualTo("no matches\n");
        assertThat(files.code("grep", "pattern", "x", "path", "pipe")).isEqualTo("not_a_file");
        assertThat(files.code("list_dir", "path", "pipe")).isEqualTo("not_a_directory");
        assertThat(files.code("list_dir", "path", "pipe/x")).isEqualTo("not_a_directory");
        assertThat(new Calls(FileTools.writing(root, FileRules.DEFAULT)).code("write_file", "path", "pipe",
                "content", "x")).isEqualTo("not_a_file");
    }

    @Test
    void fileThatChangesIsReported() throws Exception {
        Path file = root.resolve("moving.txt");
        Files.writeString(file, "before\n");
        int[] looks = {0};
        Workspace workspace = new Workspace(root, new SecretNames(FileRules.DEFAULT), true, path -> {
            if (++looks[0] == 2) { // between the look at the file and its opening
                Files.writeString(file, "before\nand after\n");
            }
        });
        Calls watched = new Calls(
                FileTools.of(workspace, FileRules.DEFAULT, Thread.ofVirtual().factory(), false));
        assertThat(watched.text("read_file", "path", "moving.txt"))
                .endsWith("[the file changed while it was read; read it again for one state of it]\n");
        assertThat(watched.text("read_file", "path", "moving.txt")).isEqualTo("before\nand after\n");
    }

    @Test
    void listIsSortedAndMarked() throws IOException {
        Files.createDirectory(root.resolve("b"));
        Files.createFile(root.resolve("c"));
        Files.createFile(root.resolve("A"));
        Files.createFile(root.resolve(".env"));
        Files.createSymbolicLink(root.resolve("d"), Path.of("c"));
        assertThat(files.text("list_dir")).isEqualTo("A\nb/\nc\nd@\n[1 protected names are not shown]\n");
        assertThat(files.text("list_dir", "path", "b")).isEqualTo("[the directory is empty]");
    }

    @Test
    void longListIsCut() throws IOException {
        for (int at = 0; at < 1003; at++) {
            Files.createFile(root.resolve("f" + (10_000 + at)));
        }
        assertThat(files.text("list_dir")).endsWith("f10999\n[and 3 more; glob finds some of them]\n");
        assertThat(files.text("glob", "pattern", "*")).endsWith("f10999\n[and 3 more; narrow the pattern]\n");
    }

    @Test
    void workspaceMustBeADirectory() throws IOException {
        Files.createFile(root.resolve("file"));
        for (String wrong : new String[]{"file", "missing"}) {
            org.assertj.core.api.Assertions
                    .assertThatThrownBy(() -> FileTools.reading(root.resolve(wrong), FileRules.DEFAULT))
                    .hasMessageContaining("it must be a directory that exists");
        }
    }
}
