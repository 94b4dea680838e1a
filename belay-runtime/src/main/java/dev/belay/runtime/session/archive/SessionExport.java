package dev.belay.runtime.session.archive;

import dev.belay.BelayException;
import dev.belay.json.FramedHash;
import dev.belay.json.Json;
import dev.belay.json.JsonException;
import dev.belay.model.History;
import dev.belay.model.Message;
import dev.belay.model.MessageJson;
import dev.belay.model.RequestProblem;
import dev.belay.runtime.effect.JournalException;
import dev.belay.runtime.store.NewSession;
import dev.belay.runtime.store.SessionHead;
import dev.belay.runtime.store.SessionId;
import dev.belay.runtime.store.SessionProfile;
import dev.belay.runtime.store.Store;
import dev.belay.runtime.store.StoredMessage;
import dev.belay.runtime.store.TurnRow;
import dev.belay.runtime.store.TurnScope;
import dev.belay.runtime.store.journal.KeptBytes;
import dev.belay.runtime.store.journal.RecordReader;
import dev.belay.runtime.store.law.SessionReads;
import dev.belay.tool.context.Incarnation;
import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.Reader;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.Optional;

/**
 * A session as lines of JSON: a head, turns, messages, the bytes that it keeps, and a last line that counts them and carries a hash over all lines before
 * it, by which a file that was cut or changed is refused. Pinned by a golden file. A turn or message that the store cannot read is
 * a line that says so: a person can read the rest, and an import is refused with that line.
 */
public final class SessionExport {

    private static final String FORMAT = "belay-session";
    private static final String ABOVE = "above";
    private static final int PAGE = 500;
    /** Bytes of kept content in one line. */
    private static final int PART = 1 << 20;

    private SessionExport() {}

    /** Writes what was committed when this began; turns that are committed meanwhile are not in it. */
    public static void write(Store store, SessionHead head, Appendable out) throws IOException {
        var lines = new Lines(out);
        lines.add(Json.write(json -> {
            json.beginObject().name("format").value(FORMAT).name("v").value(RecordReader.VERSION);
            json.name("session").value(head.id().value()).name("revision").value(head.revision());
            if (!head.profile().agent().equals(SessionProfile.DEFAULT_AGENT)) {
                json.name(TurnScope.AGENT).value(head.profile().agent());
            }
            if (!head.profile().above().isEmpty()) {
                json.name(ABOVE)
                        .value(Json.array(head.profile().above().stream().map(Json::string).toList()));
            }
            SessionHead.keepAbove(head.origin(), json);
            json.name("state").value(head.state()).endObject();
        }));
        SessionId id = head.id();
        addAll(lines, head, new Range("turn", 1, head.revision() + 1),
                (from, most) -> store.read(SessionReads.turns(id, from, most))
                        .stream()
                        .map(SessionExport::turn)
                        .toList());
        addAll(lines, head, new Range("message", 0, head.messages()),
                (from, most) -> store.read(SessionReads.messages(id, from, most))
                        .stream()
                        .map(SessionExport::message)
                        .toList());
        addKept(lines, store, TurnScope.prefix(head.incarnation()));
        lines.end();
    }

    /** All bytes that a session keeps, in parts: a line is read whole. */
    private static void addKept(Lines lines, Store store, String keeper) throws IOException {
        Optional<KeptBytes> next = store.nextKept(keeper, "");
        while (next.isPresent()) {
            KeptBytes kept = next.get();
            byte[] bytes = kept.bytes();
            for (int at = 0; at < bytes.length; at += PART) {
                String part = Base64.getEncoder()
                        .encodeToString(Arrays.copyOfRange(bytes, at, Math.min(bytes.length, at + PART)));
                lines.add(Json.write(json -> json.beginObject()
                        .name("kept")
                        .value(kept.reference().hash())
                        .name("type")
                        .value(kept.reference().mediaType())
                        .name("bytes")
                        .value(part)
                        .endObject()));
            }
            next = store.nextKept(keeper, kept.name());
        }
    }

    /** Rows of a session by their numbers, from the first one to the one behind the last. */
    private record Range(String what, long first, long end) {

        int most(long from) {
            return (int) Math.min(PAGE, end - from);
        }
    }

    /** Reads the lines of rows. */
    private interface Reading {
        List<Json> read(long from, int most);
    }

    private static void addAll(Lines lines, SessionHead head, Range rows, Reading reading)
            throws IOException {
        for (long next = rows.first(); next < rows.end();) {
            List<Json> page = page(head, rows, next, reading);
            for (Json line : page) {
                lines.add(line);
            }
            next += page.size();
        }
    }

