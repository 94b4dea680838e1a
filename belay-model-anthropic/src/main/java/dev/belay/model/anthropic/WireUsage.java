package dev.belay.model.anthropic;

import dev.belay.json.Json;
import dev.belay.model.Usage;
import dev.belay.model.http.wire.WireFields;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.OptionalLong;

/** Adds up the tokens of one answer: the provider counts reads and writes of its cache separately. Confined to one answer. */
final class WireUsage {

    private static final String INPUT = "input_tokens";
    private static final String READ = "cache_read_input_tokens";
    private static final String WRITTEN = "cache_creation_input_tokens";
    private static final String OUTPUT = "output_tokens";

    private final Map<String, Long> counts = new LinkedHashMap<>();

    /** Takes a report; its counts replace those of earlier reports. */
    void report(Json usage) {
        for (String name : new String[]{INPUT, READ, WRITTEN, OUTPUT}) {
            WireFields.count(usage, name).ifPresent(value -> counts.put(name, value));
        }
    }

    Usage sum() {
        OptionalLong input = count(INPUT).isEmpty()
                ? OptionalLong.empty()
                : OptionalLong.of(
                        count(INPUT).getAsLong() + count(READ).orElse(0) + count(WRITTEN).orElse(0));
        return new Usage(input, count(OUTPUT), count(READ), count(WRITTEN), OptionalLong.empty());
    }

    private OptionalLong count(String name) {
        Long count = counts.get(name);
        return count == null ? OptionalLong.empty() : OptionalLong.of(count);
    }
}
