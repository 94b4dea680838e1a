package dev.belay.toolbox.file;

import dev.belay.json.Json;
import dev.belay.tool.context.IdempotencyKey;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.SeekableByteChannel;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Changes one file, whole or not at all.
 *
 * <p><b>Durability.</b> The new content is written to a temporary file in the same directory, forced to the disk and then moved
 * over the old file in one step. A concurrent reader sees the old or the new file, never a part.
 *
 * <p><b>Recovery.</b> The hashes of the content before and after the change are frozen when the call is prepared. A repeated
 * attempt that finds the second hash is done; if it finds neither, it refuses. The name of the temporary file is made from the
 * call's idempotency key, so that a repeated attempt removes the file that a crash left.
 *
 * <p><b>Concurrency.</b> Changes by tools of this process take turns for each path. Another process can still change the file
 * between the last check and the move, some microseconds later; its change is then lost.
 */
final class FileChange {

    private static final String ABSENT = "absent";
    private static final ReentrantLock[] TURNS = new ReentrantLock[64];

    static {
        for (int at = 0; at < TURNS.length; at++) {
            TURNS[at] = new ReentrantLock();
        }
    }

    private final Workspace workspace;
    private final int largest;
    private final FixedFiles fixed;

    /** Makes the new content from the old one, which is null if there is no file. */
    @FunctionalInterface
    interface Content {

        byte[] from(byte @Nullable [] before);
    }

    FileChange(Workspace workspace, FileRules rules) {
        this.workspace = workspace;
        largest = rules.largestEdit();
        fixed = new FixedFiles(workspace, rules);
    }

    /** The workspace and the hashes of the content now and after the change, to be frozen with the call. */
    Json prepare(Workspace.Place place, Content content) throws Exception {
        fixed.refuse(place);
        byte[] before = current(place);
        byte[] after = content.from(before);
        refuseReadOnly(place);
        return Json.write(out -> out.beginObject()
                .name("root")
                .value(workspace.root())
                .name("before")
                .value(hash(before))
                .name("after")
                .value(hash(after))
                .endObject());
    }

    /**
     * What a file has now, and after a change.
     *
     * @param before its text
     * @param after its new text
     */
    record Texts(String before, String after) {}

    /** The text of a file before and after a change; empty if there is no file. */
    Optional<Texts> texts(String path, Content content) throws Exception {
        byte[] before = current(workspace.resolve(path));
        return before == null
                ? Optional.empty()
                : Optional.of(new Texts(text(path, before), text(path, content.from(before))));
    }

    /** Makes the change; returns how many bytes the file has now. */
    int apply(Workspace.Place place, Content content, Json frozen, IdempotencyKey key) throws Exception {
        ReentrantLock turn = TURNS[Math.floorMod(place.shown().hashCode(), TURNS.length)];
        turn.lockInterruptibly();
        try {
            fixed.refuse(place);
            byte[] before = current(place);
            String now = hash(before);
            if (now.equals(frozen.get("after").orElseThrow().asString())) {
                return before == null ? 0 : before.length;
            }
            if (!now.equals(frozen.get("before").orElseThrow().asString())) {
                throw FileRefusal.changed(place.text(), before == null ? "has vanished" : "has changed");
            }
            byte[] after = content.from(before);
            refuseReadOnly(place);
            replace(place, before, after, Path.of(".belay-" + key.value().substring(0, 24) + ".tmp"));
            return after.length;
        } finally {
            turn.unlock();
        }
    }

    /** The content of a file, or null if there is none. */
    private byte @Nullable [] current(Workspace.Place place) throws Exception {
        if (!place.exists()) {
            refuseDangling(place);
            return null;
        }
        try (Workspace.OpenFile file = workspace.openFile(place)) {
            return all(place, file.channel());
        }
    }

    private byte[] all(Workspace.Place place, SeekableByteChannel channel) throws Exception {
        ByteBuffer buffer = ByteBuffer.allocate((int) Math.min(channel.size(), largest) + 1);
        while (channel.read(buffer) >= 0) {
            if (!buffer.hasRemaining()) {
                if (buffer.capacity() > largest) {
                    throw FileRefusal.tooLarge(place.text(), channel.size(), largest);
                }
                buffer = ByteBuffer.allocate(Math.min(largest, buffer.capacity() * 2) + 1).put(buffer.flip());
            }
        }
        byte[] bytes = new byte[buffer.flip().remaining()];
        buffer.get(bytes);
        return bytes;
    }

    /** Refuses a link without a target: it is neither followed nor replaced. */
    private void refuseDangling(Workspace.Place place) throws Exception {
        try (Folder folder = workspace.open(place, place.found())) {
            folder.attributes(place.missing().getFirst());
        } catch (NoSuchFileException missing) {
            return;
        } catch (IOException e) {
            throw FileRefusal.because(place.text(), e);
        }
        throw FileRefusal.badPath(place.text(),
                "a link in it leads nowhere");
    }

