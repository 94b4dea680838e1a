package dev.belay.store.jdbc.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.belay.BelayException;
import dev.belay.laws.StoreDriver;
import dev.belay.store.jdbc.JdbcStore;
import dev.belay.store.jdbc.Sample;
import dev.belay.store.jdbc.SqliteOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.SQLException;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Issue: a network file system is refused, a read-only directory, and other places that cannot hold a journal. */
class StorePlaceTest {

    @TempDir
    Path directory;

    private static void refused(ThrowingCallable opening, String... words) {
        assertThatThrownBy(opening).isInstanceOfSatisfying(BelayException.class, e -> {
            assertThat(e.code()).isEqualTo("journal_unusable");
            assertThat(e).hasMessageContainingAll(words);
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"nfs", "nfs4", "NFS", "cifs", "smb", "smb2", "smb3", "smbfs", "sshfs",
        "fuse.sshfs",
        "afs", "9p", "glusterfs", "fuse.glusterfs", "lustre", "ceph", "fuse.ceph-fuse", "fuse.s3fs"})
    void aNetworkFileSystemIsRefused(String type) throws IOException {
        var options = SqliteOptions.STANDARD.withFileSystemType(where -> type);
        refused(() -> new StoreDriver(JdbcStore.sqlite(directory.resolve("belay.db"), options)),
                "network file system", type,
                "PostgreSQL");
        try (var files = Files.list(directory)) {
            assertThat(files).isEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"ext4", "xfs", "btrfs", "apfs", "NTFS", "tmpfs", "overlay", "zfs"})
    void aLocalFileSystemIsNot(String type) {
        assertThat(StorePlace.isNetworked(type)).isFalse();
    }

    @Test
    void theMachineIsAskedWhatTheFileSystemIs() throws IOException {
        assertThat(StorePlace.fileSystemType(directory)).isEqualTo(Files.getFileStore(directory).type());
    }

    @Test
    void aDirectoryMustExist() {
        refused(() -> new StoreDriver(JdbcStore.sqlite(directory.resolve("missing").resolve("belay.db"))),
                "missing",
                "does not exist");
    }

    @Test
    void aDirectoryIsNoFile() {
        refused(() -> new StoreDriver(JdbcStore.sqlite(directory)), "is a directory", "belay.db");
    }

    @Test
    void aFileThatIsNoDatabaseIsLeftAlone() throws IOException {
        Path notes = Files.writeString(directory.resolve("notes.txt"), "remember the milk\n".repeat(1_000));
        refused(() -> new StoreDriver(JdbcStore.sqlite(notes)), "no database");
        assertThat(notes).hasContent("remember the milk\n".repeat(1_000));
    }

    @Test
    void aDatabaseOfSomethingElseIsLeftAlone() throws SQLException, IOException {
        Path other = directory.resolve("other.db");
        Sample.execute(other, "create table customer (id integer primary key)");
        byte[] before = Files.readAllBytes(other);
        refused(() -> new StoreDriver(JdbcStore.sqlite(other)), "not one of Belay");
        assertThat(Files.readAllBytes(other)).isEqualTo(before);
    }

    @Test
    void aLinkToNothingIsRefused() throws IOException {
        Path link = Files.createSymbolicLink(directory.resolve("belay.db"), directory.resolve("target.db"));
        refused(() -> new StoreDriver(JdbcStore.sqlite(link)), "is a link");
    }

    @Test
    void aLinkAndItsFileAreOneJournal() throws IOException {
        Path real = directory.resolve("real.db");
        try (var journal = new StoreDriver(JdbcStore.sqlite(real))) {
            Path link = Files.createSymbolicLink(directory.resolve("link.db"), real);
            Sample.submitted(journal, "s");
            try (var linked = new StoreDriver(JdbcStore.sqlite(link))) {
                assertThat(linked.takeReady(10, 5, Sample.NOW)).isEmpty();
            }
        }
        assertThat(directory.resolve("link.db-owners")).doesNotExist();
    }

    @Test
    @EnabledOnOs(value = {OS.LINUX, OS.MAC}, disabledReason = "needs a POSIX file system and shell")
    void aReadOnlyDirectoryIsRefused() throws IOException {
        Path locked = Files.createDirectory(directory.resolve("locked"));
        Files.setPosixFilePermissions(locked, PosixFilePermissions.fromString("r-xr-xr-x"));
        try {
            // nothing is forbidden to root but what the kernel itself does not do
            Path place = Files.isWritable(locked) ? Path.of("/proc") : locked;
            assertThatThrownBy(() -> new StoreDriver(JdbcStore.sqlite(place.resolve("belay.db"))))
                    .isInstanceOfSatisfying(BelayException.class, e -> {
                        assertThat(e.code()).isIn("journal_unusable", "journal_unavailable");
                        assertThat(e).hasMessageContaining(place.toString());
                    });
        } finally {
            Files.setPosixFilePermissions(locked, PosixFilePermissions.fromString("rwxr-xr-x"));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"with space.db", "what?.db", "100%.db", "a#b.db", "mode=memory.db", "größe.db",
        "plain",
        "%41.db", "a&b;c.db"})
    void aNameIsTakenAsItIs(String name) throws IOException {
        Path file = directory.resolve(name);
        try (var journal = new StoreDriver(JdbcStore.sqlite(file))) {
            Sample.submitted(journal, "s");
        }
        try (var files = Files.list(directory)) {
            assertThat(files.map(path -> String.valueOf(path.getFileName()))).containsExactlyInAnyOrder(name,
                    name + "-owners");
        }
        try (var journal = new StoreDriver(JdbcStore.sqlite(file))) {
            assertThat(journal.takeReady(10, 5, Sample.NOW)).hasSize(1);
        }
    }
}
