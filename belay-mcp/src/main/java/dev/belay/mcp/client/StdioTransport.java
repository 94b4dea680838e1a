package dev.belay.mcp.client;

import dev.belay.json.Json;
import dev.belay.json.JsonException;
import dev.belay.json.JsonLimits;
import dev.belay.mcp.McpServer;
import dev.belay.mcp.client.wire.BrokenMessage;
import dev.belay.mcp.client.wire.NoAnswerException;
import dev.belay.mcp.client.wire.Request;
import dev.belay.mcp.client.wire.Rpc;
import dev.belay.mcp.client.wire.RpcException;
import dev.belay.schema.KnownSecrets;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Talks to a program: one message a line. Lines that are no message are passed over.
 *
 * <p><b>Concurrency.</b> One thread at a time reads ({@link ProgramLines}) and gives each reply to the thread that waits for its id. An
 * {@link Outbox} writes. A reply that is waited for by no thread (it came twice, or after a cancel) is dropped.
 */
final class StdioTransport implements Transport {

    private static final Logger LOG = LoggerFactory.getLogger("dev.belay.mcp");
    /** Every pipe takes so much: PIPE_BUF of Linux, the smallest buffer of Windows. */
    private static final int PIPE = 4_096;
    private static final JsonLimits LIMITS = new JsonLimits(LONGEST_MESSAGE, JsonLimits.DEEPEST);

    private final String server;
    private final ChildProgram program;
    private final KnownSecrets secrets;
    private final ProgramLines lines;
    private final Incoming incoming;
    /** By the ids of requests. */
    private final Map<Long, Waiting> waiting = new ConcurrentHashMap<>();
    private final Outbox outbox;
    private final AtomicBoolean ended = new AtomicBoolean();
    /** Whether what it still writes is passed over. */
    private volatile boolean dropped;
    private volatile @Nullable String over;
    /** Why the last message that could not be read was none. */
    private volatile @Nullable String unread;

    /** A thread that waits for a reply to a request that was sent at that time, and may look for it. */
    private record Waiting(Request request, Outbox.Letter letter, CompletableFuture<Object> answer, long sent,
            boolean looks) {}

    /** In place of a reply that cannot be read. */
    private record Unreadable(String why) {}

    private StdioTransport(String server, ChildProgram program, KnownSecrets secrets, Incoming incoming) {
        this.server = server;
        this.secrets = secrets;
        this.program = program;
        this.incoming = incoming;
        this.lines = new ProgramLines(program.output(), LONGEST_MESSAGE, this::message);
        this.outbox = new Outbox(wire(program.input()), PIPE,
                Thread.ofPlatform().daemon().name("belay-mcp-" + server + "-write"),
                broken -> end("the program of server " + server + " "
                        + program.epitaph("does not read any more")));
    }

    static StdioTransport start(String server, McpServer.Way.Program way, KnownSecrets secrets,
            Incoming incoming) throws IOException {
        var transport = new StdioTransport(server, ChildProgram.start(way, secrets), secrets, incoming);
        // a virtual thread that blocks in this read would hold its carrier, on one processor the only one
        Thread.ofPlatform().daemon().name("belay-mcp-" + server).start(transport::read);
        return transport;
    }

    private static Outbox.Wire wire(OutputStream out) {
        return new Outbox.Wire() {
            @Override
            public void write(byte[] message) throws IOException {
                out.write(message);
                out.flush();
            }

            @Override
            public void close() throws IOException {
                out.close();
            }
        };
    }

    @Override
    public Json ask(Request request) throws IOException, InterruptedException, RpcException {
        var letter = Outbox.Letter.of(line(request.message()));
        var mine = new Waiting(request, letter, new CompletableFuture<>(), System.nanoTime(), lines.looks());
        waiting.put(request.id(), mine);
        try {
            if (over != null) {
                throw new LostException(over, false, null);
            }
            send(letter);
            return switch (answer(mine)) {
                case Json reply -> Rpc.result(reply, request);
                case Unreadable(String why) -> throw new NoAnswerException(why);
                case String gone -> throw new LostException(gone, !outbox.takeBack(letter), null);
                case null, default -> throw new LostException(
                        "server " + server + " did not answer " + request.method() + " within "
                                + request.patience() + (unread == null ? "" : "; " + unread),
                        cancel(mine, "no reply in time"), null);
            };
        } catch (InterruptedException e) {
            cancel(mine, "the call was ended");
            throw e;
        } finally {
            waiting.remove(request.id());
        }
    }

