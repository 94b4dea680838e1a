package dev.belay.mcp.client;

import dev.belay.json.Json;
import dev.belay.mcp.McpPins;
import dev.belay.mcp.McpQuestions;
import dev.belay.mcp.McpServer;
import dev.belay.mcp.McpStatus;
import dev.belay.mcp.client.wire.Rpc;
import dev.belay.mcp.client.wire.RpcException;
import dev.belay.tool.ToolDefinition;
import dev.belay.tool.ToolException;
import dev.belay.tool.ToolFailure;
import dev.belay.tool.ToolId;
import dev.belay.tool.call.PreparedCall;
import dev.belay.tool.option.RetryAdvice;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One server whose connection is made, kept, lost and made again.
 *
 * <p><b>Concurrency.</b> One thread of its own connects, lists tools and waits. Calls run on the threads of their bodies and use the
 * connection that stands. All state is changed under one lock; no message is sent under it. The list of tools is replaced as a whole, and
 * stays while the server is away.
 */
public final class LiveServer implements AutoCloseable {

    private static final String OTHER = "prepared_tool_mismatch";
    private static final Logger LOG = LoggerFactory.getLogger("dev.belay.mcp");
    /** How long a call waits for a server that is being connected. */
    private static final Duration CALL_WAITS = Duration.ofSeconds(10);
    /** A server that ends so often without having run for a while is left alone. */
    private static final int CRASH_LOOP = 10;
    /** How often pins are read again while a tool waits for an approval. */
    private static final Duration LOOK = Duration.ofSeconds(1);
    /** What a server may ask at the same time. */
    private static final int MOST_QUESTIONS = 16;

    private final McpServer server;
    private final McpPins pins;
    private final Backoff backoff;
    private final @Nullable McpQuestions questions;
    private final Supplier<Optional<String>> objection;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final Thread keeper;
    private volatile @Nullable Connection connection;
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
    private volatile boolean closed;
    private volatile ToolList listed;

    /**
     * How long to wait for a server, and between tries.
     *
     * @param first before the second try; doubled from try to try
     * @param most at most
     * @param settled how long a connection must have held to be counted as a good one
     * @param debounce how long changes of the list are gathered
     * @param probe for the first answer of a program: an older one may be silent
     * @param answer for the first answer of a server of HTTP, which may have to be started
     */
    public record Backoff(Duration first, Duration most, Duration settled, Duration debounce, Duration probe,
            Duration answer) {

        /** From half a second to half a minute. */
        public static final Backoff USUAL = new Backoff(Duration.ofMillis(500), Duration.ofSeconds(30),
                Duration.ofSeconds(30), Duration.ofMillis(100));

        /** With three seconds for a program and half a minute for a server of HTTP. */
        public Backoff(Duration first, Duration most, Duration settled, Duration debounce) {
            this(first, most, settled, debounce, Duration.ofSeconds(3), Duration.ofSeconds(30));
        }

        Duration before(int failures) {
            long millis = first.toMillis() << Math.min(failures - 1, 20);
            return millis > most.toMillis() ? most : Duration.ofMillis(millis);
        }
    }

    /**
     * A server that is connected by a thread of its own from now on.
     *
     * @param questions answers what the server asks inside this process, or null
     * @param objection why its program may not be started now, or empty
     */
    public LiveServer(McpServer server, McpPins pins, Backoff backoff, @Nullable McpQuestions questions,
            Supplier<Optional<String>> objection) {
        this.server = server;
        this.pins = pins;
        this.backoff = backoff;
        this.questions = questions;
        this.objection = objection;
        this.listed = ToolList.kept(server, pins);
        this.keeper = Thread.ofVirtual().name("belay-mcp-" + server.name()).start(this::keep);
    }

    /** Its tools as they were listed last; the same list until they are listed again. */
    public List<ToolDefinition> tools() {
        return listed.definitions();
    }

    /** One of its tools. */
    public Optional<ServerTool> tool(ToolId id) {
        return Optional.ofNullable(listed.tools().get(id));
    }

    /** How it is. */
    public McpStatus status() {
        lock.lock();
        try {
            return new McpStatus(server.name(), state, revision,
                    tools().stream().map(ToolDefinition::name).toList(), listed.left(), problem);
        } finally {
            lock.unlock();
        }
    }

    /**
     * Waits until the server answers, or is given up; true if it answers.
     *
     * @param once whether it is given up after the first try in vain; else after as many as are made in a row
     */
    public boolean await(Duration longest, boolean once) throws InterruptedException {
        long nanos = longest.toNanos();
        lock.lockInterruptibly();
        try {
            while (nanos > 0 && (state == McpStatus.State.CONNECTING
                    || (state == McpStatus.State.WAITING && !once))) {
                nanos = changed.awaitNanos(nanos);
            }
            return state == McpStatus.State.READY;
        } finally {
            lock.unlock();
        }
    }

    /** Lists the tools again, because one of them was approved. */
    public void approved() {
        signal(() -> listChanged = true);
    }

    /** Runs a call at the server. */
    public Object call(ServerTool tool, PreparedCall call) throws InterruptedException {
        return ServerResources.has(tool)
                ? new ServerResources(this).call(tool, call)
                : new ServerCall(this, tool, call).run();
    }

