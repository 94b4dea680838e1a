package dev.belay.mcp.client;

import dev.belay.BelayException;
import dev.belay.json.Json;
import dev.belay.mcp.McpPins;
import dev.belay.mcp.McpServer;
import dev.belay.mcp.McpStatus;
import dev.belay.tool.ToolEffect;
import dev.belay.tool.ToolException;
import dev.belay.tool.ToolFailure;
import dev.belay.tool.ToolId;
import dev.belay.tool.call.PreparedCall;
import dev.belay.tool.option.RetryAdvice;
import java.io.IOException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One server whose connection is made, kept, lost and made again.
 *
 * <p><b>Concurrency.</b> One thread of its own connects, lists tools and waits. Calls run on the threads of their bodies and use the
 * connection that stands. All state is guarded by one lock; no message is sent under it. The list of tools is replaced as a whole, and
 * stays while the server is away.
 */
public final class LiveServer implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger("dev.belay.mcp");
    /** How long a call waits for a server that is being connected. */
    private static final Duration CALL_WAITS = Duration.ofSeconds(10);
    /** A server that ends so often without having run for a while is left alone. */
    private static final int CRASH_LOOP = 10;

    private final McpServer server;
    private final McpPins pins;
    private final Backoff backoff;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final Thread keeper;
    private @Nullable Connection connection;
    private McpStatus.State state = McpStatus.State.CONNECTING;
    private @Nullable String problem;
    private @Nullable String revision;
    private boolean lost;
    private boolean listChanged;
    /** Whether a call waits for the server. */
    private boolean wanted;
    /** Whether the keeper waits before the next try. */
    private boolean resting;
    private int tries;
    private boolean closed;
    private volatile Listed listed = new Listed(Map.of(), Map.of());

    /**
     * How long to wait between tries.
     *
     * @param first before the second try; doubled from try to try
     * @param most at most
     * @param settled how long a connection must have held to be counted as a good one
     * @param debounce how long changes of the list are gathered
     */
    public record Backoff(Duration first, Duration most, Duration settled, Duration debounce) {

        /** From half a second to half a minute. */
        public static final Backoff USUAL = new Backoff(Duration.ofMillis(500), Duration.ofSeconds(30),
                Duration.ofSeconds(30), Duration.ofMillis(100));

        Duration before(int failures) {
            long millis = first.toMillis() << Math.min(failures - 1, 20);
            return millis > most.toMillis() ? most : Duration.ofMillis(millis);
        }
    }

    /**
     * The tools of a server.
     *
     * @param tools offered ones, by their ids
     * @param left others, with the reason
     */
    private record Listed(Map<ToolId, ServerTool> tools, Map<String, Left> left) {}

    /** A tool that is not offered; {@code tool} is null if it cannot be approved. */
    private record Left(String why, @Nullable ServerTool tool) {}

    /** A server that is connected by a thread of its own from now on. */
    public LiveServer(McpServer server, McpPins pins, Backoff backoff) {
        this.server = server;
        this.pins = pins;
        this.backoff = backoff;
        this.keeper = Thread.ofVirtual().name("belay-mcp-" + server.name()).start(this::keep);
    }

    /** Its tools as they were listed last. */
    public List<ServerTool> tools() {
        return List.copyOf(listed.tools.values());
    }

    /** One of its tools. */
    public Optional<ServerTool> tool(ToolId id) {
        return Optional.ofNullable(listed.tools.get(id));
    }

    /** How it is. */
    public McpStatus status() {
        lock.lock();
        try {
            Map<String, String> left = new LinkedHashMap<>();
            listed.left.forEach((raw, one) -> left.put(raw, one.why));
            return new McpStatus(server.name(), state, revision,
                    tools().stream().map(tool -> tool.definition().name()).toList(), left, problem);
        } finally {
            lock.unlock();
        }
    }

    /** Waits until the server answers or was tried in vain; true if it answers. */
    public boolean await(Duration longest) throws InterruptedException {
        long nanos = longest.toNanos();
        lock.lockInterruptibly();
        try {
            while (state == McpStatus.State.CONNECTING && nanos > 0) {
                nanos = changed.awaitNanos(nanos);
            }
            return state == McpStatus.State.READY;
        } finally {
            lock.unlock();
        }
    }

    /** Approves a tool as it is described now; false if no such tool waits for it. */
    public boolean approve(String raw) {
        Left waiting = listed.left.get(raw);
        if (waiting == null || waiting.tool == null) {
            return false;
        }
        pins.approve(server.name(), raw, waiting.tool.pin());
        signal(() -> listChanged = true);
        return true;
    }

    /** Runs a call at the server. */
    public Object call(ServerTool tool, PreparedCall call) throws InterruptedException {
        for (boolean again = true;; again = false) {
            Connection open = connected();
            try {
                return new CallAnswer(server.name(), tool, call.context())
                        .of(open.call(tool.raw(), call.arguments(),
                                tool.headersOf(call.arguments()), notice -> progress(notice, call)));
            } catch (RpcException e) {
                throw new ToolException(ToolFailure.of(ToolFailure.Kind.EXTERNAL, "mcp_error",
                        "server " + server.name() + " refused the call (" + e.code() + "): "
                                + e.getMessage()));
            } catch (StatusException e) {
                if (e.forgotten()) {
                    dropped(open, String.valueOf(e.getMessage()));
                }
                if (!e.forgotten() || !again || tool.definition().manifest().effect() != ToolEffect.READ) {
                    throw unavailable(String.valueOf(e.getMessage()), e);
                }
            } catch (LostException e) {
                dropped(open, String.valueOf(e.getMessage()));
                if (e.sent()) {
                    throw unanswered(tool, e);
                }
                if (!again) {
                    throw unavailable(String.valueOf(e.getMessage()), e);
                }
            } catch (IOException e) {
                throw unanswered(tool, e);
            }
        }
    }

    private static void progress(Json notice, PreparedCall call) {
        Json params = notice.get("params").orElse(Json.EMPTY_OBJECT);
        String message = Rpc.text(params, "message");
        String share = params.get("progress").map(Json::text).orElse("")
                + params.get("total").map(total -> " of " + total.text()).orElse("");
        call.context().progress().report(message == null ? share : message);
    }

    private ToolException unavailable(String why, @Nullable Throwable cause) {
        return new ToolException(ToolFailure.of(ToolFailure.Kind.UNAVAILABLE, "mcp_server_unavailable", why)
                .withRetry(RetryAdvice.ALLOWED), cause);
    }

    /** A call that was sent and not answered: only what reads may be repeated. */
    private static ToolException unanswered(ServerTool tool, IOException cause) {
        ToolFailure failure = ToolFailure.of(ToolFailure.Kind.EXTERNAL, "mcp_connection_lost",
                "the call was sent, and then " + cause.getMessage()).withRetry(RetryAdvice.ALLOWED);
        return new ToolException(tool.definition().manifest().effect() == ToolEffect.READ
                ? failure
                : failure.thatMayHaveHappened(), cause);
    }

    /** The connection that stands; a server that is away is tried once more for a while. */
    private Connection connected() throws InterruptedException {
        long nanos = CALL_WAITS.toNanos();
        lock.lockInterruptibly();
        try {
            int before = tries;
            wanted = connection == null;
            changed.signalAll();
            while (connection == null && !closed && nanos > 0 && !(resting && tries > before)) {
                nanos = changed.awaitNanos(nanos);
            }
            if (connection == null) {
                throw unavailable("server " + server.name() + " does not answer"
                        + (problem == null ? "" : ": " + problem), null);
            }
            return connection;
        } finally {
            lock.unlock();
        }
    }

    private void dropped(Connection gone, String why) {
        signal(() -> {
            if (connection == gone) {
                connection = null;
                lost = true;
                problem = why;
            }
        });
    }

    private void keep() {
        int failures = 0;
        while (!isClosed()) {
            long begun = System.nanoTime();
            String why = connect();
            boolean good = System.nanoTime() - begun > backoff.settled.toNanos();
            failures = good ? 1 : failures + 1;
            if (isClosed()) {
                return;
            }
            LOG.warn("MCP server {} is away: {}", server.name(), why);
            rest(why, failures);
        }
    }

    /** Connects and stays until the connection is gone; says why it is. */
    private String connect() {
        var listener = new Listener();
        signal(() -> {
            tries++;
            wanted = false;
        });
        try (Connection open = Connection.open(server, listener)) {
            signal(() -> revision = open.revision().name());
            list(open);
            signal(() -> {
                connection = listener.lost ? null : open;
                lost = listener.lost;
                state = McpStatus.State.READY;
                problem = listener.lost ? problem : null;
            });
            return stay(open);
        } catch (RpcException e) {
            return "it refused (" + e.code() + "): " + e.getMessage();
        } catch (IOException e) {
            return String.valueOf(e.getMessage());
        } catch (InterruptedException e) {
            return "it was detached";
        } catch (RuntimeException e) {
            LOG.error("MCP server {} could not be read", server.name(), e);
            return "its answer could not be read: " + e;
        } finally {
            signal(() -> {
                connection = null;
                listener.over = true;
            });
        }
    }

    private String stay(Connection open) throws IOException, InterruptedException, RpcException {
        while (true) {
            lock.lockInterruptibly();
            try {
                while (!lost && !listChanged && !closed) {
                    changed.await();
                }
                if (lost || closed) {
                    return problem == null ? "the connection was lost" : problem;
                }
            } finally {
                lock.unlock();
            }
            TimeUnit.NANOSECONDS.sleep(backoff.debounce.toNanos()); // a server announces many changes at once
            signal(() -> listChanged = false);
            list(open);
        }
    }

    private void list(Connection open) throws IOException, InterruptedException, RpcException {
        Map<ToolId, ServerTool> tools = new LinkedHashMap<>();
        Map<String, Left> left = new LinkedHashMap<>();
        Map<String, String> names = new LinkedHashMap<>();
        int number = 0;
        for (Json one : open.tools()) {
            number++;
            String raw = Optional.ofNullable(Rpc.text(one, "name")).orElse("number " + number);
            if (!server.takes(raw)) {
                continue;
            }
            try {
                ServerTool tool = ServerTool.of(server, one, open.revision().modern());
                String other = names.putIfAbsent(tool.definition().name(), raw);
                if (other != null) {
                    left.put(raw, new Left("tool " + other + " has the same name", null));
                } else if (!pins.accepts(server.name(), raw, tool.pin())) {
                    left.put(raw,
                            new Left("its description or schema is not the one that was approved", tool));
                } else {
                    tools.put(tool.definition().id(), tool);
                }
            } catch (BelayException e) {
                left.put(raw, new Left(String.valueOf(e.getMessage()), null));
            }
        }
        listed = new Listed(tools, left);
        if (!left.isEmpty()) {
            LOG.warn("MCP server {}: {} of its tools are not offered: {}", server.name(), left.size(),
                    left.keySet().stream().limit(10).toList());
        }
    }

    /** Waits before the next try. */
    private void rest(String why, int failures) {
        lock.lock();
        try {
            boolean given = failures >= CRASH_LOOP;
            state = given ? McpStatus.State.FAILED : McpStatus.State.WAITING;
            problem = why;
            resting = true;
            changed.signalAll();
            long nanos = backoff.before(failures).toNanos();
            while (!closed && !wanted && (given || nanos > 0)) {
                if (given) {
                    changed.await();
                } else {
                    nanos = changed.awaitNanos(nanos);
                }
            }
        } catch (InterruptedException e) {
            closed = true;
        } finally {
            resting = false;
            lock.unlock();
        }
    }

    private boolean isClosed() {
        lock.lock();
        try {
            return closed;
        } finally {
            lock.unlock();
        }
    }

    private void signal(Runnable change) {
        lock.lock();
        try {
            change.run();
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Ends the connection and the program behind it. */
    @Override
    public void close() {
        signal(() -> {
            closed = true;
            state = McpStatus.State.CLOSED;
        });
        keeper.interrupt();
        boolean interrupted = false;
        while (keeper.isAlive()) {
            try {
                keeper.join();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        listed = new Listed(Map.of(), Map.of());
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** What the server says without being asked, on one connection. Its fields are guarded by the lock. */
    private final class Listener implements Incoming {

        private boolean lost;
        private boolean over;

        @Override
        public void notified(Json notification) {
            if ("notifications/tools/list_changed".equals(Rpc.method(notification))) {
                signal(() -> listChanged = true);
            }
        }

        @Override
        public Json asked(Json request) {
            Json id = request.get("id").orElse(Json.NULL);
            return "ping".equals(Rpc.method(request))
                    ? Rpc.reply(id, Json.EMPTY_OBJECT)
                    : Rpc.refusal(id, Rpc.NO_METHOD, "this client offers no " + Rpc.method(request));
        }

        @Override
        public void lost(String why) {
            signal(() -> {
                if (!over) { // else a later connection stands
                    lost = true;
                    LiveServer.this.lost = true;
                    connection = null;
                    problem = why;
                }
            });
        }
    }
}
