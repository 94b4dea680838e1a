package dev.belay.mcp.client;

import dev.belay.json.Json;
import dev.belay.mcp.McpServer;
import dev.belay.mcp.client.wire.NoAnswerException;
import dev.belay.mcp.client.wire.Request;
import dev.belay.mcp.client.wire.Rpc;
import dev.belay.mcp.client.wire.RpcException;
import java.io.IOException;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * One connection to a server, from finding out which revision it speaks to its end. Thread-safe.
 *
 * <p>A server is asked with {@code server/discover} first; one that does not know it, or is silent, is greeted with {@code initialize}. A
 * program has three seconds for its answer, a server of HTTP half a minute.
 */
final class Connection implements AutoCloseable {

    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final int MOST_PAGES = 200;
    private static final int MOST_ENTRIES = 20_000;
    private static final String META = "io.modelcontextprotocol/";
    /** The extension by which calls become tasks, since 2026-07-28. */
    static final String TASKS = META + "tasks";
    /** Asks to be told of changes, until the connection ends. */
    static final String LISTEN = "subscriptions/listen";
    private static final Json ONLY_TASKS = Rpc.object("extensions",
            Rpc.object(TASKS, Json.EMPTY_OBJECT));
    private static final Json CLIENT = Rpc.object("name", Json.string("belay"), "version", Json.string("1"));

    private final String server;
    private final String target;
    private final Transport transport;
    private final Json declared;
    private final Duration probe;
    /** A server that knows the id of a request has read it: no id can be guessed. */
    private final RandomGenerator ids = new SecureRandom();
    private Revision revision = Revision.MODERN;
    private Json capabilities = Json.EMPTY_OBJECT;
    private volatile @Nullable Thread listening;

    private Connection(String server, String target, Transport transport, Json declared,
            Duration probe) {
        this.server = server;
        this.target = target;
        this.transport = transport;
        this.declared = declared;
        this.probe = probe;
    }

    /**
     * Opens a connection; blocks until the server has answered.
     *
     * @param declared what a server of an older revision may ask for at any time
     */
    static Connection open(McpServer server, Json declared, LiveServer.Backoff patience, Incoming incoming)
            throws IOException, InterruptedException, RpcException {
        String target = ServerTarget.hash(server); // of what is started, and not of what stands there later
        Transport transport = switch (server.way()) {
            case McpServer.Way.Program program ->
                StdioTransport.start(server.name(), program, server.secrets(), incoming);
            case McpServer.Way.Http http ->
                new HttpTransport(server.name(), http, server.secrets(), incoming);
        };
        var connection = new Connection(server.name(), target, transport, declared,
                server.way() instanceof McpServer.Way.Http ? patience.answer() : patience.probe());
        try {
            if (!connection.discover()) {
                connection.initialize();
            }
            connection.listen(incoming);
            return connection;
        } catch (IOException | InterruptedException | RpcException | RuntimeException e) {
            connection.close();
            throw e;
        }
    }

    /** Whether the server speaks 2026-07-28; one that refuses a version and names this one is asked once more. */
    private boolean discover() throws IOException, InterruptedException, RpcException {
        try {
            return discovered();
        } catch (RpcException e) {
            Json supported = e.data().kind() == Json.Kind.OBJECT
                    ? e.data().get("supported").orElse(Json.NULL)
                    : Json.NULL;
            if (supported.kind() != Json.Kind.ARRAY) {
                throw e;
            }
            return supported.items().contains(Json.string(revision.name())) && discovered();
        }
    }

    private boolean discovered() throws IOException, InterruptedException, RpcException {
        try {
            Json found = ask("server/discover", Json.EMPTY_OBJECT, null, Map.of(), probe, notification -> {});
            capabilities = found.get("capabilities").orElse(Json.EMPTY_OBJECT);
            return found.get("supportedVersions") // an older server may answer anything with an empty object
                    .filter(versions -> versions.kind() == Json.Kind.ARRAY
                            && versions.items().contains(Json.string(revision.name())))
                    .isPresent();
        } catch (RpcException e) {
            if (e.isModern()) {
                throw e; // it knows the question, and another revision only
            }
            return false;
        } catch (StatusException | NoAnswerException e) {
            return false;
        } catch (LostException e) {
            if (!e.sent()) {
                throw e;
            }
            return false; // silent, or gone: initialize finds out which
        }
    }

    private void initialize() throws IOException, InterruptedException, RpcException {
        revision = Revision.LEGACY;
        transport.speaks(revision);
        Json answer = ask("initialize",
                Rpc.object("protocolVersion", Json.string(revision.name()), "capabilities",
                        declared, "clientInfo", CLIENT),
                null, Map.of(), PATIENCE, notification -> {});
        String chosen = Rpc.text(answer, "protocolVersion");
        Revision spoken = chosen == null ? null : Revision.chosen(chosen);
        if (spoken == null) {
            throw new IOException("server " + server + " speaks revision " + chosen
                    + " of the protocol; known are " + Revision.MODERN.name() + ", " + Revision.LEGACY.name()
                    + " and older ones back to 2024-11-05");
        }
        revision = spoken;
        transport.speaks(spoken);
        capabilities = answer.get("capabilities").orElse(Json.EMPTY_OBJECT);
        transport.tell(Rpc.notification("notifications/initialized", Json.EMPTY_OBJECT));
    }