    McpServer server() {
        return server;
    }

    /** Who answers questions of the server inside this process; null if only parked calls are answered. */
    @Nullable
    McpQuestions questions() {
        return questions;
    }

    ToolException unavailable(String why, @Nullable Throwable cause) {
        return new ToolException(ToolFailure.of(ToolFailure.Kind.UNAVAILABLE, "mcp_server_unavailable", why)
                .withRetry(RetryAdvice.ALLOWED), cause);
    }

    /** The connection that stands; a server that is away is tried once more for a while. */
    Connection connected() throws InterruptedException {
        Connection standing = connection;
        if (standing != null) {
            return standing; // wakes no thread
        }
        long nanos = CALL_WAITS.toNanos();
        lock.lockInterruptibly();
        try {
            int before = tries;
            wanted = true;
            changed.signalAll();
            while (connection == null && !closed && nanos > 0 && !(resting && tries > before)) {
                nanos = changed.awaitNanos(nanos);
            }
            standing = connection;
            if (standing == null) {
                throw unavailable("server " + server.name() + " does not answer"
                        + (problem == null ? "" : ": " + problem), null);
            }
            return standing;
        } finally {
            lock.unlock();
        }
    }

    /** Whether a call found another program or address than it was decided about. */
    static boolean isOther(ToolException e) {
        return e.code().equals(OTHER);
    }

    /** The same for a call, which was decided about for one program or address: one that has changed meanwhile is not called. */
    Connection connected(PreparedCall call) throws InterruptedException {
        Connection open = connected();
        if (!open.target().equals(call.definition().manifest().target())) {
            throw new ToolException(ToolFailure.of(ToolFailure.Kind.UNAVAILABLE, OTHER,
                    "since this call was prepared, the program or the address of server " + server.name()
                            + " has changed, so nothing was sent; look at it again and decide anew"));
        }
        return open;
    }

    void dropped(Connection gone, String why) {
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
        while (!closed) {
            long begun = System.nanoTime();
            String why = connect();
            boolean good = System.nanoTime() - begun > backoff.settled.toNanos();
            failures = good ? 1 : failures + 1;
            if (closed) {
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
        Optional<String> refused = server.way() instanceof McpServer.Way.Program
                ? objection.get()
                : Optional.empty();
        if (refused.isPresent()) {
            return refused.get();
        }
        try (Connection open = Connection.open(server, ServerQuestions.declared(this), backoff, listener)) {
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
                    if (listed.left().isEmpty()) {
                        changed.await();
                    } else if (changed.awaitNanos(LOOK.toNanos()) <= 0 && pins.reread()) {
                        listChanged = true; // another process has approved a tool
                    }
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
        ToolList now = ToolList.of(server, pins, open);
        listed = now;
        if (!now.left().isEmpty()) {
            LOG.warn("MCP server {}: {} of its tools are not offered: {}", server.name(), now.left().size(),
                    now.left().keySet().stream().limit(10).toList());
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
            long nanos = given ? Long.MAX_VALUE : backoff.before(failures).toNanos();
            while (!closed && !wanted && nanos > 0) {
                nanos = changed.awaitNanos(nanos);
            }
        } catch (InterruptedException e) {
            closed = true;
        } finally {
            resting = false;
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
        listed = ToolList.NONE;
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** What the server says without being asked, on one connection. Its fields are guarded by the lock. */
    private final class Listener implements Incoming {

        private final Semaphore asking = new Semaphore(MOST_QUESTIONS);
        /** Threads that answer, by the ids of the server's requests. */
        private final Map<Json, Thread> answering = new ConcurrentHashMap<>();
        private boolean lost;
        private boolean over;

        @Override
        public void notified(Json notification) {
            if ("notifications/tools/list_changed".equals(Rpc.method(notification))) {
                signal(() -> listChanged = true);
            } else if ("notifications/cancelled".equals(Rpc.method(notification))) {
                notification.at("/params/requestId").map(answering::get).ifPresent(Thread::interrupt);
            }
        }

        @Override
        public void asked(Json request, Consumer<Json> reply) {
            Json id = request.get("id").orElse(Json.NULL);
            if ("ping".equals(Rpc.method(request))) {
                reply.accept(ServerQuestions.answer(LiveServer.this, request)); // whatever else is asked
            } else if (asking.tryAcquire()) {
                Thread thread = Thread.ofVirtual()
                        .name("belay-mcp-" + server.name() + "-asked")
                        .unstarted(() -> answer(id, request, reply));
                answering.put(id, thread);
                thread.start();
            } else {
                reply.accept(Rpc.refusal(id, Rpc.BUSY,
                        "this client answers " + MOST_QUESTIONS + " questions at once and no more"));
            }
        }

        private void answer(Json id, Json request, Consumer<Json> reply) {
            try {
                reply.accept(ServerQuestions.answer(LiveServer.this, request));
            } finally {
                asking.release();
                answering.remove(id, Thread.currentThread());
            }
        }

        @Override
        public void unreadable(String why) {
            signal(() -> problem = over ? problem : why);
        }

        @Override
        public void lost(String why) {
            answering.values().forEach(Thread::interrupt);
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
