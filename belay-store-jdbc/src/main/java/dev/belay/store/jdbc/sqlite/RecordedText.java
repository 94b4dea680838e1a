package dev.belay.store.jdbc.sqlite;

import dev.belay.json.Json;
import dev.belay.json.JsonException;
import dev.belay.runtime.effect.JournalException;
import dev.belay.runtime.effect.Resolution;
import dev.belay.runtime.store.journal.OutcomeJson;
import org.jspecify.annotations.Nullable;

/** Reads what was recorded as text. */
public final class RecordedText {

    private RecordedText() {}

    public static Json json(@Nullable String text) {
        try {
            if (text == null) {
                throw JournalException.corrupt("a record lacks a value that it was written with", null);
            }
            return Json.of(text);
        } catch (JsonException e) {
            throw JournalException.corrupt("a record is no JSON: " + e.getMessage(), e);
        }
    }

    static @Nullable Json nullableJson(@Nullable String text) {
        return text == null ? null : json(text);
    }

    public static Resolution resolution(String text) {
        return OutcomeJson.resolution(json(text));
    }

    public static @Nullable Resolution nullableResolution(@Nullable String text) {
        return text == null ? null : resolution(text);
    }
}
