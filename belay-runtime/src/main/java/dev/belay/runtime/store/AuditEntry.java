package dev.belay.runtime.store;

import dev.belay.json.FramedHash;
import dev.belay.json.Json;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * One row of the audit log, which only grows.
 *
 * @param place its number, from 1 on; a cursor
 * @param at when
 * @param note what was done, and by whom
 * @param digest covers this row and the digest of the row before it
 */
public record AuditEntry(long place, Instant at, Note note, String digest) {

    /** Stands for the digest before the first row. */
    public static final String BEFORE_FIRST = "";

    /** The row behind another one. */
    public static AuditEntry after(String before, long place, Instant at, Note note) {
        return new AuditEntry(place, at, note, digest(before, place, at, note));
    }

    /** Whether the row is as it was written, behind a row of this digest. */
    public boolean follows(String before) {
        return digest.equals(digest(before, place, at, note));
    }

    private static String digest(String before, long place, Instant at, Note note) {
        return new FramedHash().add("belay-audit-2")
                .add(before)
                .add(place)
                .add(at.toString())
                .add(note.by().name())
                .add(note.by().door())
                .add(note.user())
                .add(note.verb())
                .add(note.target())
                .add(note.details())
                .hex();
    }

    /**
     * What is written with the write that does it.
     *
     * @param by the actor, as the caller says
     * @param user the user of the operating system whose process wrote it
     * @param verb what was done, such as {@code retry}
     * @param target to what, such as {@code session/turn}
     * @param details what else was said: a reason, an output
     */
    public record Note(Actor by, String user, String verb, String target, Json details) {

        private static final String THIS_USER = ProcessHandle.current().info().user().orElse("unknown");

        /** A note of this process. */
        public Note(Actor by, String verb, String target, Json details) {
            this(by, THIS_USER, verb, target, details);
        }

        /** A note of this process with a reason, or none for null. */
        public static Note of(Actor by, String verb, Object target, @Nullable String reason) {
            return new Note(by, verb, target.toString(), reason == null
                    ? Json.EMPTY_OBJECT
                    : Json.write(out -> out.beginObject().name("reason").value(reason).endObject()));
        }
    }
}
