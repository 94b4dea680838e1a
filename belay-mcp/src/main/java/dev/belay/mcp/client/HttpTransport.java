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
import java.io.InputStream;
import java.net.ConnectException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Talks to a server by HTTP: each message is a POST, whose answer is a reply or a stream of events with the reply in it. Redirections
 * are not followed, so nothing is sent elsewhere.
 *
 * <p><b>Concurrency.</b> Each request is on the thread that asks. One more thread listens for what the server says of its own accord, and
 * another one sends replies to it, one after the other.
 */
final class HttpTransport implements Transport {

    private static final Duration CONNECT = Duration.ofSeconds(10);
    private static final String FORGOTTEN = "has forgotten the session";
    private static final int MOST_RESUMES = 5;
    private static final JsonLimits LIMITS = new JsonLimits(LONGEST_MESSAGE, JsonLimits.DEEPEST);

    private final String server;
    private final McpServer.Way.Http way;
    private final KnownSecrets secrets;
    private final Incoming incoming;
    private final HttpClient client;
    private final Outbox outbox;
    /** Why nothing that the server says counts any more. */
    private volatile @Nullable String dropped;
    private volatile Revision revision = Revision.MODERN;
    private volatile @Nullable String session;
    private volatile boolean closed;
    private volatile @Nullable Thread listener;

    HttpTransport(String server, McpServer.Way.Http way, KnownSecrets secrets, Incoming incoming) {
        this.server = server;
        this.way = way;
        this.secrets = secrets;
        this.incoming = incoming;
        this.client = HttpClient.newBuilder()
                .connectTimeout(CONNECT)
                .followRedirects(HttpClient.Redirect.NEVER)
                .build();
        this.outbox = new Outbox(replies(), 0, Thread.ofVirtual().name("belay-mcp-" + server + "-reply"),
                gone -> {}); // the server finds out by itself
    }

    private Outbox.Wire replies() {
        return new Outbox.Wire() {
            @Override
            public void write(byte[] message) throws IOException, InterruptedException {
                post(message, "reply");
            }

            @Override
            public void close() {
                // each reply has its own request
            }
        };
    }

    @Override
    public void speaks(Revision spoken) {
        revision = spoken;
    }

    @Override
    public Json ask(Request request) throws IOException, InterruptedException, RpcException {
        HttpRequest.Builder post = request(bytes(request.message()), request.method());
        if (revision.modern()) {
            post.setHeader("Mcp-Method", request.method());
            if (request.about() != null) {
                post.setHeader("Mcp-Name", safe(request.about()));
            }
            request.headers().forEach((name, value) -> post.setHeader(name, safe(value)));
        }
        var late = new AtomicBoolean();
        Thread watch = request.patience() == null
                ? null
                : watch(Thread.currentThread(), request.patience(), late);
        try {
            return reply(request, send(post.build(), request));
        } catch (InterruptedException e) {
            if (late.get()) {
                throw new LostException(
                        "server " + server + " did not answer " + request.method() + " within "
                                + request.patience(),
                        true, e);
            }
            cancel(request);
            throw e;
        } finally {
            if (watch != null) {
                watch.interrupt();
                watch.join();
                Thread.interrupted(); // it may have come too late
            }
        }
    }

    /** Interrupts a thread that waits for too long, and says so before. */
    private static Thread watch(Thread waiting, Duration patience, AtomicBoolean late) {
        return Thread.ofVirtual().name("belay-mcp-patience").start(() -> {
            try {
                Thread.sleep(patience);
                late.set(true);
                waiting.interrupt();
            } catch (InterruptedException inTime) {
                // the reply came
            }
        });
    }

    private HttpResponse<InputStream> send(HttpRequest http, Request request)
            throws IOException, InterruptedException {
        try {
            return send(http);
        } catch (ConnectException | HttpTimeoutException e) {
            throw new LostException(
                    "server " + server + " cannot be reached at " + way.address().getAuthority(),
                    !(e instanceof ConnectException), e);
        } catch (IOException e) {
            throw lost(request, e);
        }
    }