    private void listen(Incoming incoming) {
        boolean changes = capabilities.at("/tools/listChanged").filter(Json.TRUE::equals).isPresent();
        if (!revision.modern()) {
            if (transport instanceof HttpTransport http && (changes || !declared.fields().isEmpty())) {
                http.listen();
            }
            return;
        }
        if (!changes) {
            return;
        }
        listening = Thread.ofVirtual().name("belay-mcp-" + server + "-listen").start(() -> {
            try {
                ask(LISTEN,
                        Rpc.object("notifications", Rpc.object("toolsListChanged", Json.TRUE)),
                        null, Map.of(), null, incoming::notified);
            } catch (IOException | InterruptedException | RpcException over) {
                // the connection ended, or the server does not tell changes
            }
        });
    }

    /** A hash of what its calls reach. */
    String target() {
        return target;
    }

    /** The revision that is spoken. */
    Revision revision() {
        return revision;
    }

    /** Whether a call may become a task, which is asked about later. */
    boolean hasTasks() {
        return revision.modern()
                ? capabilities.at("/extensions").flatMap(all -> all.get(TASKS)).isPresent()
                : capabilities.at("/tasks/requests/tools/call").isPresent();
    }

    /** Whether the server says that it has something, such as {@code resources}. */
    boolean has(String capability) {
        return capabilities.get(capability).isPresent();
    }

    /** All tools as the server describes them, at most 20,000. */
    List<Json> tools() throws IOException, InterruptedException, RpcException {
        return all("tools/list", "tools");
    }

    /** All entries of a list in pages, at most 20,000 in 16 Mi characters. */
    List<Json> all(String method, String field) throws IOException, InterruptedException, RpcException {
        List<Json> all = new ArrayList<>();
        Set<String> cursors = new HashSet<>();
        String cursor = null;
        long characters = 0;
        for (int page = 0; page < MOST_PAGES; page++) {
            Json params = cursor == null ? Json.EMPTY_OBJECT : Rpc.object("cursor", Json.string(cursor));
            Json answer = listing(field, method, params, null);
            characters += answer.text().length();
            if (characters > Transport.LONGEST_MESSAGE) {
                throw new IOException("server " + server + " lists " + field + " of more than "
                        + Transport.LONGEST_MESSAGE + " characters");
            }
            all.addAll(answer.get(field).orElseThrow().items());
            cursor = Rpc.text(answer, "nextCursor");
            if (cursor == null || !cursors.add(cursor) || all.size() >= MOST_ENTRIES) {
                break;
            }
        }
        return all.size() > MOST_ENTRIES ? all.subList(0, MOST_ENTRIES) : all;
    }

    /** Asks for something whose answer has a list. */
    Json listing(String field, String method, Json params, @Nullable String about)
            throws IOException, InterruptedException, RpcException {
        Json answer = ask(method, params, about);
        if (answer.get(field).filter(listed -> listed.kind() == Json.Kind.ARRAY).isEmpty()) {
            throw new NoAnswerException("server " + server + " lists no " + field + ": the field " + field
                    + " is missing");
        }
        return answer;
    }

    /**
     * Asks for something that takes half a minute at most.
     *
     * @param about the tool, task, prompt or resource that it concerns, or null
     */
    Json ask(String method, Json params, @Nullable String about)
            throws IOException, InterruptedException, RpcException {
        return ask(method, params, about, Map.of(), PATIENCE, notification -> {});
    }

    /**
     * Calls a tool and waits for its result, until the thread is interrupted.
     *
     * @param tool the name of the tool
     * @param params its name too, its arguments, and what else belongs to the call
     * @param headers of HTTP that the tool asks for
     * @param able what this call can handle, for a server of 2026-07-28
     * @param progress takes what the server says while it works
     */
    Json call(String tool, Map<String, Json> params, Map<String, String> headers, Json able,
            Consumer<Json> progress) throws IOException, InterruptedException, RpcException {
        return ask("tools/call", params, tool, headers, null, able, progress);
    }

    private Json ask(String method, Json params, @Nullable String about, Map<String, String> headers,
            @Nullable Duration patience, Consumer<Json> heard)
            throws IOException, InterruptedException, RpcException {
        return ask(method, params.fields(), about, headers, patience,
                method.startsWith("tasks/") ? ONLY_TASKS : Json.EMPTY_OBJECT, heard);
    }

    private Json ask(String method, Map<String, Json> params, @Nullable String about,
            Map<String, String> headers, @Nullable Duration patience, Json able, Consumer<Json> heard)
            throws IOException, InterruptedException, RpcException {
        long id = ids.nextInt(1, Integer.MAX_VALUE); // some servers have no larger ones
        Map<String, Json> meta = revision.modern()
                ? Map.of(META + "protocolVersion", Json.string(revision.name()), META + "clientCapabilities",
                        able, META + "clientInfo", CLIENT)
                : Map.of();
        try {
            return transport.ask(new Request(id, method, params, meta, about, headers, patience, heard));
        } catch (RuntimeException e) { // whatever a server sends, a request that has left is not a failure of its own
            throw new NoAnswerException("what came back could not be read: " + e);
        }
    }

    @Override
    public void close() {
        Thread open = listening;
        if (open != null) {
            open.interrupt();
        }
        transport.close();
    }
}
