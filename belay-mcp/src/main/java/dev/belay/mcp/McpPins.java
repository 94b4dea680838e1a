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
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Remembers what each tool of a server looked like when it was approved: its name, description, schemas and hints. A tool that changes
 * afterwards is not offered until it is approved again, because a description is read by the model and may say anything. A tool that
 * comes later waits in the same way, because a changed tool may have another name. What a server does not list any more is forgotten.
 * Thread-safe.
 *
 * <p>Pins in a file are shared: what another process approves counts here within a second. Beside the file stands what each server has
 * listed last.
 */
public final class McpPins {

    private static final Logger LOG = LoggerFactory.getLogger("dev.belay.mcp");
    private static final int LONGEST_DEFINITION = 64_000;
    /** Characters of definitions of one server that wait. */
    private static final int MOST_WAITING = 4 << 20;

    private final @Nullable Path file;
    private final boolean firstUse;
    private final SortedMap<String, String> approved = new TreeMap<>();
    private final SortedMap<String, Waiting> waiting = new TreeMap<>();
    /** Servers whose first tools were seen. */
    private final Set<String> known = new TreeSet<>();
    private String written = "";

    /**
     * A tool that is not offered until it is approved.
     *
     * @param server its name
     * @param tool by the server's name
     * @param hash of everything that a model or a person is told about it now
     * @param definition what the server says about it now, as JSON: the text that the hash is taken of, all of it
     */
    public record Waiting(String server, String tool, String hash, String definition) {}

    /**
     * A tool as its server lists it now.
     *
     * @param tool by the server's name
     * @param hash of everything that a model or a person is told about it
     * @param definition the text that the hash is taken of, for a person who is asked to approve it
     */
    public record Seen(String tool, String hash, Supplier<String> definition) {}

    private McpPins(@Nullable Path file, boolean firstUse) {
        this.file = file;
        this.firstUse = firstUse;
    }

    /** Approves the first tools that a server lists, and forgets them with this process. */
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
            if (text.equals(written)) {
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
            List<String> servers = kept.get("servers")
                    .map(Json::items)
                    .orElse(List.of())
                    .stream()
                    .map(Json::asString)
                    .toList();
            known.clear();
            known.addAll(servers);
            approved.clear();
            approved.putAll(hashes);
            waiting.clear();
            waiting.putAll(open);
            written = text;
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
     * Why tools of a server are not offered, by its names. The first tools of a server are approved here, unless everything is asked for.
     *
     * @param seen all that it lists now
     */
    public synchronized Map<String, String> refused(String server, List<Seen> seen) {
        boolean first = !seen.isEmpty() && known.add(server);
        boolean changed = first;
        Map<String, String> refused = new LinkedHashMap<>();
        Map<String, String> pins = new TreeMap<>();
        Map<String, Waiting> open = new TreeMap<>();
        int characters = 0;
        for (Seen one : seen) {
            String key = key(server, one.tool);
            String pin = first && firstUse ? one.hash : approved.get(key);
            if (pin != null) {
                pins.put(key, pin);
            }
            if (one.hash.equals(pin)) {
                continue;
            }
            String definition = one.definition.get();
            String why = pin == null
                    ? "it is new, and was not approved"
                    : "its description or schema is not the one that was approved";
            if (definition.length() > LONGEST_DEFINITION) {
                why += "; its description and schemas have " + definition.length() + " characters, and only "
                        + LONGEST_DEFINITION
                        + " are shown to a person, so it cannot be approved: let the server shorten them";
            } else if (characters + definition.length() > MOST_WAITING) {
                why = "more tools of its server wait for an approval than are kept; approve some of those";
            } else {
                characters += definition.length();
                open.put(key, new Waiting(server, one.tool, one.hash, definition));
            }
            refused.put(one.tool, why);
        }
        changed |= replaced(approved, server, pins);
        changed |= replaced(waiting, server, open);
        if (changed) {
            write();
        }
        return refused;
    }

    /** Replaces what there is of one server; true if that changes something. */
    private static <T> boolean replaced(SortedMap<String, T> all, String server, Map<String, T> now) {
        Map<String, T> before = all.subMap(key(server, ""), server + (char) ('/' + 1));
        if (before.equals(now)) {
            return false;
        }
        before.clear();
        all.putAll(now);
        return true;
    }

    /** The same for what a server has listed to an earlier process; approves and forgets nothing. */
    public synchronized Map<String, String> unapproved(String server, List<Seen> seen) {
        Map<String, String> refused = new LinkedHashMap<>();
        for (Seen one : seen) {
            if (!one.hash.equals(approved.get(key(server, one.tool)))) {
                refused.put(one.tool, "it was not approved as it is");
            }
        }
        return refused;
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
        String text = Json
                .object(Map.of("approved", Json.object(hashes), "waiting", Json.array(open), "servers",
                        Json.array(known.stream().map(Json::string).toList())))
                .text();
        try {
            replace(file, text);
        } catch (BelayException unkept) {
            forget();
            throw unkept;
        }
        written = text;
    }

    /** What could not be kept does not count in this process either: it would be a first use again in the next one. */
    private void forget() {
        known.clear();
        approved.clear();
        waiting.clear();
        written = "";
        reread();
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