    /** The next lines. If the store cannot read a row of theirs, each row is read alone, and a damaged one is a line that says so. */
    private static List<Json> page(SessionHead head, Range rows, long from, Reading reading) {
        try {
            List<Json> page = reading.read(from, rows.most(from));
            demand(page, head.id());
            return page;
        } catch (JournalException e) {
            if (!e.isDamage()) {
                throw e;
            }
        }
        List<Json> page = new ArrayList<>();
        for (long one = from; one < from + rows.most(from); one++) {
            try {
                List<Json> alone = reading.read(one, 1);
                demand(alone, head.id());
                page.addAll(alone);
            } catch (JournalException e) {
                if (!e.isDamage()) {
                    throw e;
                }
                String damage = rows.what() + " " + one + ": " + e.getMessage();
                page.add(Json.write(json -> json.beginObject().name("damaged").value(damage).endObject()));
            }
        }
        return page;
    }

    /** Refuses an empty page where there must be more. */
    static void demand(List<?> page, SessionId session) {
        if (page.isEmpty()) {
            throw new BelayException("unknown_session",
                    "session " + session + " was deleted while it was read");
        }
    }

    /** The end of a committed turn. */
    static TurnRow.End end(TurnRow turn) {
        TurnRow.End end = turn.end();
        if (end == null) {
            throw new IllegalStateException("turn " + turn.turn() + " of " + turn.session() + " has no end");
        }
        return end;
    }

    private static Json turn(TurnRow turn) {
        TurnRow.End end = end(turn);
        return Json.write(json -> {
            json.beginObject().name("turn").value(turn.turn()).name("input").value(turn.input());
            json.name("accepted").value(turn.acceptedAt().toString()).name("receipt").value(end.receipt());
            json.name("result").value(end.result());
            if (end.state() != null) {
                json.name("state").value(end.state());
            }
            json.name("first").value(end.firstMessage()).name("messages").value(end.messages());
            json.name("at").value(end.at().toString()).endObject();
        });
    }

    private static Json message(StoredMessage message) {
        return Json.write(json -> json.beginObject()
                .name("place")
                .value(message.place())
                .name("of")
                .value(message.turn())
                .name("message")
                .value(message.message())
                .endObject());
    }

