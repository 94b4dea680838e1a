package dev.belay.testkit;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.extension.AnnotatedElementContext;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.io.TempDirFactory;

/**
 * Makes temporary folders of tests in memory, where that has a gigabyte of room and runs programs; elsewhere on the disk. A store syncs
 * its files there as on a disk, and does not wait for it. A killed process loses nothing in memory; a machine without power does.
 *
 * <p>For a file {@code junit-platform.properties}: {@code junit.jupiter.tempdir.factory.default=dev.belay.testkit.MemoryFolders}.
 */
public final class MemoryFolders implements TempDirFactory {

    private static final Path MEMORY = Path.of("/dev/shm");
    private static final long ROOM = 1L << 30;
    private static final boolean FITS = fits();

    /** For JUnit. */
    public MemoryFolders() {}

    private static boolean fits() {
        if (!Files.isWritable(MEMORY) || MEMORY.toFile().getUsableSpace() < ROOM) {
            return false;
        }
        try {
            Path program = Files.createTempFile(MEMORY, "belay", "", PosixFilePermissions.asFileAttribute(
                    PosixFilePermissions.fromString("rwx------")));
            boolean runs = Files.isExecutable(program);
            Files.delete(program);
            return runs;
        } catch (IOException | UnsupportedOperationException e) {
            return false;
        }
    }

    @Override
    public Path createTempDirectory(AnnotatedElementContext element, ExtensionContext test)
            throws IOException {
        return FITS ? Files.createTempDirectory(MEMORY, "junit-") : Files.createTempDirectory("junit-");
    }
}
