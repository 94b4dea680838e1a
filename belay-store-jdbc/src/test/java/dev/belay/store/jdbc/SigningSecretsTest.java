package dev.belay.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.belay.BelayException;
import dev.belay.laws.StoreDriver;
import dev.belay.runtime.store.journal.Secret;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A secret that comes from outside signs completion keys and is not in the file. */
class SigningSecretsTest {

    private static final byte[] ONE = secret(1);
    private static final byte[] TWO = secret(2);

    @TempDir
    Path directory;

    private static byte[] secret(int first) {
        byte[] bytes = new byte[Secret.LENGTH];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = (byte) (first * 31 + i * 7);
        }
        return bytes;
    }

    private static String text(byte[]... secrets) {
        return String.join("\n", Arrays.stream(secrets).map(Base64.getEncoder()::encodeToString).toList());
    }

    private Path file() {
        return directory.resolve("belay.db");
    }

    private StoreDriver open() {
        return new StoreDriver(JdbcStore.sqlite(file()));
    }

    private StoreDriver open(byte[]... secrets) throws IOException {
        Path source = Files.writeString(directory.resolve("secrets"), text(secrets) + "\n");
        return new StoreDriver(
                JdbcStore.sqlite(file(), SqliteOptions.STANDARD.withSecrets(SigningSecrets.file(source))));
    }

    private static void isRefused(Throwable e, String code, String... words) {
        assertThat(e).isInstanceOf(BelayException.class).hasMessageContainingAll(words);
        assertThat(((BelayException) e).code()).isEqualTo(code);
    }

    private boolean isInAFile(byte[] bytes) throws IOException {
        String sought = new String(bytes, StandardCharsets.ISO_8859_1);
        try (var files = Files.list(directory)) {
            return files.filter(file -> String.valueOf(file.getFileName()).startsWith("belay.db"))
                    .filter(Files::isRegularFile)
                    .anyMatch(file -> read(file).contains(sought));
        }
    }

    private static String read(Path file) {
        try {
            return Files.readString(file, StandardCharsets.ISO_8859_1);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void aSecretFromOutsideSignsAndIsNotStored() throws Exception {
        try (StoreDriver journal = open(ONE)) {
            assertThat(journal.currentSecret().bytes()).isEqualTo(ONE);
            long id = Sample.submitted(journal, "s").secret();
            assertThat(journal.secret(id).orElseThrow().bytes()).isEqualTo(ONE);
            assertThat(isInAFile(ONE)).isFalse();
        }
        assertThat(isInAFile(ONE)).isFalse();
        try (StoreDriver again = open(ONE)) {
            assertThat(again.currentSecret().bytes()).isEqualTo(ONE);
        }
        assertThat(Sample.query(file(), "select id from secret")).as("opening again adds none")
                .containsExactly("1");
    }

    @Test
    void aSecretInTheStoreIsInTheFile() throws IOException {
        try (StoreDriver journal = open()) {
            assertThat(isInAFile(journal.currentSecret().bytes())).isTrue();
        }
    }

    @Test
    void aStoreWhoseSecretIsMissingIsNotOpenedAndMakesNone() throws Exception {
        open(ONE).close();
        assertThatThrownBy(this::open)
                .satisfies(e -> isRefused(e, "secret_unavailable", "from outside", "open the store with it"));
        assertThat(Sample.query(file(), "select length(bytes) from secret")).containsExactly("16");
    }

    @Test
    void theFirstSecretSignsAndTheOthersStayKnown() throws IOException {
        long old;
        try (StoreDriver journal = open(ONE)) {
            old = journal.currentSecret().id();
        }
        try (StoreDriver journal = open(TWO, ONE)) {
            assertThat(journal.currentSecret().bytes()).isEqualTo(TWO);
            assertThat(journal.currentSecret().id()).isGreaterThan(old);
            assertThat(journal.secret(old).orElseThrow().bytes()).isEqualTo(ONE);
        }
        try (StoreDriver journal = open(TWO)) {
            assertThat(journal.secret(old)).as("a secret that was taken out is revoked").isEmpty();
        }
    }

    @Test
    void aStoreMovesFromItsOwnSecretToOneFromOutside() throws IOException {
        Secret own;
        try (StoreDriver journal = open()) {
            own = journal.currentSecret();
        }
        try (StoreDriver journal = open(ONE)) {
            assertThat(journal.currentSecret().bytes()).isEqualTo(ONE);
            assertThat(journal.secret(own.id()).orElseThrow().bytes()).isEqualTo(own.bytes());
            journal.revokeSecret(own.id());
            assertThat(journal.secret(own.id())).isEmpty();
            assertThat(journal.currentSecret().bytes()).isEqualTo(ONE);
        }
    }

    @Test
    void aSecretFromOutsideIsReplacedOutside() throws IOException {
        try (StoreDriver journal = open(ONE)) {
            assertThatThrownBy(journal::rotateSecret)
                    .satisfies(e -> isRefused(e, "secret_outside", "put a new secret in front of it"));
            assertThatThrownBy(() -> journal.revokeSecret(journal.currentSecret().id()))
                    .satisfies(e -> isRefused(e, "secret_outside", "take it out"));
            assertThat(journal.currentSecret().bytes()).isEqualTo(ONE);
        }
    }

    @Test
    void secretsAreReadFromBothForms() {
        SigningSecrets both = SigningSecrets.of("test", " " + HexFormat.of().formatHex(ONE) + "\n\t"
                + Base64.getUrlEncoder().withoutPadding().encodeToString(TWO) + " ");

        assertThat(both.bytes()).containsExactly(ONE, TWO);
        assertThat(both.toString()).isEqualTo("SigningSecrets[2]");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "hunter2", "aHVudGVyMmh1bnRlcjI=", "not*base64", "00"})
    void whatIsNoSecretIsRefusedAndNotShown(String text) {
        assertThatThrownBy(() -> SigningSecrets.of("the file x", text))
                .satisfies(e -> isRefused(e, "secret_unavailable", "the file x", "32 bytes", "openssl rand"))
                .satisfies(e -> assertThat(text.isEmpty() || !e.toString().contains(text)).isTrue());
    }

    @Test
    void aMissingSourceIsNamed() {
        assertThatThrownBy(() -> SigningSecrets.environment("BELAY_TEST_NO_SUCH_VARIABLE")).satisfies(
                e -> isRefused(e, "secret_unavailable", "BELAY_TEST_NO_SUCH_VARIABLE", "is not set"));
        assertThatThrownBy(() -> SigningSecrets.file(directory.resolve("none"))).satisfies(
                e -> isRefused(e, "secret_unavailable", "none", "cannot be read"));
    }
}
