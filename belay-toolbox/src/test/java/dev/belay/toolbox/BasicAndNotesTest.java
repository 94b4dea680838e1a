package dev.belay.toolbox;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.json.Json;
import dev.belay.tool.ToolCaller;
import dev.belay.tool.context.Incarnation;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Keeps R.9: {@code add_numbers} 2 and 3 is 5; a note is one record, line breaks included; its file comes from the constructor. */
class BasicAndNotesTest {

    @TempDir
    Path root;

    private Path file;
    private NoteTools notes;
    private Calls calls;

    @BeforeEach
    void open() {
        file = root.resolve("deep/notes.jsonl");
        notes = NoteTools.in(file, Clock.fixed(Instant.ofEpochMilli(1748613022129L), ZoneOffset.UTC));
        calls = new Calls(notes);
    }

    @Test
    void twoAndThreeAreFive() {
        Calls basics = new Calls(BasicTools.provider());
        assertThat(add(2, 3)).isEqualTo("5");
        assertThat(basics.text("echo", "text", "a\nb")).isEqualTo("a\nb");
        assertThat(basics.code("echo")).isEqualTo("invalid_arguments");
    }

    @Test
    void sumsAreExactAndPlain() {
        assertThat(add("0.1", "0.2")).isEqualTo("0.3");
        assertThat(add("1e20", "1e20")).isEqualTo("200000000000000000000");
        assertThat(add("1e-7", "0")).isEqualTo("0.0000001");
        assertThat(add("2.50", "-2.5")).isEqualTo("0");
        assertThat(add("-0.0", "0")).isEqualTo("0");
        assertThat(add("1e9999", "1")).startsWith("Error (number_too_long)");
        assertThat(add("1e-9999", "1")).startsWith("Error (number_too_long)");
        assertThat(add("\"2\"", "3")).startsWith("Error (invalid_arguments)");
    }

    private static String add(Object a, Object b) {
        return ToolCaller.of(BasicTools.provider())
                .call("add_numbers", "{\"a\":" + a + ",\"b\":" + b + "}")
                .text();
    }

    @Test
    void notesWithAHoleAreNotRead() throws IOException {
        Files.createDirectories(root.resolve("deep"));
        try (var sparse = new RandomAccessFile(file.toFile(), "rw")) {
            sparse.setLength(6L << 30);
        }
        assertThat(calls.text("session_note_search", "query", "x"))
                .startsWith("Error (notes_full): the notes have 6442450944 bytes");
        assertThat(calls.code("session_note_append", "note", "x")).isEqualTo("notes_full");
    }

    @Test
    void noteIsOneRecord() throws IOException {
        assertThat(calls.text("session_note_append", "note", "buy milk\nand bread"))
                .isEqualTo("note appended");
        List<String> lines = Files.readAllLines(file);
        assertThat(lines).hasSize(1);
        Json note = Json.of(lines.getFirst());
        assertThat(note.get("at").orElseThrow().asLong()).isEqualTo(1748613022129L);
        assertThat(note.get("text").orElseThrow().asString()).isEqualTo("buy milk\nand bread");
        assertThat(lines.getFirst()).startsWith("{\"at\":1748613022129,\"text\":\"buy milk\\nand bread\"");
    }

    @Test
    void notesAreForTheirOwnerAlone() throws IOException {
        calls.text("session_note_append", "note", "buy milk");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file))).isEqualTo("rw-------");
    }

    @Test
    void searchFindsNotesInOrder() {
        assertThat(calls.text("session_note_search", "query", "milk")).isEqualTo("no matches");
        calls.text("session_note_append", "note", "buy milk\nand bread");
        calls.text("session_note_append", "note", "call Ada");
        calls.text("session_note_append", "note", "milk is bought");
        assertThat(calls.text("session_note_search", "query", "milk"))
                .isEqualTo("buy milk\n  and bread\nmilk is bought");
        assertThat(calls.text("session_note_search", "query", "Milk")).isEqualTo("no matches");
        assertThat(calls.text("session_note_search", "query", "")).contains("call Ada");
    }

    @Test
    void noFieldChoosesTheFile() {
        for (String field : List.of("file", "path", "dir")) {
            assertThat(calls.code("session_note_append", "note", "x", field, "/tmp/x"))
                    .isEqualTo("invalid_arguments");
            assertThat(calls.code("session_note_search", "query", "x", field, "/tmp/x"))
                    .isEqualTo("invalid_arguments");
        }
        assertThat(file).doesNotExist();
    }

    @Test
    void sameCallAppendsOnce() throws IOException {
        Incarnation incarnation = Incarnation.random();
        for (int attempt = 0; attempt < 2; attempt++) { // a caller of the same incarnation counts from the start again
            assertThat(ToolCaller.of(notes, incarnation)
                    .call("session_note_append", "{\"note\":\"once\"}")
                    .text())
                    .isEqualTo("note appended");
        }
        assertThat(Files.readAllLines(file)).hasSize(1);
    }

    @Test
    void tornLineHidesNothing() throws IOException {
        Files.createDirectories(root.resolve("deep"));
        Files.writeString(file, "{\"at\":1,\"text\":\"from abcb\"}\n\n{\"at\":2,\"tex");
        calls.text("session_note_append", "note", "after the crash");
        assertThat(calls.text("session_note_search", "query", "a")).isEqualTo("from abcb\nafter the crash");
        assertThat(Files.readAllLines(file)).hasSize(4);
    }

    @Test
    void notesThatAreALinkOrInALinkedFolderAreLeftAlone() throws IOException {
        Path elsewhere = Files.createDirectory(root.resolve("elsewhere"));
        Path victim = Files.writeString(elsewhere.resolve("victim"), "mine");
        Path linked = Files.createSymbolicLink(root.resolve("linked.jsonl"), victim);
        Path inside = Files.createSymbolicLink(root.resolve("folder"), elsewhere).resolve("notes.jsonl");
        Path folder = Files.createDirectory(root.resolve("a-folder.jsonl"));
        for (Path notes : List.of(linked, inside, folder)) {
            var tools = ToolCaller.of(NoteTools.in(notes, Clock.systemUTC()));
            assertThat(tools.call("session_note_append", "{\"note\":\"x\"}").text())
                    .startsWith("Error (access_denied)");
            assertThat(tools.call("session_note_search", "{\"query\":\"mine\"}").text())
                    .startsWith("Error (access_denied)");
        }
        assertThat(victim).hasContent("mine");
        assertThat(elsewhere.resolve("notes.jsonl")).doesNotExist();
    }

    @Test
    void fullFileIsASentence() throws IOException {
        Files.createDirectories(root.resolve("deep"));
        Files.writeString(file, "x".repeat(16 << 20));
        assertThat(calls.code("session_note_append", "note", "one more")).isEqualTo("notes_full");
        assertThat(file).hasSize(16 << 20);
    }

    @Test
    void manyThreadsLoseNothing() throws Exception {
        Thread[] threads = new Thread[8];
        for (int at = 0; at < threads.length; at++) {
            int me = at;
            threads[at] = Thread.ofVirtual().start(() -> {
                for (int note = 0; note < 10; note++) {
                    calls.text("session_note_append", "note", me + " says " + note);
                }
            });
        }
        for (Thread thread : threads) {
            thread.join();
        }
        assertThat(Files.readAllLines(file)).hasSize(80).allSatisfy(Json::of);
    }
}
