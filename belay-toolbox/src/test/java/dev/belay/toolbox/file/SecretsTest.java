package dev.belay.toolbox.file;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.toolbox.Calls;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Keeps R.7: secrets are refused by default, under other letter cases too. */
class SecretsTest {

    @TempDir
    Path root;

    private Calls files;

    @BeforeEach
    void open() {
        files = new Calls(FileTools.writing(root, FileRules.DEFAULT));
    }

    @ParameterizedTest
    @ValueSource(strings = {".env", ".env.local", ".ENV", ".Env.Production", ".git/config", ".GIT/config",
        ".gIt",
        "sub/.ssh/id_rsa", "id_rsa", "ID_RSA.old", "id_ed25519", "server.pem", "SERVER.PEM", "tls.key",
        ".belay/x",
        ".BELAY", "a/.aws/credentials", ".npmrc", "store.jks", ".git.", ".env ", ".g\u200cit", ".env::$DATA",
        "\uff0eenv", ".\u017fsh", "sub/../.env"})
    void secretNamesAreRefused(String path) throws IOException {
        assertThat(files.code("read_file", "path", path)).isEqualTo("protected_path");
        assertThat(files.code("list_dir", "path", path)).isEqualTo("protected_path");
        assertThat(files.code("write_file", "path", path, "content", "x")).isEqualTo("protected_path");
        assertThat(files.code("edit_file", "path", path, "find", "x", "replace", "y"))
                .isEqualTo("protected_path");
        assertThat(files.code("grep", "pattern", "x", "path", path)).isEqualTo("protected_path");
        try (var left = Files.list(root)) {
            assertThat(left).isEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"env", "environment.txt", ".environment", "git/x", ".gitignore", "keys.txt",
        "monkey",
        ".belayer", "pem", "src/key/Key.java"})
    void ordinaryNamesAreNot(String path) {
        assertThat(files.text("write_file", "path", path, "content", "x")).startsWith("written: ");
        assertThat(files.text("read_file", "path", path)).isEqualTo("x");
    }

    @Test
    void linkToASecretIsRefused() throws IOException {
        Files.writeString(root.resolve(".env"), "PASSWORD=x");
        Files.createSymbolicLink(root.resolve("notes.txt"), Path.of(".env"));
        assertThat(files.code("read_file", "path", "notes.txt")).isEqualTo("protected_path");
        assertThat(files.code("write_file", "path", "notes.txt", "content", "x")).isEqualTo("protected_path");
        assertThat(root.resolve(".env")).hasContent("PASSWORD=x");
    }

    @Test
    void searchesPassSecretsOver() throws IOException {
        Files.writeString(root.resolve(".env"), "PASSWORD=x");
        Files.createDirectories(root.resolve(".git/objects"));
        Files.writeString(root.resolve(".git/objects/PASSWORD"), "PASSWORD");
        Files.writeString(root.resolve("tls.KEY"), "PASSWORD");
        assertThat(files.text("grep", "pattern", "PASSWORD")).isEqualTo("no matches\n");
        assertThat(files.text("glob", "pattern", "**")).isEqualTo("no files\n");
    }

    @Test
    void hostDecidesWhatIsSecret() throws IOException {
        Calls own = new Calls(FileTools.writing(root,
                FileRules.DEFAULT.notSecret(".env.example").alsoSecret("*.tfvars")));
        Files.writeString(root.resolve(".env.example"), "KEY=");
        assertThat(own.text("read_file", "path", ".env.example")).isEqualTo("KEY=");
        assertThat(own.code("read_file", "path", ".env")).isEqualTo("protected_path");
        assertThat(own.code("read_file", "path", "Prod.TFVARS")).isEqualTo("protected_path");
    }
}
