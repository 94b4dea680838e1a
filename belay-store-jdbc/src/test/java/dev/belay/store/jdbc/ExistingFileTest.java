package dev.belay.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.belay.json.Json;
import dev.belay.laws.StoreDriver;
import dev.belay.runtime.Belay;
import dev.belay.runtime.BelayClient;
import dev.belay.runtime.dispatch.CallRequest;
import dev.belay.runtime.effect.Resolution;
import dev.belay.tool.StaticToolProvider;
import dev.belay.tool.ToolDefinition;
import dev.belay.tool.ToolResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Contract V.1: a client opens what a runtime has made, and makes nothing. */
class ExistingFileTest {

    private static final long A_MOMENT = 200_000;

    @TempDir
    Path directory;

    private Path file() {
        return directory.resolve("belay.db");
    }

    private void refused(String code, String... words) {
        assertThatThrownBy(() -> JdbcStore.existing(file()).close()).hasMessageContainingAll(words)
                .extracting("code")
                .isEqualTo(code);
    }

    @Test
    void missingFileIsToldAndNotMade() throws Exception {
        refused("journal_missing", "there is no file");
        try (var files = Files.list(directory)) {
            assertThat(files).isEmpty();
        }
    }

    @Test
    void fileOfAnEarlierFormatIsToldAndLeftAsItIs() throws Exception {
        JdbcStore.sqlite(file()).close();
        try (var db = DriverManager.getConnection("jdbc:sqlite:" + file());
                var change = db.createStatement()) {
            change.execute("pragma user_version = 1");
        }
        refused("journal_older", "format 1", "Use the build that wrote it");
        try (var db = DriverManager.getConnection("jdbc:sqlite:" + file());
                var select = db.createStatement();
                var version = select.executeQuery("pragma user_version")) {
            assertThat(version.getLong(1)).isEqualTo(1);
        }
    }

    @Test
    void emptyAndForeignFilesAreTold() throws Exception {
        Files.createFile(file());
        refused("journal_older", "no tables", "belay store migrate", "runtime");
        Files.writeString(file(), "no database ".repeat(500));
        refused("journal_unusable", "no database");
    }

    @Test
    void closedStoreIsReadWithoutAnOwner() throws Exception {
        JdbcStore.sqlite(file()).close();
        try (StoreDriver store = new StoreDriver(JdbcStore.existing(file()))) {
            assertThat(store.sessions(null, 9)).isEmpty();
            assertThat(directory.resolve("belay.db-owners")).isEmptyDirectory();
        }
    }

    @Test
    void withoutTheSecretFromOutsideKeysAreNeitherCheckedNorMade() throws Exception {
        Path secret = directory.resolve("secret");
        Files.writeString(secret, "ab".repeat(32));
        SqliteOptions signed = SqliteOptions.STANDARD.withSecrets(SigningSecrets.file(secret));
        var tokens = new LinkedBlockingQueue<String>();
        var tools = StaticToolProvider.builder()
                .raw(ToolDefinition.raw("ask", "Asks.", Json.of("{\"type\":\"object\"}")), (in, context) -> {
                    tokens.add(context.completionKey().token());
                    return ToolResult.pending();
                })
                .build();
        try (Belay belay = Belay.builder()
                .tools(tools)
                .parkAfter(Duration.ZERO)
                .store(JdbcStore.sqlite(file(), signed))
                .build(); BelayClient blind = Belay.client(JdbcStore.existing(file()))) {
            belay.calls().submit("batch", List.of(new CallRequest("ask", "{}")));
            String token = tokens.take();
            while (blind.pending(null, 1).items().isEmpty()) {
                LockSupport.parkNanos(A_MOMENT);
            }
            String id = blind.pending(null, 1).items().getFirst().keyId();
            for (String key : List.of(token, token + "x")) {
                assertThatThrownBy(() -> blind.resolve(key, Resolution.ok(Json.TRUE))).extracting("code")
                        .isEqualTo("secret_unavailable");
            }
            assertThatThrownBy(() -> blind.reissue(id)).extracting("code").isEqualTo("secret_unavailable");
            assertThat(blind.audit(0, 9)).isEmpty();
            try (BelayClient knowing = Belay.client(JdbcStore.existing(file(), signed))) {
                assertThat(knowing.reissue(id).token()).isEqualTo(token);
            }
        }
    }
}
