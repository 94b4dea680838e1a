package dev.belay.runtime.store;

import dev.belay.json.FramedHash;
import dev.belay.json.Json;
import dev.belay.runtime.effect.StoredNames;
import dev.belay.schema.Wording;
import dev.belay.tool.ToolOutcome;
import dev.belay.tool.context.Reconciliation;
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
    /** A model wants to know how a call ended; the whole is in the journal. */
    private static final int MOST_SHOWN = 2_000;

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

    /** The id of the notice about a call that was given up in a turn. */
    public static String lateId(long turn, String key) {
        return "late/" + turn + "/" + key;
    }

    /**
     * The notice about a call that was given up in a turn. Its form is pinned by a golden file.
     *
     * @param key of its record
     * @param tool how a model knows it
     * @param truth what turned out
     */
    public static Arrival late(long turn, String key, String tool, Reconciliation<ToolOutcome> truth) {
        String text = "Note (tool_late): " + tool + " was given up in turn " + turn + switch (truth) {
            case Reconciliation.Happened<ToolOutcome>(ToolOutcome outcome) ->
                " and has ended after all: " + outcome.text();
            case Reconciliation.DidNotHappen<ToolOutcome>(String reason) ->
                " and did not happen: " + reason + "; it may be called again";
            case Reconciliation.Unknown<ToolOutcome>(String known) -> " and may have happened: " + known;
        };
        return notice(lateId(turn, key), Json.write(out -> out.beginObject()
                .name("turn")
                .value(turn)
                .name("call")
                .value(key)
                .name("text")
                .value(Wording.shown(text, MOST_SHOWN))
                .endObject()));
    }

    /** Whether another one with the same id is this one again: the same kind with the same content. */
    public boolean isSameAs(Arrival other) {
        return kind == other.kind && hash.equals(other.hash);
    }
}
