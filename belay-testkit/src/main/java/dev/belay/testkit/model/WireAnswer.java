package dev.belay.testkit.model;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.zip.GZIPOutputStream;
import org.jspecify.annotations.Nullable;

/** The answer of a {@link WireServer} to one request. Immutable, except for the latch it waits for. */
public final class WireAnswer {

    /** How an answer ends after its last piece. */
    enum Ending {
        /** As HTTP requires. */
        COMPLETE,
        /** Never: the connection stays open until the client closes it. */
        HANG,
        /** The connection is reset. */
        DROP
    }

    private final int status;
    private final Map<String, String> headers;
    private final List<byte[]> pieces;
    private final Ending ending;
    private final boolean silent;
    private final int pauseBefore;
    private final @Nullable CountDownLatch until;

    private WireAnswer(int status, Map<String, String> headers, List<byte[]> pieces, Ending ending,
            boolean silent,
            int pauseBefore, @Nullable CountDownLatch until) {
        this.status = status;
        this.headers = headers;
        this.pieces = pieces;
        this.ending = ending;
        this.silent = silent;
        this.pauseBefore = pauseBefore;
        this.until = until;
    }

    /** A stream of events, each sent in a piece of its own. */
    public static WireAnswer stream(List<String> events) {
        List<byte[]> pieces = events.stream().map(event -> event.getBytes(StandardCharsets.UTF_8)).toList();
        return new WireAnswer(200, Map.of("Content-Type", "text/event-stream; charset=utf-8"), pieces,
                Ending.COMPLETE,
                false, -1, null);
    }

    /** A success in one piece. */
    public static WireAnswer json(String body) {
        return of(200, "application/json", body);
    }

    /** An answer in one piece. */
    public static WireAnswer of(int status, String contentType, String body) {
        return new WireAnswer(status, Map.of("Content-Type", contentType),
                List.of(body.getBytes(StandardCharsets.UTF_8)), Ending.COMPLETE, false, -1, null);
    }

    /** No answer at all: the connection stays open until the client closes it. */
    public static WireAnswer silence() {
        return new WireAnswer(200, Map.of(), List.of(), Ending.HANG, true, -1, null);
    }

    /** No answer at all: the connection is reset. */
    public static WireAnswer reset() {
        return new WireAnswer(200, Map.of(), List.of(), Ending.DROP, true, -1, null);
    }

    /** The same with a header more. */
    public WireAnswer header(String name, String value) {
        Map<String, String> more = new LinkedHashMap<>(headers);
        more.put(name, value);
        return new WireAnswer(status, more, pieces, ending, silent, pauseBefore, until);
    }

    /** The same bytes in pieces of this size. */
    public WireAnswer cut(int size) {
        byte[] all = joined();
        List<byte[]> cut = new ArrayList<>();
        for (int at = 0; at < all.length; at += size) {
            cut.add(Arrays.copyOfRange(all, at, Math.min(all.length, at + size)));
        }
        return new WireAnswer(status, headers, cut, ending, silent, -1, null);
    }

    /** The same packed, flushed after every piece. */
    public WireAnswer gzip() {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        List<byte[]> packed = new ArrayList<>();
        try (GZIPOutputStream out = new GZIPOutputStream(bytes, true)) {
            for (byte[] piece : pieces) {
                out.write(piece);
                out.flush();
                packed.add(bytes.toByteArray());
                bytes.reset();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        packed.add(bytes.toByteArray());
        return new WireAnswer(status, headers, packed, ending, silent, pauseBefore, until)
                .header("Content-Encoding", "gzip");
    }

    /** The same, but after its last piece the connection stays open without data. */
    public WireAnswer thenHang() {
        return new WireAnswer(status, headers, pieces, Ending.HANG, silent, pauseBefore, until);
    }

    /** The same, but after its last piece the connection is reset. */
    public WireAnswer thenDrop() {
        return new WireAnswer(status, headers, pieces, Ending.DROP, silent, pauseBefore, until);
    }

    /** The same, but before the piece with this number, counted from 0, or before its end, it waits for the latch. */
    public WireAnswer pauseBefore(int piece, CountDownLatch latch) {
        return new WireAnswer(status, headers, pieces, ending, silent, piece, latch);
    }

    /** The same, but before its end it waits for the latch. */
    public WireAnswer pauseBeforeEnd(CountDownLatch latch) {
        return pauseBefore(pieces.size(), latch);
    }

    int status() {
        return status;
    }

    Map<String, String> headers() {
        return headers;
    }

    List<byte[]> pieces() {
        return pieces;
    }

    Ending ending() {
        return ending;
    }

    boolean isSilent() {
        return silent;
    }

    /** Waits for the latch at its place. */
    void beforePiece(int piece) throws InterruptedException {
        if (until != null && piece == pauseBefore) {
            until.await();
        }
    }

    private byte[] joined() {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        pieces.forEach(all::writeBytes);
        return all.toByteArray();
    }
}
