package dev.belay.toolbox;

import dev.belay.json.Json;
import dev.belay.json.JsonException;
import dev.belay.tool.ToolException;
import dev.belay.tool.ToolFailure;
import dev.belay.tool.context.IdempotencyKey;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Clock;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A file of notes, one JSON object for each line: {@code at} in milliseconds, {@code text}, and {@code key}, the idempotency key
 * of the call. Reading is lenient: a line that is no note, such as one cut by a crash, is skipped.
 *
 * <p><b>Durability.</b> A note is one write at the end of the file, forced to the disk. After a cut line, a line break is written
 * first.
 *
 * <p><b>Recovery.</b> An attempt that finds its key in the file writes nothing more.
 *
 * <p>Thread-safe. Several processes may append to one file.
 */
final class NoteFile {

    /** More notes than this are of no use to a model. */
    private static final long LARGEST = 16 << 20;
    private static final int MOST_FOUND = 200;

    private final Path file;
    private final Clock clock;
    private final ReentrantLock turn = new ReentrantLock();

    NoteFile(Path file, Clock clock) {
        this.file = file;
        this.clock = clock;
    }

    void append(String note, IdempotencyKey key) throws IOException, InterruptedException {
        turn.lockInterruptibly();
        try {
            if (isWritten(key)) {
                return;
            }
            Path parent = file.toAbsolutePath().getParent();
            if (parent != null) {
                Files.createDirectories(parent);
            }
            demandOwn();
            write(Json.write(out -> out.beginObject()
                    .name("at")
                    .value(clock.millis())
                    .name("text")
                    .value(note)
                    .name("key")
                    .value(key.value())
                    .endObject()).compact());
        } finally {
            turn.unlock();
        }
    }

    private boolean isWritten(IdempotencyKey key) throws IOException {
        try (BufferedReader lines = open()) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                if (line.contains(key.value())) {
                    return true;
                }
            }
            return false;
        } catch (NoSuchFileException none) {
            return false;
        }
    }

    private void write(String line) throws IOException {
        try (FileChannel channel = FileChannel.open(file, Set.of(StandardOpenOption.CREATE,
                StandardOpenOption.APPEND, LinkOption.NOFOLLOW_LINKS), onlyForTheOwner())) {
            long size = channel.size();
            if (size + line.length() > LARGEST) {
                throw new ToolException(ToolFailure.of(ToolFailure.Kind.RESOURCE_LIMIT, "notes_full",
                        "the notes have reached " + LARGEST + " bytes; nothing was appended"));
            }
            boolean torn = size > 0 && !endsWithBreak(size);
            ByteBuffer bytes = ByteBuffer
                    .wrap(((torn ? "\n" : "") + line + "\n").getBytes(StandardCharsets.UTF_8));
            while (bytes.hasRemaining()) {
                channel.write(bytes);
            }
            channel.force(true);
        }
    }

    private FileAttribute<?>[] onlyForTheOwner() {
        return file.getFileSystem().supportedFileAttributeViews().contains("posix")
                ? new FileAttribute<?>[]{
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"))}
                : new FileAttribute<?>[0];
    }

    private boolean endsWithBreak(long size) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ,
                LinkOption.NOFOLLOW_LINKS)) {
            ByteBuffer last = ByteBuffer.allocate(1);
            return channel.read(last, size - 1) == 1 && last.get(0) == '\n';
        }
    }

    String search(String query) throws IOException {
        StringBuilder out = new StringBuilder();
        int found = 0;
        try (BufferedReader lines = open()) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                Optional<String> text = text(line).filter(note -> note.contains(query));
                if (text.isPresent() && ++found <= MOST_FOUND) {
                    // a note stays one record: the lines after its first are indented
                    out.append(text.get().replace("\n", "\n  ")).append('\n');
                }
            }
        } catch (NoSuchFileException none) {
            return "no matches";
        }
        if (found > MOST_FOUND) {
            out.append("[and ").append(found - MOST_FOUND).append(" more]\n");
        }
        return found == 0 ? "no matches" : out.substring(0, out.length() - 1);
    }

    /** Bytes that are not UTF-8 become replacement characters: a damaged note must not hide the others. */
    private BufferedReader open() throws IOException {
        demandOwn();
        long size = Files.size(file);
        if (size > 2 * LARGEST) { // no tool has written that much
            throw new ToolException(ToolFailure.of(ToolFailure.Kind.RESOURCE_LIMIT, "notes_full",
                    "the notes have " + size + " bytes, and at most " + 2 * LARGEST
                            + " are read; ask the user to shorten the file"));
        }
        return new BufferedReader(new InputStreamReader(
                Files.newInputStream(file, LinkOption.NOFOLLOW_LINKS), StandardCharsets.UTF_8));
    }

    /** Refuses a link, which could lead out of the host's directory, and a pipe, which would block: a project may contain both. */
    private void demandOwn() {
        boolean other = Files.exists(file, LinkOption.NOFOLLOW_LINKS)
                && !Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS);
        Path parent = file.toAbsolutePath().getParent();
        if (other || (parent != null && Files.isSymbolicLink(parent))) {
            throw new ToolException(ToolFailure.of(ToolFailure.Kind.PERMISSION_DENIED, "access_denied",
                    "the notes are a link, or something else than a file; nothing was read or written"));
        }
    }

    private static Optional<String> text(String line) {
        try {
            return Json.of(line).get("text").map(Json::asString);
        } catch (JsonException torn) {
            return Optional.empty();
        }
    }
}
