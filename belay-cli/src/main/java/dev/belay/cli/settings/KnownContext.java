package dev.belay.cli.settings;

import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** How much hosted models can read, where their makers say so. Of local models the server decides, which says so once it refuses. Stateless. */
final class KnownContext {

    /** By the beginning of the name. */
    private record Family(String begins, long tokens) {}

    private static final List<Family> FAMILIES = List.of(new Family("claude-", 200_000),
            new Family("gpt-5", 272_000), // of 400,000 with the answer
            new Family("gpt-4.1", 1_047_576), new Family("gpt-4o", 128_000), new Family("o1", 200_000),
            new Family("o3", 200_000), new Family("o4-mini", 200_000), new Family("gemini-2", 1_048_576));

    private KnownContext() {}

    /** Of a model, by its name. */
    static Optional<Long> of(String model) {
        String name = model.toLowerCase(Locale.ROOT);
        return FAMILIES.stream().filter(family -> name.startsWith(family.begins())).map(Family::tokens).findFirst();
    }
}
