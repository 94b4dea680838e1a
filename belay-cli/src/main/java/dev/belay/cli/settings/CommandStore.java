package dev.belay.cli.settings;

import dev.belay.cli.shell.AgentWorkspace;
import dev.belay.cli.shell.CommandProblem;
import dev.belay.cli.shell.Shell;
import dev.belay.config.ConfigTable;
import dev.belay.runtime.store.Store;
import dev.belay.store.jdbc.JdbcStore;
import dev.belay.store.jdbc.PostgresOptions;
import dev.belay.store.jdbc.SqliteOptions;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The store of a command: a SQLite file, or a schema of a PostgreSQL server. The first of {@code --store}, {@code BELAY_STORE} and the
 * table {@code [store]} of a trusted workspace names it; otherwise it is the file of the workspace.
 */
public sealed interface CommandStore {

    /** Opens it, or makes it, to run turns. */
    Store open();

    /** Opens it without making anything. */
    Store existing();

    /** Whether there may be one; that of a server shows when it is opened. */
    boolean exists();

    /** This store; exit code 4 if there is none. */
    default CommandStore mustExist() {
        if (exists()) {
            return this;
        }
        throw CommandProblem.notFound("there is no database " + this
                + "; it is made by the first 'belay run', or by a program. Name another one with --store FILE");
    }

    /** Makes its tables, if they are not there. */
    void migrate();

    /**
     * The store of a command.
     *
     * @param named by the option {@code --store}, or null
     */
    static CommandStore of(Shell shell, AgentWorkspace workspace, @Nullable String named) {
        Optional<String> outside = Optional.ofNullable(named).or(() -> shell.variable("BELAY_STORE"));
        if (outside.isPresent()) {
            return of(shell, shell.directory(), outside.get(), "BELAY_STORE_USER", "BELAY_STORE_PASSWORD");
        }
        var usual = new File(workspace.database(), new OwnDirectory(shell, workspace)::mark);
        if (!Files.exists(workspace.settings())) {
            return usual;
        }
        Settings settings = Settings.of(shell, workspace);
        return settings.store().<CommandStore>map(choice -> {
            new Trust(shell, workspace).require(settings);
            return choice.named(shell, workspace)
                    .<CommandStore>map(file -> new File(file.database(), file::opened))
                    .orElseGet(() -> of(shell, workspace.root(), choice.place(), choice.userVariable(),
                            choice.passwordVariable()));
        }).orElse(usual);
    }

    private static CommandStore of(Shell shell, Path directory, String place, String user, String password) {
        return place.startsWith(Server.PREFIX)
                ? new Server(place, shell.variable(user).orElse(null), shell.variable(password).orElse(null))
                : new File(directory.resolve(place).normalize(), () -> "");
    }

    /**
     * What {@code [store]} says.
     *
     * @param place a file, or a URL of JDBC
     * @param userVariable the environment variable that has the user of a server
     * @param passwordVariable the environment variable that has the password
     */
    record Choice(String place, String userVariable, String passwordVariable) {

        private static final List<String> KEYS = List.of("url", "user_env", "password_env");

        static Choice of(ConfigTable table) {
            table.unknown(KEYS).stream().findFirst().ifPresent(problem -> {
                throw CommandProblem.usage(problem.toString());
            });
            String place = table.text("url")
                    .orElseThrow(() -> table.refused("url", "[store] names a file or jdbc:postgresql://..."));
            if (place.contains("password=")) {
                throw table.refused("url",
                        "a password does not stand in a file; name its variable with password_env");
            }
            return new Choice(place, table.text("user_env").orElse("BELAY_STORE_USER"),
                    table.text("password_env").orElse("BELAY_STORE_PASSWORD"));
        }

        /** The file that it names; empty if that is a server. */
        Optional<NamedStore> named(Shell shell, AgentWorkspace workspace) {
            return place.startsWith(Server.PREFIX)
                    ? Optional.empty()
                    : Optional.of(new NamedStore(shell, workspace.root().resolve(place).normalize()));
        }

        /** What a person must allow: the store receives whole conversations, and a server the password. */
        List<String> wishes() {
            return place.startsWith(Server.PREFIX)
                    ? List.of("keep sessions in " + place,
                            "send it the password in " + passwordVariable)
                    : List.of("keep sessions in the file " + place
                            + ": turns and approvals that are in it count");
        }
    }

    /**
     * A SQLite file.
     *
     * @param path of the file
     * @param mark what it is opened with; the empty text if a person has named it
     */
    record File(Path path, Supplier<String> mark) implements CommandStore {

        @Override
        public Store open() {
            return JdbcStore.sqlite(path, options());
        }

        @Override
        public Store existing() {
            return JdbcStore.existing(path, options());
        }

        private SqliteOptions options() {
            return SqliteOptions.STANDARD.withMark(mark.get());
        }

        @Override
        public boolean exists() {
            return Files.exists(path);
        }

        @Override
        public void migrate() {
            open().close();
        }

        @Override
        public String toString() {
            return path.toString();
        }
    }

    /**
     * A schema of a PostgreSQL server; {@code currentSchema} of the URL names it, {@code belay} by default.
     *
     * @param url of the database, as JDBC writes it
     * @param user or null, if the URL names it
     * @param password or null, if none is needed or the URL has it
     */
    record Server(String url, @Nullable String user, @Nullable String password) implements CommandStore {

        static final String PREFIX = "jdbc:postgresql:";
        private static final String SCHEMA = "currentSchema=";

        private PostgresOptions options() {
            int at = url.indexOf(SCHEMA, Math.max(0, url.indexOf('?')));
            if (at < 0) {
                return PostgresOptions.STANDARD;
            }
            String rest = url.substring(at + SCHEMA.length());
            String name = rest.contains("&") ? rest.substring(0, rest.indexOf('&')) : rest;
            return PostgresOptions.STANDARD.withSchema(URLDecoder.decode(name, StandardCharsets.UTF_8));
        }

        private UrlSource source() {
            return new UrlSource(url, user, password);
        }

        @Override
        public Store open() {
            return JdbcStore.postgres(source(), options());
        }

        @Override
        public Store existing() {
            return JdbcStore.existing(source(), options());
        }

        @Override
        public boolean exists() {
            return true;
        }

        @Override
        public void migrate() {
            JdbcStore.migrate(source(), options());
        }

        /** Without its parameters: one may be a password. */
        @Override
        public String toString() {
            return url.contains("?") ? url.substring(0, url.indexOf('?')) : url;
        }
    }
}