    /** The reply, a text if the connection is gone, or null if there is none in time. */
    private @Nullable Object answer(Waiting mine) throws InterruptedException {
        if (mine.request.method().equals(Connection.LISTEN)) {
            return take(mine); // it stays open, and what it hears is in no hurry
        }
        if (mine.looks && lines.look(mine.sent, mine.answer::isDone)) {
            return mine.answer.join();
        }
        lines.await();
        try {
            return take(mine);
        } finally {
            lines.awaited();
        }
    }

    private static @Nullable Object take(Waiting mine) throws InterruptedException {
        Duration patience = mine.request.patience();
        try {
            return patience == null
                    ? mine.answer.get()
                    : mine.answer.get(patience.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException late) {
            return null;
        } catch (ExecutionException e) {
            throw new IllegalStateException("an answer is never a failure", e);
        }
    }

    /** Cancels a request at the server; false if it has not left, and never will. */
    private boolean cancel(Waiting mine, String reason) {
        if (outbox.takeBack(mine.letter)) {
            return false;
        }
        try {
            tell(Rpc.notification("notifications/cancelled", Rpc.object("requestId",
                    Json.number(mine.request.id()), "reason", Json.string(reason))));
        } catch (IOException gone) {
            // there is nothing to cancel any more
        }
        return true;
    }

    @Override
    public void tell(Json message) throws IOException {
        send(Outbox.Letter.of(line(message)));
    }

    private static byte[] line(Json message) {
        String text = message.text();
        boolean oneLine = text.indexOf('\n') < 0 && text.indexOf('\r') < 0; // arguments are as the model wrote them
        return ((oneLine ? text : message.compact()) + "\n").getBytes(StandardCharsets.UTF_8);
    }

    private void send(Outbox.Letter letter) throws LostException {
        try {
            outbox.send(letter);
        } catch (IOException e) {
            throw new LostException("the program of server " + server + " does not read any more", true, e);
        }
    }

    @Override
    public void speaks(Revision revision) {
        // every message says what it needs
    }

    private void read() {
        String why;
        try {
            lines.read();
            why = "the program of server " + server + " "
                    + program.epitaph("closed its output and still runs");
        } catch (IOException e) {
            why = "server " + server + ": " + e.getMessage();
        }
        end(why);
    }

    private void message(String line) {
        if (dropped || line.isBlank()) {
            return;
        }
        Json message;
        try {
            message = secrets.hideIn(Json.foreign(line, LIMITS));
        } catch (JsonException e) {
            String shown = secrets.hideIn(line);
            LOG.debug("server {} wrote a line that is no message: {}", server,
                    shown.substring(0, Math.min(shown.length(), 200)));
            if (BrokenMessage.isMeant(line)) {
                unreadable(line, e);
            }
            return;
        }
        if (message.kind() == Json.Kind.ARRAY) { // several at once, as in 2025-03-26
            message.items().forEach(this::message);
        } else {
            message(message);
        }
    }

    private void unreadable(String line, JsonException e) {
        String why = "server " + server + " wrote a message that cannot be read: "
                + secrets.hideIn(String.valueOf(e.getMessage()));
        unread = why;
        incoming.unreadable(why);
        for (long id : BrokenMessage.repliedTo(line)) {
            Waiting one = waiting.get(id);
            if (one != null) {
                one.answer.complete(new Unreadable(why));
            }
        }
    }

    private void message(Json message) {
        if (message.kind() != Json.Kind.OBJECT) {
            return;
        }
        if (Rpc.isReply(message)) {
            replied(message);
        } else if (message.get("id").isPresent()) {
            incoming.asked(message, this::reply);
        } else {
            heard(message);
        }
    }

    private void reply(Json reply) {
        if (!outbox.reply(line(reply))) {
            dropped = true;
            end("server " + server + " asks without reading the answers, so the connection was dropped");
        }
    }

    private @Nullable Waiting asked(@Nullable Json id) {
        Long number = Rpc.number(id);
        return number == null ? null : waiting.get(number);
    }

    private void replied(Json message) {
        Waiting one = asked(message.get("id").orElse(null));
        if (one != null) {
            outbox.answered(one.letter);
            one.answer.complete(message);
            if (one.looks) {
                lines.replied(one.sent);
            }
        }
    }

    private void heard(Json notification) {
        Json token = notification.at("/params/progressToken").orElse(null);
        if (token == null) {
            incoming.notified(notification);
            return;
        }
        Waiting one = asked(token);
        if (one != null) {
            one.request.hear(notification);
        }
    }

    /** How many requests are waited for. */
    int unanswered() {
        return waiting.size();
    }

    private void end(String why) {
        if (ended.compareAndSet(false, true)) {
            over = why;
            waiting.values().forEach(one -> one.answer.complete(why));
            incoming.lost(why);
        }
    }

    @Override
    public void close() {
        over = "the connection to server " + server + " was closed";
        outbox.close();
        program.stop();
    }
}
