package dev.belay.cli.settings;

import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** How much hosted models can read, where their makers say so. Of local models the server decides, which says so once it refuses. Stateless. */
final class KnownContext {

    /** By the beginning of the name; of GPT-5 without the answer. */
    private static final Map<String, Long> FAMILIES = Map.of("claude-", 200_000L, "gpt-5", 272_000L,
            "gpt-4.1",
            1_047_576L, "gpt-4o", 128_000L, "o1", 200_000L, "o3", 200_000L, "o4-mini", 200_000L, "gemini-2",
            1_048_576L);

    private KnownContext() {}

    /** Of a model, by its name. */
    static Optional<Long> of(String model) {
        String name = model.toLowerCase(Locale.ROOT);
        return FAMILIES.keySet().stream().filter(name::startsWith).findFirst().map(FAMILIES::get);
    }
}
