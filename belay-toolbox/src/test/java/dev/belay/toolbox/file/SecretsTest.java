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
    @ValueSource(strings = {"prod.env", ".env~", ".env.bak", ".env-prod", "prod.env.old", ".envrc",
        "credentials",
        "credentials.json", "credentials.toml", "credentials-prod.yml", "Credentials.bak", "credentials.py",
        "application_default_credentials.json", ".claude/.credentials.json", ".config/gh/hosts.yml",
        "home/.config/gh", ".cargo/credentials.toml", ".cargo/credentials", ".gem/credentials",
        ".config/gcloud/access_tokens.db", ".azure/msal_token_cache.json", ".aws/sso/cache/x.json", ".boto",
        "service-account-prod.json", "client_secret_1.json", ".config/rclone/rclone.conf", "prod.tfstate",
        "terraform.tfstate.backup", ".kube/config", "kubeconfig", "prod.kubeconfig", ".docker/config.json",
        ".dockercfg", ".config/containers/auth.json", ".npmrc", ".npmrc~", ".pypirc", ".pip/pip.conf",
        ".config/pip/pip.conf", ".m2/settings.xml", ".gradle/gradle.properties", ".composer/auth.json",
        ".netrc", ".git-credentials", ".my.cnf", ".pgpass", ".bash_history", "secrets.yaml", "secrets.toml",
        ".ssh/config", "id_ed25519_work", "ssh_host_rsa_key", "AuthKey_1.p8", "x.ppk", ".gnupg/secring.gpg",
        "backup.asc", "vault.kdbx", ".password-store/x", "Library/Keychains/login.keychain-db",
        ".local/share/keyrings/login.keyring", ".mozilla/firefox/x/cookies.sqlite", "p/logins.json",
        "p/key4.db",
        ".config/google-chrome/Default/Login Data", "p/Login Data For Account", "Default/Cookies",
        "Library/Application Support/Google/Chrome/Default/History", "wallet.dat", ".electrum/wallets/w",
        "keystore/UTC--2020-01-01T00-00-00.0Z--ab", ".config/solana/id.json", ".bitcoin/bitcoin.conf"})
    void whatPeopleKeepSecretIsRefused(String path) {
        assertThat(files.code("read_file", "path", path)).isEqualTo("protected_path");
    }

    @ParameterizedTest
    @ValueSource(strings = {"src/CredentialsProvider.java", "Credentials.kt", "credentials_test.go",
        "credentials_test.py", "docs/credentials.md", "config/gh/x", "gh/hosts.yml", "pip.conf", "auth.json",
        "settings.xml", "gradle.properties", ".config/nvim/init.lua", ".cargo/config.toml",
        "src/cookies/Cookies.ts",
        "secrets.py", "wallet.ts", "history.txt", "main.tf", "public.crt", "notes~", "old.bak", "Google/x",
        "server.conf.bak", "service.json"})
    void whatOnlyLooksLikeItIsNot(String path) {
        assertThat(files.text("write_file", "path", path, "content", "x")).startsWith("written: ");
        assertThat(files.text("read_file", "path", path)).isEqualTo("x");
    }

    @Test
    void nameBelowAnotherIsFoundOnEveryWay() throws IOException {
        Path config = Files.createDirectories(root.resolve(".config/gh"));
        Files.writeString(config.resolve("hosts.yml"), "token");
        assertThat(files.text("list_dir", "path", ".config"))
                .isEqualTo("[1 protected names are not shown]\n");
        assertThat(files.text("grep", "pattern", "token")).isEqualTo("no matches\n");
        assertThat(files.text("glob", "pattern", "*.yml")).isEqualTo("no files\n");
        assertThat(files.text("glob", "pattern", "*.yml", "path", ".config")).isEqualTo("no files\n");
        Calls inside = new Calls(FileTools.reading(root.resolve(".config"), FileRules.DEFAULT));
        assertThat(inside.code("read_file", "path", "gh/hosts.yml")).isEqualTo("protected_path");
        assertThat(inside.text("grep", "pattern", "token")).isEqualTo("no matches\n");
        Calls allowed = new Calls(FileTools.reading(root, FileRules.DEFAULT.notSecret(".config/gh")));
        assertThat(allowed.text("read_file", "path", ".config/gh/hosts.yml")).isEqualTo("token");
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
