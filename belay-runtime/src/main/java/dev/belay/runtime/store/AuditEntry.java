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
 */
public record AuditEntry(long place, Instant at, Note note) {

    /**
     * What is written with the write that does it.
     *
     * @param by who asked
     * @param verb what was done, such as {@code retry}
     * @param target to what, such as {@code session/turn}
     * @param details what else was said: a reason, an output
     */
    public record Note(Actor by, String verb, String target, Json details) {

        /** A note with a reason, or none for null. */
        public static Note of(Actor by, String verb, Object target, @Nullable String reason) {
            return new Note(by, verb, target.toString(), reason == null
                    ? Json.EMPTY_OBJECT
                    : Json.write(out -> out.beginObject().name("reason").value(reason).endObject()));
        }

        /** A hash over all of it, to compare a row with a copy of it. */
        public String digest() {
            return new FramedHash().add("belay-audit-1")
                    .add(by.name())
                    .add(by.door())
                    .add(verb)
                    .add(target)
                    .add(details)
                    .hex();
        }
    }
}
