package dev.belay.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.belay.laws.StoreDriver;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Other users of the machine can open none of the files that a store makes. */
class PrivateFilesTest {

    @TempDir
    Path directory;

    @BeforeEach
    void theFileSystemKnowsUsers() {
        assumeTrue(directory.getFileSystem().supportedFileAttributeViews().contains("posix"),
                "this file system has no users");
    }

    private Path file() {
        return directory.resolve("belay.db");
    }

    private static String mode(Path file) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
    }

    /** The modes of everything below the directory; owners by the word "lock". */
    private Map<String, String> modes() throws IOException {
        Map<String, String> modes = new TreeMap<>();
        try (var files = Files.walk(directory).skip(1)) {
            for (Path file : files.toList()) {
                String name = directory.relativize(file).toString();
                modes.put(name.replaceFirst("/.*", "/lock"), mode(file));
            }
        }
        return modes;
    }

    @Test
    void everyFileOfAStoreIsForItsOwnerAlone() throws IOException {
        try (StoreDriver journal = new StoreDriver(JdbcStore.sqlite(file()))) {
            Sample.write(journal, Sample.submitted(journal, "s"), 1);

            assertThat(modes()).isEqualTo(Map.of("belay.db", "rw-------", "belay.db-wal", "rw-------",
                    "belay.db-shm", "rw-------", "belay.db-owners", "rwx------", "belay.db-owners/lock",
                    "rw-------"));
        }
    }

    @Test
    void theModeOfAnExistingFileIsLeftAndWarnedAbout() throws IOException {
        assertThat(warnings()).doesNotContain("other users");
        Files.setPosixFilePermissions(file(), PosixFilePermissions.fromString("rw-r-----"));
        Files.setPosixFilePermissions(directory.resolve("belay.db-owners"),
                PosixFilePermissions.fromString("rwxr-xr-x"));

        assertThat(warnings()).contains("belay.db is open to other users of this machine (rw-r-----)",
                "chmod 600", "belay.db-owners is open to other users of this machine (rwxr-xr-x)",
                "chmod 700");
        assertThat(mode(file())).isEqualTo("rw-r-----");
    }

    /** Opens the store; what it logs. */
    private String warnings() {
        PrintStream before = System.err;
        var logged = new ByteArrayOutputStream();
        System.setErr(new PrintStream(logged, true, StandardCharsets.UTF_8));
        try {
            JdbcStore.sqlite(file()).close();
        } finally {
            System.setErr(before);
        }
        return logged.toString(StandardCharsets.UTF_8);
    }
}
