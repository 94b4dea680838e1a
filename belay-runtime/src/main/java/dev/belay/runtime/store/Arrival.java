package dev.belay.runtime.store;

import dev.belay.json.FramedHash;
import dev.belay.json.Json;
import dev.belay.runtime.effect.StoredNames;
import java.util.Objects;

/**
 * Something that reaches a session from outside: an input that wants a turn, or a command or notice that the next turn takes
 * along.
 *
 * @param id chosen by the sender; the same id with the same content is the same arrival
 * @param kind whether it starts a turn
 * @param hash of the content; equal contents have equal hashes
 * @param content what it says
 */
public record Arrival(String id, Kind kind, String hash, Json content) {

    private static final int LONGEST = 200;

    /** Whether an arrival starts a turn by itself. */
    public enum Kind {
        /** Starts a turn if none is active. */
        INPUT,
        /** Waits for the next turn, which does what it says. */
        COMMAND,
        /** Waits for the next round, whose model is told of it. */
        NOTICE
    }

    /** Checks the id. */
    public Arrival {
        StoredNames.check("the id of an input", id, LONGEST);
        Objects.requireNonNull(kind, "kind");
        Objects.requireNonNull(hash, "hash");
        Objects.requireNonNull(content, "content");
    }

    /**
     * A notice.
     *
     * @param content an object; the model reads its {@code text}
     */
    public static Arrival notice(String id, Json content) {
        return new Arrival(id, Kind.NOTICE, new FramedHash().add(content).hex(), content);
    }

    /** Whether another one with the same id is this one again: the same kind with the same content. */
    public boolean isSameAs(Arrival other) {
        return kind == other.kind && hash.equals(other.hash);
    }
}