    /** {@code HttpClient.send} leaves an answer open that arrives in the moment of an interrupt; the server would never hear of the cancel. */
    private HttpResponse<InputStream> send(HttpRequest http) throws IOException, InterruptedException {
        CompletableFuture<HttpResponse<InputStream>> sent = client.sendAsync(http,
                HttpResponse.BodyHandlers.ofInputStream());
        try {
            return sent.get();
        } catch (InterruptedException e) {
            try {
                abandon(sent);
            } catch (IOException closing) {
                e.addSuppressed(closing);
            }
            throw e;
        } catch (ExecutionException e) {
            throw e.getCause() instanceof IOException broken ? broken : new IOException(e.getCause());
        }
    }

    /** Cancels a request that is not answered yet; closes an answer that has arrived meanwhile. */
    static void abandon(CompletableFuture<HttpResponse<InputStream>> sent) throws IOException {
        if (!sent.cancel(true) && !sent.isCompletedExceptionally()) {
            sent.join().body().close();
        }
    }

    private Json reply(Request request, HttpResponse<InputStream> response)
            throws IOException, InterruptedException, RpcException {
        try (InputStream body = response.body()) {
            if (response.statusCode() / 100 != 2) {
                throw refused(request, response, body);
            }
            response.headers().firstValue("mcp-session-id").ifPresent(id -> session = id);
            if (!isEvents(response)) {
                return Rpc.result(own(json(body), request), request);
            }
            return streamed(request, body);
        } catch (IOException e) {
            if (Thread.interrupted()) {
                throw new InterruptedException();
            }
            if (dropped != null) {
                throw new LostException(dropped, true, e);
            }
            boolean told = e instanceof LostException || e instanceof StatusException
                    || e instanceof NoAnswerException;
            throw told ? e : lost(request, e);
        }
    }

    /** The reply in a body, which may be a list of messages as in 2025-03-26. */
    private Json own(Json body, Request request) throws IOException {
        if (body.kind() == Json.Kind.OBJECT) {
            return body;
        }
        Json reply = null;
        for (Json one : body.items()) {
            if (Rpc.answers(one, request.id())) {
                reply = one;
            } else {
                said(one, request);
            }
        }
        if (reply == null) {
            throw new NoAnswerException("no reply to " + request.method() + " came back");
        }
        return reply;
    }

    private static boolean isEvents(HttpResponse<?> response) {
        return response.headers()
                .firstValue("content-type")
                .orElse("")
                .toLowerCase(Locale.ROOT)
                .startsWith("text/event-stream");
    }

    private LostException lost(Request request, IOException cause) {
        return new LostException("the connection to server " + server + " broke while " + request.method()
                + " was waited for"
                + (cause.getMessage() == null ? "" : ": " + secrets.hideIn(cause.getMessage())), true,
                cause);
    }

    /** What a status other than 2xx means: a refusal of the protocol if there is one in it. */
    private IOException refused(Request request, HttpResponse<?> response, InputStream body)
            throws IOException, RpcException {
        int status = response.statusCode();
        // a gateway or a server that broke may have begun with it
        boolean begun = status >= 500 || status == 408;
        String text = new String(body.readNBytes(8_192), StandardCharsets.UTF_8);
        boolean forgotten = session != null && (status == 404
                || (status == 400 && text.toLowerCase(Locale.ROOT).contains("session")));
        Json reply = forgotten ? Json.NULL : parse(text).orElse(Json.NULL);
        Json error = Rpc.said(reply, "error").orElse(null);
        if (error != null && Rpc.isRefusal(error) && (!begun || Rpc.answers(reply, request.id()))) {
            throw RpcException.of(error);
        }
        String what = switch (status) {
            case 401, 403 -> "refused this client (" + status + "): " + (response.headers()
                    .firstValue("www-authenticate")
                    .filter(asked -> asked.toLowerCase(Locale.ROOT).contains("resource_metadata="))
                    .isPresent()
                            ? "it wants a token of OAuth, which Belay does not fetch: get one from its provider, and give it"
                            : "give its key")
                    + " with header(\"Authorization\", …), or as token in [mcp.NAME] of belay.toml";
            case 404, 405 -> forgotten
                    ? FORGOTTEN
                    : "answered with status " + status + (request.method().equals("initialize")
                            ? ": no server of MCP answers at this address; the HTTP+SSE transport of 2024-11-05, whose addresses"
                                    + " end in /sse, is not spoken; such a server often has a newer address that ends in /mcp"
                            : "");
            case 301, 302, 303, 307, 308 -> "answered with a redirection to " + response.headers()
                    .firstValue("location")
                    .map(secrets::hideIn)
                    .orElse("nowhere")
                    + ", which is not followed: name that address yourself if you trust it";
            default -> forgotten ? FORGOTTEN : "answered with status " + status;
        } + (error == null ? "" : ": " + Rpc.words(error));
        return begun
                ? new LostException("server " + server + " " + what, true, null)
                : new StatusException("server " + server + " " + what, forgotten);
    }

