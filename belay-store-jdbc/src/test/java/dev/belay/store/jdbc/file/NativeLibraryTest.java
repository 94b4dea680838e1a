package dev.belay.store.jdbc.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The library of the driver lies once in the cache of the user, and is loaded only if it is the user's and unchanged. */
class NativeLibraryTest {

    private static final String NAME = "libsample.so";
    private static final byte[] LIBRARY = "a library".getBytes(StandardCharsets.UTF_8);

    @TempDir
    Path cache;

    @BeforeEach
    void theFileSystemKnowsUsers() {
        assumeTrue(PrivateFiles.knowsUsers(cache), "this file system has no users");
    }

    private Path place() throws IOException {
        return NativeLibrary.place(cache, NAME, LIBRARY);
    }

    private static String mode(Path path) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
    }

    private static void mode(Path path, String mode) throws IOException {
        Files.setPosixFilePermissions(path, PosixFilePermissions.fromString(mode));
    }

    @Test
    void itIsWrittenOnceForItsOwnerAlone() throws IOException {
        Path directory = place();
        Path file = directory.resolve(NAME);
        Object first = Files.readAttributes(file, "unix:ino", LinkOption.NOFOLLOW_LINKS);

        assertThat(place()).isEqualTo(directory);
        assertThat(Files.readAttributes(file, "unix:ino", LinkOption.NOFOLLOW_LINKS)).isEqualTo(first);
        assertThat(file).hasBinaryContent(LIBRARY);
        assertThat(List.of(mode(cache.resolve("belay")), mode(directory), mode(file)))
                .containsExactly("rwx------", "rwx------", "rw-------");
        assertThat(directory.toFile().list()).containsExactly(NAME);
    }

    @Test
    void anotherVersionLiesBesideIt() throws IOException {
        assertThat(NativeLibrary.place(cache, NAME, new byte[]{1})).isNotEqualTo(place());
    }

    @Test
    void changedBytesAreReplacedBeforeTheyAreLoaded() throws IOException {
        Path file = place().resolve(NAME);
        Files.writeString(file, "b library");
        place();
        assertThat(file).hasBinaryContent(LIBRARY);
        Files.writeString(file, "");
        place();
        assertThat(file).hasBinaryContent(LIBRARY);
    }

    @Test
    void whatOthersCanWriteIsRefused() throws IOException {
        Path directory = place();
        mode(directory.resolve(NAME), "rw-rw----");
        assertThatThrownBy(this::place).hasMessageContaining(NAME + " can be written by other users");
        mode(directory.resolve(NAME), "rw-------");
        mode(directory, "rwx----w-");
        assertThatThrownBy(this::place).hasMessageContaining("can be written by other users");
        mode(directory, "rwx------");
        mode(cache.resolve("belay"), "rwxrwxrwx");
        assertThatThrownBy(this::place).hasMessageContaining("belay can be written by other users");
    }

    @Test
    void aLinkIsRefused() throws IOException {
        Path elsewhere = Files.createDirectory(cache.resolve("elsewhere"));
        Files.createSymbolicLink(cache.resolve("belay"), elsewhere);
        assertThatThrownBy(this::place).hasMessageContaining("belay is a link");
    }

    /** The name of the user decides, so another name makes the files those of another user. */
    @Test
    void whatBelongsToAnotherUserIsRefused() throws IOException {
        place();
        String user = System.getProperty("user.name");
        System.setProperty("user.name", user.equals("daemon") ? "bin" : "daemon");
        try {
            assertThatThrownBy(this::place).hasMessageContaining("belongs to another user");
        } finally {
            System.setProperty("user.name", user);
        }
    }
}
