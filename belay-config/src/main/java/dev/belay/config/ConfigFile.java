package dev.belay.config;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.tomlj.Toml;
import org.tomlj.TomlParseError;
import org.tomlj.TomlParseResult;
import org.tomlj.TomlVersion;

/**
 * A configuration file in TOML 1.0, read with the place of each key.
 *
 * <p>Immutable and thread-safe.
 */
public final class ConfigFile {

    /** A longer file is no configuration; reading it would take memory for nothing. */
    private static final long MOST_BYTES = 16L << 20;

    private final ConfigTable root;

    private ConfigFile(ConfigTable root) {
        this.root = root;
    }

    /** Reads a file; throws {@link ConfigException} with every syntax error, {@link UncheckedIOException} if it cannot be read. */
    public static ConfigFile read(Path file) {
        String name = file.toString();
        try {
            if (Files.size(file) > MOST_BYTES) {
                throw new ConfigException(List.of(new ConfigProblem(name, 1, 1, "the file has "
                        + Files.size(file) + " bytes, at most " + MOST_BYTES + " are allowed")));
            }
            return of(name, Files.readString(file));
        } catch (CharacterCodingException e) {
            throw new ConfigException(List.of(new ConfigProblem(name, 1, 1, "the file is not UTF-8 text")));
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + name, e);
        }
    }

    /**
     * Reads a text.
     *
     * @param name of the text, for messages
     * @param text TOML
     */
    public static ConfigFile of(String name, String text) {
        TomlParseResult parsed = Toml.parse(text, TomlVersion.V1_0_0);
        if (parsed.hasErrors()) {
            throw new ConfigException(parsed.errors().stream().map(error -> problem(name, error)).toList());
        }
        return new ConfigFile(new ConfigTable(name, "", parsed, 1, 1));
    }

    private static ConfigProblem problem(String name, TomlParseError error) {
        return new ConfigProblem(name, error.position().line(), error.position().column(),
                String.valueOf(error.getMessage()));
    }

    /** The table that holds everything. */
    public ConfigTable root() {
        return root;
    }
}