    private Optional<Json> parse(String text) {
        try {
            return Optional.of(secrets.hideIn(Json.foreign(text, LIMITS)));
        } catch (JsonException e) {
            return Optional.empty();
        }
    }

    private Json json(InputStream body) throws IOException {
        byte[] bytes = body.readNBytes(LONGEST_MESSAGE + 1);
        if (bytes.length > LONGEST_MESSAGE) {
            throw new NoAnswerException("the reply has more than " + LONGEST_MESSAGE + " bytes");
        }
        String text = new String(bytes, StandardCharsets.UTF_8);
        Optional<Json> reply = parse(text)
                .filter(read -> read.kind() == Json.Kind.OBJECT || read.kind() == Json.Kind.ARRAY);
        return reply.orElseThrow(() -> unreadable(text));
    }

    private NoAnswerException unreadable(String text) {
        String shown = secrets.hideIn(text);
        String why = "the reply of server " + server + " is no JSON object: "
                + shown.substring(0, Math.min(200, shown.length()));
        incoming.unreadable(why);
        return new NoAnswerException(why);
    }

    private Json streamed(Request request, InputStream first)
            throws IOException, InterruptedException, RpcException {
        var events = new ResumableEvents();
        InputStream body = first;
        for (int resumes = 0;; resumes++) {
            try (InputStream open = body) {
                Json reply = until(request, events, open);
                if (reply != null) {
                    return Rpc.result(reply, request);
                }
            }
            if (revision.modern() || events.lastId() == null || resumes == MOST_RESUMES) {
                throw new LostException("server " + server + " ended its answer to " + request.method()
                        + " before the reply", true, null);
            }
            Thread.sleep(events.delay());
            HttpResponse<InputStream> again = send(get(events.lastId()).build(), request);
            if (again.statusCode() != 200 || !isEvents(again)) {
                again.body().close();
                throw new LostException("server " + server + " does not go on with its answer (status "
                        + again.statusCode() + ")", true, null);
            }
            body = again.body();
        }
    }

    /** Reads events until the reply; null if the stream ends before it. */
    private @Nullable Json until(Request request, ResumableEvents events, InputStream body)
            throws IOException {
        BoundedLines lines = events.lines(body);
        for (String data = events.next(lines); data != null; data = events.next(lines)) {
            Json message = parse(data).orElse(null);
            if (message == null) {
                NoAnswerException broken = unreadable(data);
                if (BrokenMessage.repliedTo(data).contains(request.id())) {
                    throw broken;
                }
                continue;
            }
            for (Json one : message.kind() == Json.Kind.ARRAY ? message.items() : List.of(message)) {
                if (Rpc.answers(one, request.id())) {
                    return one;
                }
                said(one, request);
            }
        }
        return null;
    }

    private void answer(Json reply) {
        if (!outbox.reply(bytes(reply))) {
            dropped = "server " + server + " asks without taking the answers, so the connection was dropped";
            incoming.lost(dropped);
        }
    }

    private void said(Json message, @Nullable Request during) throws IOException {
        if (dropped != null) {
            throw new IOException(dropped);
        }
        if (Rpc.isReply(message)) {
            return; // to something else
        }
        if (message.get("id").isPresent()) {
            incoming.asked(message, this::answer);
        } else if (during != null && message.at("/params/progressToken").isPresent()) {
            during.hear(message);
        } else {
            incoming.notified(message);
        }
    }

