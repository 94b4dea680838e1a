package dev.belay.toolbox.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Files of this user and of root may be used, those of others not, whether or not a user has a name. */
@Timeout(60)
class FileOwnerTest {

    private static final Path SETPRIV = Path.of("/usr/bin/setpriv");

    @TempDir
    Path directory;

    /** Prints which of the files belong to another user, as a process of any user. */
    static final class Main {

        public static void main(String[] files) throws IOException {
            for (String file : files) {
                System.out.print(FileOwner.stranger(Path.of(file)).orElse("-") + " ");
            }
        }
    }

    @Test
    void filesOfThisUserAreNoStrangers() throws IOException {
        assertThat(FileOwner.stranger(Files.createFile(directory.resolve("mine")))).isEmpty();
        assertThat(FileOwner.stranger(Path.of("/"))).isEmpty();
    }

    @Test
    void aFileThatOthersCanWriteSaysSo() throws IOException {
        Path file = Files.createFile(directory.resolve("mine"));
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--"));
        assertThat(FileOwner.otherWriter(file)).isEmpty();
        for (String open : List.of("rw--w----", "rw-----w-")) {
            Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(open));
            assertThat(FileOwner.otherWriter(file)).as(open).contains("other users can write it");
        }
        onlyAsRoot();
        Files.setAttribute(file, "unix:uid", 4242);
        assertThat(FileOwner.otherWriter(file)).contains("it belongs to the user 4242");
    }

    @Test
    void aLinkHasAnOwnerOfItsOwn() throws IOException {
        onlyAsRoot();
        Path file = Files.createFile(directory.resolve("mine"));
        Path link = Files.createSymbolicLink(directory.resolve("link"), file);
        Files.setAttribute(link, "unix:uid", 4242, LinkOption.NOFOLLOW_LINKS);
        assertThat(FileOwner.stranger(link)).isEmpty();
        assertThat(FileOwner.stranger(link, LinkOption.NOFOLLOW_LINKS)).contains("4242");
    }

    @Test
    void aUserWithoutANameOwnsFiles() throws Exception {
        onlyAsRoot();
        assumeTrue(Files.isExecutable(SETPRIV), "there is no " + SETPRIV + " on this machine");
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
        Path classes = Files.createDirectories(directory.resolve("classes/dev/belay/toolbox/file"));
        for (Class<?> needed : List.of(FileOwner.class, Main.class)) {
            String name = needed.getName().substring(needed.getPackageName().length() + 1) + ".class";
            try (var bytes = needed.getResourceAsStream(name)) {
                Files.copy(bytes, classes.resolve(name));
            }
        }
        Path own = Files.createFile(directory.resolve("own"));
        Path other = Files.createFile(directory.resolve("other"));
        Files.setAttribute(own, "unix:uid", 4242);
        Files.setAttribute(other, "unix:uid", 4243);
        Process process = new ProcessBuilder(SETPRIV.toString(), "--reuid=4242", "--regid=4242",
                "--clear-groups", Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-cp",
                directory.resolve("classes").toString(), Main.class.getName(), own.toString(),
                other.toString(), "/")
                .redirectErrorStream(true)
                .start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(said).isZero();
        assertThat(said).isEqualTo("- 4243 - ");
    }

    private static void onlyAsRoot() {
        assumeTrue(ProcessHandle.current().info().user().orElse("").equals("root"),
                "only root can give files away");
    }
}
