package dev.belay.runtime.store.law;

import static dev.belay.runtime.store.rows.ScopeRows.RESULTS;
import static dev.belay.runtime.store.rows.StoreRows.BYTES;

import dev.belay.json.Json;
import dev.belay.json.JsonException;
import dev.belay.runtime.effect.JournalException;
import dev.belay.runtime.store.rows.ScopeRows.Result;
import dev.belay.runtime.store.rows.Selector;
import dev.belay.runtime.store.rows.StoreRows.Bytes;
import dev.belay.runtime.store.rows.Unit;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import org.jspecify.annotations.Nullable;

/** Reads values that stand in their rows or are kept by content. */
final class StoredResults {

    private StoredResults() {}

    static void select(Collection<Selector<?>> rows, String scope) {
        rows.add(Selector.one(RESULTS, scope));
    }

    /** Names the content to which a row refers. */
    static void selectContent(Collection<Selector<?>> rows, @Nullable String output) {
        if (output != null) {
            rows.add(Selector.one(BYTES, output));
        }
    }

    /** A value that stands in its row or is kept by content; null if there is none. */
    static @Nullable Json value(Unit unit, @Nullable Json inline, @Nullable String output) {
        if (output == null) {
            return inline;
        }
        Bytes kept = unit.get(BYTES, output);
        if (kept == null) {
            throw JournalException.corrupt("the content " + output + " is missing, to which a row refers",
                    null);
        }
        try {
            return Json.of(new String(kept.bytes(), StandardCharsets.UTF_8));
        } catch (JsonException e) {
            throw JournalException.corrupt("the content " + output + " is no JSON: " + e.getMessage(), e);
        }
    }

    /** Names the content of a scope's result. */
    static void selectContentOf(Unit unit, Collection<Selector<?>> rows, String scope) {
        Result result = unit.get(RESULTS, scope);
        selectContent(rows, result == null ? null : result.output());
    }

    /** The result of a scope; null if it has none. */
    static @Nullable Json of(Unit unit, String scope) {
        Result result = unit.get(RESULTS, scope);
        return result == null ? null : value(unit, result.value(), result.output());
    }

    /** The result of a scope that has ended. */
    static Json required(Unit unit, String scope) {
        Json result = of(unit, scope);
        return result != null ? result : required(result, "the scope " + scope + ", which has ended,");
    }

    /** A result that a row must have. */
    static Json required(@Nullable Json result, String row) {
        if (result == null) {
            throw JournalException.corrupt(row + " lacks its result", null);
        }
        return result;
    }
}