    /** In 2026-07-28 the closed answer is the cancel; before it a message is. */
    private void cancel(Request request) {
        if (revision.modern()) {
            return;
        }
        try {
            tell(Rpc.notification("notifications/cancelled", Rpc.object("requestId",
                    Json.number(request.id()), "reason", Json.string("the call was ended"))));
        } catch (IOException | InterruptedException gone) {
            // the server finds out by itself
        }
    }

    @Override
    public void tell(Json message) throws IOException, InterruptedException {
        String method = Rpc.method(message);
        post(bytes(message), method == null ? "reply" : method);
    }

    private void post(byte[] message, String method) throws IOException, InterruptedException {
        unread(request(message, method).timeout(CONNECT).build());
    }

    /** Sends what is not answered. A body is not waited for: it may have no end. */
    private void unread(HttpRequest http) throws IOException, InterruptedException {
        client.send(http, HttpResponse.BodyHandlers.ofInputStream()).body().close();
    }

    private static byte[] bytes(Json message) {
        return message.compact().getBytes(StandardCharsets.UTF_8);
    }

    /** Listens for what the server says without being asked, as before 2026-07-28, if it has anything to say. */
    void listen() {
        listener = Thread.ofVirtual().name("belay-mcp-" + server + "-listen").start(() -> {
            var events = new ResumableEvents();
            try {
                while (!closed) {
                    HttpResponse<InputStream> response = client.send(get(events.lastId()).build(),
                            HttpResponse.BodyHandlers.ofInputStream());
                    try (InputStream body = response.body()) {
                        if (response.statusCode() != 200 || !isEvents(response)) {
                            return; // it has nothing to say
                        }
                        BoundedLines lines = events.lines(body);
                        for (String data = events.next(lines); data != null; data = events.next(lines)) {
                            Json message = parse(data).orElse(Json.NULL);
                            if (message.kind() == Json.Kind.OBJECT) {
                                said(message, null);
                            } else {
                                unreadable(data);
                            }
                        }
                    }
                    Thread.sleep(events.delay());
                }
            } catch (IOException | InterruptedException gone) {
                // a call finds out, and connects again
            }
        });
    }

    private HttpRequest.Builder request(byte[] message, String method) {
        HttpRequest.Builder post = headers(HttpRequest.newBuilder(way.address()));
        post.setHeader("Content-Type", "application/json");
        post.setHeader("Accept", "application/json, text/event-stream");
        if (revision.modern() || !method.equals("initialize")) {
            post.setHeader("MCP-Protocol-Version", revision.name());
        }
        return post.POST(HttpRequest.BodyPublishers.ofByteArray(message));
    }

    private HttpRequest.Builder get(@Nullable String lastId) {
        HttpRequest.Builder get = headers(HttpRequest.newBuilder(way.address()));
        get.setHeader("Accept", "text/event-stream");
        get.setHeader("MCP-Protocol-Version", revision.name());
        if (lastId != null) {
            get.setHeader("Last-Event-ID", lastId);
        }
        return get.GET();
    }

    private HttpRequest.Builder headers(HttpRequest.Builder builder) {
        way.headers().forEach(builder::setHeader);
        if (session != null && !revision.modern()) {
            builder.setHeader("Mcp-Session-Id", session);
        }
        return builder;
    }

    /** A value that a header can carry; others are written in base 64 with a mark around them. */
    private static String safe(String value) {
        boolean plain = value.chars().allMatch(c -> c >= 0x20 && c < 0x7f) && value.equals(value.strip())
                && !(value.startsWith("=?base64?") && value.endsWith("?="));
        return plain
                ? value
                : "=?base64?" + Base64.getEncoder().encodeToString(value.getBytes(StandardCharsets.UTF_8))
                        + "?=";
    }

    @Override
    public void close() {
        closed = true;
        outbox.close();
        Thread listening = listener;
        if (listening != null) {
            listening.interrupt();
        }
        String open = session;
        if (open != null && !revision.modern()) {
            try {
                unread(headers(HttpRequest.newBuilder(way.address())).timeout(Duration.ofSeconds(2))
                        .DELETE()
                        .build());
            } catch (IOException gone) {
                // it forgets the session by itself
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
        client.shutdownNow();
    }
}
