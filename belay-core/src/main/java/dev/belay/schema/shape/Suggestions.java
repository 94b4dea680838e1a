package dev.belay.schema.shape;

import java.util.Map;

/** What to write instead of a type that has no schema. */
final class Suggestions {

    private static final Map<String, String> KNOWN = Map.ofEntries(
            Map.entry("java.lang.Object", "use dev.belay.json.Json for any JSON, or a record"),
            Map.entry("char", "use String with @Length(min = 1, max = 1)"),
            Map.entry("java.lang.Character", "use String with @Length(min = 1, max = 1)"),
            Map.entry("java.lang.CharSequence", "use String"),
            Map.entry("java.lang.Number", "use long, double or BigDecimal"),
            Map.entry("java.util.Date", "use java.time.Instant"),
            Map.entry("java.util.Calendar", "use java.time.ZonedDateTime"),
            Map.entry("java.sql.Timestamp", "use java.time.Instant"),
            Map.entry("java.net.URL", "use java.net.URI"),
            Map.entry("java.io.File", "use String; a path from a model must be checked by the tool"),
            Map.entry("java.nio.file.Path", "use String; a path from a model must be checked by the tool"),
            Map.entry("java.util.ArrayList", "use List"), Map.entry("java.util.LinkedList", "use List"),
            Map.entry("java.util.HashSet", "use Set"), Map.entry("java.util.LinkedHashSet", "use Set"),
            Map.entry("java.util.TreeSet", "use Set"), Map.entry("java.util.HashMap", "use Map"),
            Map.entry("java.util.LinkedHashMap", "use Map"), Map.entry("java.util.TreeMap", "use Map"),
            Map.entry("java.util.stream.Stream", "use List"), Map.entry("java.lang.Iterable", "use List"),
            Map.entry("java.util.concurrent.CompletableFuture",
                    "return the value itself; bodies are blocking code on virtual threads"));

    private Suggestions() {}

    static String forType(String name) {
        return KNOWN.getOrDefault(name,
                "make it a record, an enum or a sealed interface of records, or use dev.belay.json.Json");
    }
}
