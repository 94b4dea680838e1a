package dev.belay.mcp;

import dev.belay.BelayException;
import dev.belay.json.Json;
import dev.belay.json.JsonException;
import dev.belay.runtime.BelayClient;
import dev.belay.runtime.operate.VerbResult;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Remembers what each tool of a server looked like when it was approved: its name, description, schemas and hints. A tool that changes
 * afterwards is not offered until it is approved again, because a description is read by the model and may say anything. Thread-safe.
 *
 * <p>Pins in a file are shared: what another process approves counts here within a second. Beside the file stands what each server has
 * listed last.
 */
public final class McpPins {

    private static final Logger LOG = LoggerFactory.getLogger("dev.belay.mcp");
    private static final int LONGEST_DEFINITION = 16_384;

    private final @Nullable Path file;
    private final boolean firstUse;
    private final Map<String, String> approved = new TreeMap<>();
    private final Map<String, Waiting> waiting = new TreeMap<>();
    private String known = "";
    private boolean dirty;

    /**
     * A tool that is not offered until it is approved.
     *
     * @param server its name
     * @param tool by the server's name
     * @param hash of everything that a model or a person is told about it now
     * @param definition what the server says about it now, as JSON: the text that the hash is taken of, cut after 16,384 characters
     */
    public record Waiting(String server, String tool, String hash, String definition) {}

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
        var pins = new McpPins(file, true);
        pins.reread();
        return pins;
    }

    /** The same, with nothing approved by itself: new tools wait for {@link #approve} too. */
    public static McpPins asking(Path file) {
        var pins = new McpPins(file, false);
        pins.reread();
        return pins;
    }

    /** Reads the file again; true if another process has changed it. */
    public synchronized boolean reread() {
        if (file == null || !Files.exists(file)) {
            return false;
        }
        try {
            String text = Files.readString(file);
            if (text.equals(known)) {
                return false;
            }
            Json kept = Json.of(text);
            Map<String, String> hashes = new TreeMap<>();
            kept.get("approved")
                    .orElse(Json.EMPTY_OBJECT)
                    .fields()
                    .forEach((tool, hash) -> hashes.put(tool, hash.asString()));
            Map<String, Waiting> open = new TreeMap<>();
            for (Json one : kept.get("waiting").map(Json::items).orElse(List.of())) {
                var tool = new Waiting(text(one, "server"), text(one, "tool"), text(one, "hash"),
                        text(one, "definition"));
                open.put(key(tool.server, tool.tool), tool);
            }
            approved.clear();
            approved.putAll(hashes);
            waiting.clear();
            waiting.putAll(open);
            known = text;
            return true;
        } catch (IOException | JsonException | IllegalStateException e) {
            throw new BelayException("mcp_pins_unreadable", "the approved tools in " + file
                    + " cannot be read (" + e.getMessage()
                    + "): mend the file, or remove it and approve the tools again");
        }
    }

    private static String text(Json object, String field) {
        return object.get(field).orElse(Json.string("")).asString();
    }

    private static String key(String server, String tool) {
        return server + "/" + tool;
    }

    /**
     * Whether a tool may be offered as it is now; the first sight of it approves it, unless everything is asked for.
     *
     * @param definition shown to a person who is asked to approve it
     */
    public synchronized boolean accepts(String server, String tool, String hash,
            Supplier<String> definition) {
        String pinned = approved.get(key(server, tool));
        if (hash.equals(pinned)) {
            return true;
        }
        if (pinned == null && firstUse) {
            approved.put(key(server, tool), hash);
            dirty = true;
            return true;
        }
        String whole = definition.get();
        var now = new Waiting(server, tool, hash, whole.length() <= LONGEST_DEFINITION
                ? whole
                : whole.substring(0, LONGEST_DEFINITION) + "…");
        if (!now.equals(waiting.put(key(server, tool), now))) {
            dirty = true;
        }
        return false;
    }

    /** Whether a tool was approved as it is; approves nothing. */
    public synchronized boolean isApproved(String server, String tool, String hash) {
        return hash.equals(approved.get(key(server, tool)));
    }

    /** Keeps what was seen since the last time. */
    public synchronized void keep() {
        if (dirty) {
            write();
        }
    }

    /** The tools that are not offered until they are approved. */
    public synchronized List<Waiting> waiting() {
        return List.copyOf(waiting.values());
    }

    /**
     * Approves a tool as it was shown; a row of the audit log says who did.
     *
     * @param by who approves
     * @param seen as {@link #waiting} listed it: a tool that has changed again since is not approved
     */
    public synchronized VerbResult approve(BelayClient by, Waiting seen) {
        reread();
        String key = key(seen.server, seen.tool);
        if (seen.hash.equals(approved.get(key))) {
            return VerbResult.ALREADY;
        }
        Waiting now = waiting.get(key);
        if (now == null || !now.hash.equals(seen.hash)) {
            return new VerbResult.NotPossible(now == null
                    ? "no tool " + seen.tool + " of server " + seen.server + " waits for an approval"
                    : "tool " + seen.tool + " of server " + seen.server
                            + " has changed again since it was shown; look at it once more");
        }
        by.note("mcp_approve", key, seen.hash);
        approved.put(key, seen.hash);
        waiting.remove(key);
        write();
        return VerbResult.DONE;
    }

    /**
     * What a server has listed last, by any process that keeps its pins in the same file. Calls that wait for a server which is away
     * find their tools in it.
     */
    public Optional<Json> listed(String server) {
        if (file == null || !Files.exists(list(server))) {
            return Optional.empty();
        }
        try {
            return Optional.of(Json.of(Files.readString(list(server))));
        } catch (IOException | JsonException unreadable) {
            return Optional.empty(); // the server lists its tools again
        }
    }

    /** Keeps what a server has listed, beside the file of the pins. A list that cannot be kept is logged: the server lists it again. */
    public synchronized void keep(String server, Json list) {
        if (file != null && !list.equals(listed(server).orElse(null))) {
            try {
                replace(list(server), list.text());
            } catch (BelayException e) {
                LOG.warn("What server {} has listed is not kept for the next process: {}", server,
                        e.getMessage());
            }
        }
    }

    private Path list(String server) {
        return Objects.requireNonNull(file).resolveSibling(file.getFileName() + "." + server);
    }

    private void write() {
        dirty = false;
        if (file == null) {
            return;
        }
        Map<String, Json> hashes = new LinkedHashMap<>();
        approved.forEach((name, value) -> hashes.put(name, Json.string(value)));
        List<Json> open = waiting.values()
                .stream()
                .map(tool -> Json.write(out -> out.beginObject()
                        .name("server")
                        .value(tool.server)
                        .name("tool")
                        .value(tool.tool)
                        .name("hash")
                        .value(tool.hash)
                        .name("definition")
                        .value(tool.definition)
                        .endObject()))
                .toList();
        String text = Json.object(Map.of("approved", Json.object(hashes), "waiting", Json.array(open)))
                .text();
        replace(file, text);
        known = text;
    }

    private static void replace(Path file, String text) {
        try {
            // a new name, and for the owner only
            Path aside = Files.createTempFile(file.toAbsolutePath().resolveSibling(""),
                    file.getFileName() + ".", ".new");
            Files.write(aside, text.getBytes(StandardCharsets.UTF_8));
            Files.move(aside, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            throw new BelayException("mcp_pins_unwritable", "the approved tools cannot be kept in " + file
                    + ": " + e.getMessage());
        }
    }
}
