package dev.belay.schema.compile;

import dev.belay.schema.Draft;
import dev.belay.schema.FormatMode;
import dev.belay.schema.JsonSchema;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Map.Entry;
import java.util.function.Supplier;

/**
 * Compiled schemas by exact text; those used longest ago leave first. Thread-safe: compiling happens outside the lock, and if
 * two threads compile the same text the first result stays.
 */
public final class SchemaCache {

    /** More different schemas than one process offers tools. */
    public static final int MOST_ENTRIES = 1_024;
    /** Characters of all texts together, since a compiled schema takes some ten times the memory of its text. */
    public static final long MOST_CHARACTERS = 8L << 20;

    private final int mostEntries;
    private final long mostCharacters;
    private final Map<Key, JsonSchema> entries = new LinkedHashMap<>(16, 0.75f, true);
    private long characters;

    public SchemaCache(int mostEntries, long mostCharacters) {
        this.mostEntries = mostEntries;
        this.mostCharacters = mostCharacters;
    }

    public JsonSchema get(String text, FormatMode formats, Draft draft, Supplier<JsonSchema> compile) {
        Key key = new Key(text, formats, draft);
        synchronized (entries) {
            JsonSchema known = entries.get(key);
            if (known != null) {
                return known;
            }
        }
        JsonSchema compiled = compile.get();
        synchronized (entries) {
            JsonSchema first = entries.putIfAbsent(key, compiled);
            if (first != null) {
                return first;
            }
            characters += text.length();
            evict();
            return compiled;
        }
    }

    int size() {
        synchronized (entries) {
            return entries.size();
        }
    }

    private void evict() {
        var eldest = entries.entrySet().iterator();
        while ((entries.size() > mostEntries || characters > mostCharacters) && entries.size() > 1) {
            Entry<Key, JsonSchema> entry = eldest.next();
            characters -= entry.getKey().text.length();
            eldest.remove();
        }
    }

    private record Key(String text, FormatMode formats, Draft draft) {}
}