    /**
     * Reads a session; {@code invalid_export} with the number of the line if something is wrong.
     *
     * @param as the name it gets
     * @param incarnation drawn for it
     */
    static NewSession read(Reader in, SessionId as, Incarnation incarnation) throws IOException {
        var lines = new BufferedReader(in);
        var hash = new FramedHash();
        List<TurnRow> turns = new ArrayList<>();
        List<StoredMessage> messages = new ArrayList<>();
        var kept = new ReadBytes();
        Json head = null;
        int number = 0;
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            number++;
            try {
                Json json = Json.of(line);
                if (head == null) {
                    checkHead(json, number);
                    head = json;
                } else if (json.get("damaged").isPresent()) {
                    throw invalid(number, "it was damaged in the store from which it was exported: "
                            + RecordReader.text(json, "damaged")
                            + "; fork the session in front of that turn there, and export the fork");
                } else if (json.get("turn").isPresent()) {
                    turns.add(turn(json, as));
                } else if (json.get("message").isPresent()) {
                    messages.add(message(json));
                } else if (json.get("kept").isPresent()) {
                    kept.add(json);
                } else {
                    checkEnd(json, turns.size(), messages.size(), hash, number);
                    if (lines.readLine() != null) {
                        throw invalid(number + 1, "there is more after the end");
                    }
                    return session(as, incarnation, head, turns, messages, number).keeping(kept.all());
                }
                hash.add(line);
            } catch (JsonException | IllegalArgumentException | NoSuchElementException
                    | DateTimeException e) {
                throw invalid(number, String.valueOf(e.getMessage()));
            }
        }
        throw invalid(number + 1, number == 0 ? "it is empty" : "the end is missing: it was cut");
    }

    private static void checkHead(Json json, int line) {
        if (!json.get("format").map(Json::asString).orElse("").equals(FORMAT)) {
            throw invalid(line, "this is no exported session");
        }
        long version = RecordReader.field(json, "v").asLong();
        if (version > RecordReader.VERSION) {
            throw invalid(line,
                    "it was written in form " + version + "; this version of Belay reads forms up to "
                            + RecordReader.VERSION);
        }
    }

    private static TurnRow turn(Json json, SessionId as) {
        return new TurnRow(as, RecordReader.field(json, "turn").asLong(), RecordReader.text(json, "input"),
                Instant.parse(RecordReader.text(json, "accepted")),
                new TurnRow.End(RecordReader.text(json, "receipt"), RecordReader.field(json, "result"),
                        json.get("state").orElse(null), RecordReader.field(json, "first").asLong(),
                        RecordReader.field(json, "messages").asInt(),
                        Instant.parse(RecordReader.text(json, "at"))));
    }

    private static StoredMessage message(Json json) {
        return new StoredMessage(RecordReader.field(json, "place").asLong(),
                RecordReader.field(json, "of").asLong(),
                RecordReader.field(json, "message"));
    }

    private static void checkEnd(Json json, int turns, int messages, FramedHash hash, int line) {
        if (RecordReader.field(json, "turns").asInt() != turns
                || RecordReader.field(json, "count").asInt() != messages
                || !RecordReader.text(json, "hash").equals(hash.hex())) {
            throw invalid(line,
                    "lines are missing or were changed: the last line does not fit those before it");
        }
    }

    private static NewSession session(SessionId as, Incarnation incarnation, Json head, List<TurnRow> turns,
            List<StoredMessage> messages, int line) {
        Optional<String> problem = problem(messages);
        if (problem.isPresent()) {
            throw invalid(line, problem.get());
        }
        Json origin = Json.write(json -> {
            json.beginObject().name("imported").value(RecordReader.text(head, "session"));
            SessionHead.keepAbove(head, json);
            json.endObject();
        });
        return new NewSession(as, incarnation, origin, turns, messages, RecordReader.field(head, "state"))
                .of(Objects.requireNonNullElse(RecordReader.optionalText(head, TurnScope.AGENT),
                        SessionProfile.DEFAULT_AGENT))
                .below(RecordReader.items(head, ABOVE).stream().map(Json::asString).toList());
    }

    /** Why messages cannot be the past of a session. */
    static Optional<String> problem(List<StoredMessage> messages) {
        try {
            List<Message> history = messages.stream()
                    .map(one -> MessageJson.message(one.message()))
                    .toList();
            List<RequestProblem> problems = history.isEmpty() ? List.of() : History.problems(history);
            return problems.stream().findFirst().map(first -> "its history is not well-formed: " + first);
        } catch (BelayException e) {
            return Optional.of(String.valueOf(e.getMessage()));
        }
    }

    private static BelayException invalid(int line, String problem) {
        return new BelayException("invalid_export", "line " + line + " of the exported session: " + problem);
    }

    /** Kept bytes, put together from their parts. */
    private static final class ReadBytes {

        private final List<KeptBytes> whole = new ArrayList<>();
        private final ByteArrayOutputStream parts = new ByteArrayOutputStream();
        private String hash = "";
        private String type = "";

        void add(Json part) {
            String name = RecordReader.text(part, "kept");
            if (!name.equals(hash) || !RecordReader.text(part, "type").equals(type)) {
                end();
                hash = name;
                type = RecordReader.text(part, "type");
            }
            parts.writeBytes(Base64.getDecoder().decode(RecordReader.text(part, "bytes")));
        }

        private void end() {
            if (parts.size() > 0) {
                KeptBytes bytes = KeptBytes.of(parts.toByteArray(), type);
                if (!bytes.reference().hash().equals(hash)) {
                    throw new IllegalArgumentException("the bytes of " + hash + " are not those it names");
                }
                whole.add(bytes);
                parts.reset();
            }
        }

        List<KeptBytes> all() {
            end();
            return whole;
        }
    }

    /** Lines on their way out, counted and hashed. */
    private static final class Lines {

        private final Appendable out;
        private final FramedHash hash = new FramedHash();
        private int turns;
        private int messages;

        Lines(Appendable out) {
            this.out = out;
        }

        void add(Json json) throws IOException {
            String line = json.compact();
            turns += json.get("turn").isPresent() ? 1 : 0;
            messages += json.get("message").isPresent() ? 1 : 0;
            hash.add(line);
            out.append(line).append('\n');
        }

        void end() throws IOException {
            out.append(Json.write(json -> json.beginObject()
                    .name("turns")
                    .value(turns)
                    .name("count")
                    .value(messages)
                    .name("hash")
                    .value(hash.hex())
                    .endObject()).compact()).append('\n');
        }
    }
}
