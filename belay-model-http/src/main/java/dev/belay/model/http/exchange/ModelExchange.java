package dev.belay.model.http.exchange;

import dev.belay.model.ModelException;
import dev.belay.model.ModelException.Kind;
import dev.belay.model.http.BaseUrl;
import dev.belay.model.http.HttpTimeouts;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.io.PushbackInputStream;
import java.net.ConnectException;
import java.net.http.HttpClient;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipException;
import javax.net.ssl.SSLException;

/** One request and its answer, once. Closing it always gives the connection back or closes it. Confined to one attempt. */
public final class ModelExchange implements AutoCloseable {

    /** How much of the body of a failure is read; messages show less. */
    private static final int MOST_OF_A_FAILURE = 64 << 10;

    /** U+FEFF in UTF-8. */
    private static final byte[] MARK = {(byte) 0xef, (byte) 0xbb, (byte) 0xbf};

    private final BaseUrl url;
    private final Patience patience;
    private final HttpTimeouts timeouts;
    private final HttpResponse<ArrivingBytes> response;
    private boolean whole;

    private ModelExchange(BaseUrl url, Patience patience, HttpTimeouts timeouts,
            HttpResponse<ArrivingBytes> response) {
        this.url = url;
        this.patience = patience;
        this.timeouts = timeouts;
        this.response = response;
        response.body().waitWith(patience);
    }

    /** Sends the request and waits for the head of the answer. */
    public static ModelExchange send(HttpClient client, HttpRequest request, BaseUrl url, Patience patience,
            HttpTimeouts timeouts) {
        if (Thread.currentThread().isInterrupted()) {
            throw interrupted();
        }
        patience.sent();
        CompletableFuture<HttpResponse<ArrivingBytes>> sent = client.sendAsync(request,
                head -> new ArrivingBytes());
        try {
            return new ModelExchange(url, patience, timeouts,
                    sent.get(patience.nanosToWait(), TimeUnit.NANOSECONDS));
        } catch (InterruptedException e) {
            abandon(sent);
            Thread.currentThread().interrupt();
            throw interrupted();
        } catch (TimeoutException e) {
            abandon(sent);
            throw patience.exhausted();
        } catch (ExecutionException e) {
            throw connection(e.getCause() == null ? e : e.getCause(), url, timeouts);
        }
    }

    public boolean succeeded() {
        return response.statusCode() / 100 == 2;
    }

    /** The bytes of the answer, unpacked, without the mark of their order that some servers put in front. */
    public InputStream body() throws IOException {
        PushbackInputStream body = new PushbackInputStream(unpacked(), MARK.length);
        byte[] start = body.readNBytes(MARK.length);
        if (!Arrays.equals(start, MARK)) {
            body.unread(start);
        }
        return body;
    }

    private InputStream unpacked() throws IOException {
        String encoding = response.headers()
                .firstValue("content-encoding")
                .orElse("identity")
                .toLowerCase(Locale.ROOT);
        return switch (encoding) {
            case "identity", "" -> response.body();
            case "gzip", "x-gzip" -> new GZIPInputStream(response.body());
            default -> throw new ModelException(Kind.PROTOCOL, "the model server at " + url
                    + " packs its answers as \"" + encoding + "\", though only gzip was offered");
        };
    }

    /** The exception for an answer with a status other than success. */
    public ModelException failure(ErrorSentences sentences, InstantSource clock) {
        String body;
        try {
            byte[] bytes = body().readNBytes(MOST_OF_A_FAILURE);
            body = new String(bytes, StandardCharsets.UTF_8);
            whole = true;
        } catch (IOException e) {
            body = "";
        }
        if (Thread.currentThread().isInterrupted()) {
            return interrupted();
        }
        ModelException failure = sentences.status(response.statusCode(), body,
                response.headers().firstValue("location").orElse(""));
        return RetryAfter.in(response.headers(), clock).map(failure::withRetryAfter).orElse(failure);
    }

    /** The exception for a failed read. */
    public ModelException broken(IOException e) {
        return switch (e) {
            case InterruptedIOException stopped -> interrupted();
            case ArrivingBytes.TooLateException late -> patience.exhausted();
            case EventTooLongException tooLong -> protocol("sent " + tooLong.getMessage(), e);
            case BoundedBody.AnswerTooLongException endless -> protocol("sent " + endless.getMessage()
                    + " and did not end; bound answers with maxOutputTokens, or allow longer ones with "
                    + "HttpSettings.withLargestAnswer", e);
            case ZipException bad ->
                protocol("sent gzip that cannot be unpacked (" + bad.getMessage() + ")", e);
            case EOFException cut -> protocol("ended its packed answer in the middle", e);
            default -> connection(e.getCause() == null ? e : e.getCause(), url, timeouts);
        };
    }

    /** Notes that the answer is complete, so that its connection can be used again. */
    public void finished() {
        whole = true;
    }

    @Override
    public void close() {
        if (whole) {
            response.body().release();
        } else {
            response.body().cancel();
        }
    }

    public static ModelException interrupted() {
        return new ModelException(Kind.INTERRUPTED,
                "the thread that asked the model was interrupted; the connection is closed");
    }

    /** Reads everything, within a bound. */
    public static byte[] all(InputStream in, int maxBytes) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        byte[] buffer = new byte[8 << 10];
        for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
            if (out.size() + count > maxBytes) {
                throw new EventTooLongException(maxBytes);
            }
            out.write(buffer, 0, count);
        }
        return out.toByteArray();
    }

    private ModelException protocol(String what, Throwable cause) {
        return new ModelException(Kind.PROTOCOL, "the model server at " + url + " " + what, cause);
    }

    private static void abandon(CompletableFuture<HttpResponse<ArrivingBytes>> sent) {
        // cancelling the very future that the client gave closes the connection; the answer may have won the race
        if (!sent.cancel(true) && !sent.isCompletedExceptionally()) {
            sent.join().body().cancel();
        }
    }

    private static ModelException connection(Throwable cause, BaseUrl url, HttpTimeouts timeouts) {
        if (cause instanceof HttpConnectTimeoutException) {
            return new ModelException(Kind.TIMEOUT, "no connection to " + url.origin() + " within "
                    + Patience.words(timeouts.connect()) + "; check the base URL, the network and the proxy",
                    cause);
        }
        if (Retrying.isUnknownHost(cause)) {
            return new ModelException(Kind.CONNECTION, "there is no host named \"" + url.uri().getHost()
                    + "\"; check the base URL and the network", cause);
        }
        if (cause instanceof ConnectException) {
            return new ModelException(Kind.CONNECTION, "there is no server at " + url.origin()
                    + (url.isLoopback()
                            ? "; start it (for Ollama: ollama serve), or set the base URL to where it is (base_url of [model] in belay.toml)"
                            : "; check the base URL, the network and the proxy"),
                    cause);
        }
        if (cause instanceof SSLException) {
            return new ModelException(Kind.CONNECTION, "no secure connection to " + url.origin() + " ("
                    + cause.getMessage() + "); check the certificate, or whether the server speaks http://",
                    cause);
        }
        String why = cause.getMessage() == null ? "" : " (" + cause.getMessage() + ")";
        return new ModelException(Kind.CONNECTION, "the connection to " + url.origin() + " broke" + why,
                cause);
    }
}
