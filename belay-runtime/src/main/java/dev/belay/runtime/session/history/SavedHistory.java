package dev.belay.runtime.session.history;

import dev.belay.json.FramedHash;
import dev.belay.json.Json;
import dev.belay.runtime.history.Compaction;
import dev.belay.runtime.store.journal.RecordReader;
import java.util.List;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/**
 * What a session keeps of its history, as a part of its state; pinned by a test. A text stands in the state of the turn that has
 * changed it; later states name that turn, so that a state that changes with each turn does not repeat it.
 *
 * @param turn the last turn with a compaction, 0 for none
 * @param before the turn with a compaction before that, 0 for none
 * @param decided the compactions of that turn; none in later states
 * @param upTo how many messages the pieces stand for
 * @param pieces what is sent in their place; null for no compaction, and in later states
 * @param called names of tools that the session has called so far, because the calls may not be read any more; none in later states
 * @param factor thousandths of tokens that the provider has reported for each token of the estimate
 * @param instructed the turn since which the instructions are the same, 0 for none
 * @param mark of the instructions: the beginning of their hash
 * @param instructions of that turn; null in later states
 */
public record SavedHistory(long turn, long before, List<Compaction> decided, int upTo,
        @Nullable Pieces pieces, List<String> called, int factor, long instructed, String mark,
        @Nullable String instructions) {

    /** An estimate that is taken as it is. */
    static final int EXACT = 1_000;

    /** Nothing was decided. */
    static final SavedHistory NONE = new SavedHistory(0, 0, List.of(), 0, null, List.of(), EXACT, 0, "",
            null);

    /** Copies the lists. */
    public SavedHistory {
        decided = List.copyOf(decided);
        called = List.copyOf(called);
    }

    /** The part of a state; null for none. */
    public static SavedHistory of(@Nullable Json saved) {
        if (saved == null) {
            return NONE;
        }
        return RecordReader.read("history of a session", saved,
                () -> new SavedHistory(number(saved, "turn", 0), number(saved, "before", 0),
                        RecordReader.items(saved, "decided").stream().map(CompactionRecord::decided).toList(),
                        (int) number(saved, "upTo", 0),
                        saved.get("pieces").isPresent() ? Pieces.of(saved, "pieces") : null,
                        RecordReader.items(saved, "called").stream().map(Json::asString).toList(),
                        (int) number(saved, "factor", EXACT), number(saved, "instructed", 0),
                        saved.get("mark").map(Json::asString).orElse(""),
                        RecordReader.optionalText(saved, "instructions")));
    }

    /** The mark of instructions; empty for none. */
    static String mark(String instructions) {
        return instructions.isEmpty() ? "" : new FramedHash().add(instructions).hex().substring(0, 16);
    }

    private static long number(Json saved, String name, long otherwise) {
        return saved.get(name).map(Json::asLong).orElse(otherwise);
    }

    /**
     * The same with all texts.
     *
     * @param in the history in the state of a turn, or null
     */
    public SavedHistory whole(LongFunction<@Nullable Json> in) {
        SavedHistory compacted = turn == 0 || pieces != null ? this : of(in.apply(turn));
        SavedHistory told = instructed == 0 || instructions != null ? this : of(in.apply(instructed));
        return new SavedHistory(turn, before, compacted.decided, upTo, compacted.pieces, compacted.called,
                factor, instructed, mark, told.instructions);
    }

    /**
     * How many of the oldest messages are not sent any more.
     *
     * @param in the history in the state of a turn, or null
     */
    public int unsent(LongFunction<@Nullable Json> in) {
        Pieces last = turn == 0 ? null : whole(in).pieces;
        return last == null ? 0 : Math.min(upTo, last.first());
    }

    /** The same as a later turn keeps it. */
    SavedHistory later() {
        return new SavedHistory(turn, before, List.of(), upTo, null, List.of(), factor, instructed, mark,
                null);
    }

    Json toJson() {
        return Json.write(out -> {
            out.beginObject();
            if (turn != 0) {
                out.name("turn").value(turn).name("before").value(before).name("upTo").value(upTo);
            }
            if (pieces != null) {
                out.name("decided").beginArray();
                decided.forEach(one -> CompactionRecord.write(out, one));
                out.endArray();
                pieces.write(out.name("pieces"));
            }
            if (!called.isEmpty()) {
                out.name("called").value(Json.array(called.stream().map(Json::string).toList()));
            }
            if (factor != EXACT) {
                out.name("factor").value(factor);
            }
            if (instructed != 0) {
                out.name("instructed").value(instructed).name("mark").value(mark);
            }
            if (instructions != null) {
                out.name("instructions").value(instructions, RecordReader.HALF);
            }
            out.endObject();
        });
    }
}
