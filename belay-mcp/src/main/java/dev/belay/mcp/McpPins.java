package dev.belay.mcp;

import dev.belay.BelayException;
import dev.belay.json.Json;
import dev.belay.json.JsonException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Remembers what each tool of a server looked like when it was approved: its name, description, schemas and hints. A tool that changes
 * afterwards is not offered until it is approved again, because a description is read by the model and may say anything. Thread-safe.
 */
public final class McpPins {

    private final @Nullable Path file;
    private final boolean firstUse;
    private final Map<String, String> approved = new TreeMap<>();

    private McpPins(@Nullable Path file, boolean firstUse) {
        this.file = file;
        this.firstUse = firstUse;
    }

    /** Approves a tool when it is seen first, and forgets it with this process. */
    public static McpPins inMemory() {
        return new McpPins(null, true);
    }

    /**
     * The same, kept in a file across processes.
     *
     * @throws BelayException {@code mcp_pins_unreadable} if the file is there and cannot be read
     */
    public static McpPins file(Path file) {
        return new McpPins(file, true).read();
    }

    /** The same, with nothing approved by itself: new tools wait for {@link McpServers#approve} too. */
    public static McpPins asking(Path file) {
        return new McpPins(file, false).read();
    }

    private McpPins read() {
        if (file != null && Files.exists(file)) {
            try {
                Json.of(Files.readString(file))
                        .fields()
                        .forEach((tool, hash) -> approved.put(tool, hash.asString()));
            } catch (IOException | JsonException e) {
                throw new BelayException("mcp_pins_unreadable", "the approved tools in " + file
                        + " cannot be read (" + e.getMessage()
                        + "): mend the file, or remove it and approve the tools again");
            }
        }
        return this;
    }

    /** Whether a tool may be offered as it is now; the first sight of it approves it, unless everything is asked for. */
    public synchronized boolean accepts(String server, String tool, String hash) {
        String known = approved.get(server + "/" + tool);
        if (known == null && firstUse) {
            approve(server, tool, hash);
            return true;
        }
        return hash.equals(known);
    }

    /** Approves a tool as it is now. */
    public synchronized void approve(String server, String tool, String hash) {
        approved.put(server + "/" + tool, hash);
        if (file == null) {
            return;
        }
        Map<String, Json> all = new LinkedHashMap<>();
        approved.forEach((name, value) -> all.put(name, Json.string(value)));
        try {
            Path aside = file.resolveSibling(file.getFileName() + ".new");
            Files.write(aside, Json.object(all).text().getBytes(StandardCharsets.UTF_8));
            Files.move(aside, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            throw new BelayException("mcp_pins_unwritable", "the approved tools cannot be kept in " + file
                    + ": " + e.getMessage());
        }
    }
}