    /** Refuses a read-only file: the permissions would allow a replacement, but they are meant to protect the content. */
    private void refuseReadOnly(Workspace.Place place) throws Exception {
        if (!place.exists()) {
            return;
        }
        try (Folder folder = workspace.open(place, place.found().subList(0, place.found().size() - 1))) {
            if (workspace.isReadOnly(place, folder.permissions(place.found().getLast()).orElse(Set.of()))) {
                throw FileRefusal.readOnly(place.text());
            }
        } catch (IOException e) {
            throw FileRefusal.because(place.text(), e);
        }
    }

    private void replace(Workspace.Place place, byte @Nullable [] before, byte[] after, Path temporary)
            throws Exception {
        boolean exists = place.exists();
        List<Path> parents = exists ? place.found().subList(0, place.found().size() - 1) : place.found();
        Folder folder = workspace.open(place, parents);
        try {
            if (!exists) {
                List<Path> above = new ArrayList<>(parents);
                for (Path name : place.missing().subList(0, place.missing().size() - 1)) {
                    make(place, folder, above, name, temporary);
                    Folder next = folder.enter(name);
                    folder.close();
                    folder = next;
                    above.add(name);
                }
            }
            Path name = exists ? place.found().getLast() : place.missing().getLast();
            write(place, folder, name, before, after, temporary);
        } catch (IOException e) {
            throw FileRefusal.because(place.text(), e);
        } finally {
            folder.close();
        }
    }

    /** Creates a directory in the root, which no model can move, and moves it into the open folder. */
    private void make(Workspace.Place place, Folder folder, List<Path> above, Path name, Path temporary)
            throws IOException {
        try {
            workspace.makeDirectory(List.of(), temporary);
            try (Folder root = workspace.openRoot()) {
                workspace.beforeDirectory();
                root.move(temporary, folder, name);
            } catch (IOException e) {
                workspace.removeDirectory(List.of(), temporary);
                throw e;
            }
        } catch (FileSystemException elsewhere) {
            // the root may be on another device than the folder, or not writable
            makeThere(place, folder, above, name, temporary, elsewhere);
        }
    }

    /**
     * Creates a directory by its path, where it cannot be moved into place. Another process could have redirected that path, so
     * the directory counts only if the open folder contains it; an empty directory created elsewhere is removed again.
     */
    private void makeThere(Workspace.Place place, Folder folder, List<Path> above, Path name, Path temporary,
            FileSystemException elsewhere) throws IOException {
        try {
            workspace.makeDirectory(above, temporary);
        } catch (IOException e) {
            e.addSuppressed(elsewhere);
            throw e;
        }
        try {
            folder.attributes(temporary);
            folder.move(temporary, folder, name);
        } catch (IOException e) {
            workspace.removeDirectory(above, temporary);
            if (e instanceof NoSuchFileException) {
                throw FileRefusal.moved(place.text());
            }
            throw e;
        }
    }

    private void write(Workspace.Place place, Folder folder, Path name, byte @Nullable [] before,
            byte[] after,
            Path temporary) throws Exception {
        Optional<Set<PosixFilePermission>> permissions = before == null
                ? Optional.empty()
                : folder.permissions(name);
        removeLeftover(folder, temporary);
        try {
            try (SeekableByteChannel channel = folder.create(temporary, before != null)) {
                ByteBuffer buffer = ByteBuffer.wrap(after);
                while (buffer.hasRemaining()) {
                    channel.write(buffer);
                }
                if (channel instanceof FileChannel file) {
                    file.force(true);
                }
            }
            if (permissions.isPresent()) {
                folder.permit(temporary, permissions.get());
            }
            workspace.beforeMove(place);
            demandUnchanged(place, folder, name, before);
            folder.move(temporary, folder, name);
        } catch (Exception e) {
            removeLeftover(folder, temporary);
            throw e;
        }
    }

    private static void removeLeftover(Folder folder, Path temporary) throws IOException {
        try {
            folder.delete(temporary);
        } catch (NoSuchFileException none) {
            // expected: no leftover
        }
    }

    private void demandUnchanged(Workspace.Place place, Folder folder, Path name, byte @Nullable [] before)
            throws Exception {
        byte[] now = null;
        try {
            if (!folder.attributes(name).isRegularFile()) {
                throw FileRefusal.moved(place.text());
            }
            try (SeekableByteChannel channel = folder.read(name)) {
                now = all(place, channel);
            }
        } catch (NoSuchFileException missing) {
            // compared below
        }
        if (!hash(now).equals(hash(before))) {
            throw FileRefusal.changed(place.text(), "has changed");
        }
    }

    /** The text of a file; refused if writing it back would not give the same bytes. */
    static String text(String path, byte[] bytes) {
        try {
            String text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
            if (text.indexOf('\0') >= 0) {
                throw FileRefusal.notText(path, "it contains NUL bytes");
            }
            return text;
        } catch (CharacterCodingException e) {
            throw FileRefusal.notText(path, "it is not UTF-8");
        }
    }

    private static String hash(byte @Nullable [] bytes) {
        if (bytes == null) {
            return ABSENT;
        }
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }
}
