package dev.belay.store.jdbc.file;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.List;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Contract L.8: an owner is alive while its lock is held; nobody's file is touched while he lives. */
class OwnerLockTest {

    private final RandomGenerator random = new SecureRandom();

    @TempDir
    Path directory;

    private List<String> files() throws IOException {
        try (var files = Files.list(directory)) {
            return files.map(path -> String.valueOf(path.getFileName())).sorted().toList();
        }
    }

    @Test
    void anOwnerLivesUntilItIsClosed() throws IOException {
        try (var looking = OwnerLock.acquire(directory, random)) {
            OwnerLock other = OwnerLock.acquire(directory, random);
            assertThat(looking.alive(other.owner())).isTrue();
            assertThat(looking.alive(looking.owner())).isTrue();
            other.close();
            assertThat(looking.alive(other.owner())).isFalse();
            assertThat(files()).containsExactly(looking.owner() + ".lock");
        }
        assertThat(files()).isEmpty();
    }

    @Test
    void anOwnerHas128Bits() throws IOException {
        try (var one = OwnerLock.acquire(directory, random); var two = OwnerLock.acquire(directory, random)) {
            assertThat(one.owner()).matches("[0-9a-f]{32}").isNotEqualTo(two.owner());
        }
    }

    @Test
    void whoeverLeftNoFileIsDead() throws IOException {
        try (var looking = OwnerLock.acquire(directory, random)) {
            assertThat(looking.alive("0".repeat(32))).isFalse();
        }
    }

    /** As without rights, or without free file descriptors: what it owns must not run twice. */
    @Test
    void anOwnerWhoseFileCannotBeOpenedIsTakenToLive() throws IOException {
        try (var looking = OwnerLock.acquire(directory, random)) {
            Files.createDirectory(directory.resolve("2".repeat(32) + ".lock"));
            assertThat(looking.alive("2".repeat(32))).isTrue();
        }
    }

    @Test
    void filesOfTheDeadAreSweptAndThoseOfTheLivingAreNot() throws IOException {
        try (var looking = OwnerLock.acquire(directory, random);
                var living = OwnerLock.acquire(directory, random)) {
            Files.createFile(directory.resolve("1".repeat(32) + ".lock"));
            Files.createFile(directory.resolve("notes.txt"));
            looking.sweep();
            assertThat(files()).containsExactlyInAnyOrder(looking.owner() + ".lock", living.owner() + ".lock",
                    "notes.txt");
        }
    }

    @Test
    void filesThatAreNoLocksOfOwnersAreNotTouched() throws IOException {
        Path owners = Files.createDirectory(directory.resolve("owners"));
        List<Path> others = List.of(directory.resolve("Cargo.lock"), owners.resolve("yarn.lock"),
                owners.resolve("A".repeat(32) + ".lock"), owners.resolve("1".repeat(33) + ".lock"));
        for (Path other : others) {
            Files.writeString(other, "kept");
        }
        try (var looking = OwnerLock.acquire(owners, random)) {
            assertThat(looking.alive("../Cargo")).isFalse();
            assertThat(looking.alive(directory.resolve("Cargo").toString())).isFalse();
            looking.sweep();
        }
        assertThat(others).allSatisfy(other -> assertThat(other).hasContent("kept"));
    }

    @Test
    void aNameIsTakenOnlyOnce() throws IOException {
        Files.createFile(directory.resolve(first(8) + ".lock"));
        try (var one = OwnerLock.acquire(directory, new SplittableRandom(7));
                var two = OwnerLock.acquire(directory, new SplittableRandom(7));
                var three = OwnerLock.acquire(directory, new SplittableRandom(8))) {
            assertThat(one.owner()).isEqualTo(first(7));
            assertThat(two.owner()).isNotEqualTo(one.owner());
            assertThat(three.owner()).isNotEqualTo(first(8));
            assertThat(two.alive(one.owner())).isTrue();
        }
    }

    private static String first(int seed) {
        var numbers = new SplittableRandom(seed);
        return "%016x%016x".formatted(numbers.nextLong(), numbers.nextLong());
    }
}
