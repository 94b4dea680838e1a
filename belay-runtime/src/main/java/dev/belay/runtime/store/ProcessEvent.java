package dev.belay.runtime.store;

import dev.belay.json.Json;
import dev.belay.runtime.effect.StoredNames;
import dev.belay.runtime.store.journal.LargeResult;
import java.nio.charset.StandardCharsets;
import java.time.Instant;

/**
 * Something that a process has told, in its order. Never changed and never taken back.
 *
 * @param place among the events of its process, from 1; the cursor of a reader
 * @param key tells it from the others of its process when it is told again: the first one stands
 * @param type what sort of event, in the words of the process
 * @param payload what it says
 * @param at when
 */
public record ProcessEvent(long place, String key, String type, Json payload, Instant at) {

    /**
     * An event to be kept.
     *
     * @param key tells it from the others of its process when it is told again
     * @param type what sort of event
     * @param payload what it says, at most 64 KiB as text
     */
    public record Draft(String key, String type, Json payload) {

        private static final int LONGEST = 200;

        /** Checks names and size; {@link IllegalArgumentException} if one of them does not fit. */
        public Draft {
            StoredNames.check("the key of an event", key, LONGEST);
            StoredNames.check("the type of an event", type, LONGEST);
            int bytes = payload.text().getBytes(StandardCharsets.UTF_8).length;
            if (bytes > LargeResult.INLINE) {
                throw new IllegalArgumentException("the payload of an event has at most " + LargeResult.INLINE
                        + " bytes of UTF-8, found " + bytes + "; keep it elsewhere and tell its name");
            }
        }

        /** Whether an event that was kept is this one. */
        public boolean isSameAs(ProcessEvent kept) {
            return key.equals(kept.key()) && type.equals(kept.type()) && payload.equals(kept.payload());
        }
    }
}
