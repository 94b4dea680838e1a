package dev.belay.model.anthropic;

import dev.belay.json.Json;
import dev.belay.model.Usage;
import dev.belay.model.http.wire.WireFields;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.stream.Stream;

/**
 * Adds up the tokens of one answer, which may pause and go on in several parts. The provider counts reads and writes of its cache separately, and leaves the iterations that
 * compact the context out of the sums, so the iterations are added up here. Confined to one answer.
 */
final class WireUsage {

    private static final String INPUT = "input_tokens";
    private static final String READ = "cache_read_input_tokens";
    private static final String WRITTEN = "cache_creation_input_tokens";
    private static final String OUTPUT = "output_tokens";
    private static final String THINKING = "thinking_tokens";

    private static final String MODEL = "model";

    private final Map<String, Long> counts = new LinkedHashMap<>();
    /** The parts before this one. */
    private Usage before = Usage.NONE;
    private final List<Json> earlier = new ArrayList<>();
    private List<Json> iterations = List.of();

    /** Takes a report; its counts replace those of earlier reports on the same part. */
    void report(Json usage) {
        List<Json> told = WireFields.field(usage, "iterations")
                .filter(list -> list.kind() == Json.Kind.ARRAY)
                .map(Json::items)
                .orElse(List.of());
        iterations = told.isEmpty() ? iterations : told;
        for (String name : List.of(INPUT, READ, WRITTEN, OUTPUT)) {
            OptionalLong outside = WireFields.count(usage, name);
            outside.ifPresent(value -> counts.put(name, value));
            told.stream()
                    .flatMapToLong(iteration -> WireFields.count(iteration, name).stream())
                    .reduce(WireUsage::add)
                    .ifPresent(sum -> counts.put(name, Math.max(sum, outside.orElse(0))));
        }
        WireFields.field(usage, "output_tokens_details")
                .ifPresent(details -> WireFields.count(details, THINKING)
                        .ifPresent(value -> counts.put(THINKING, value)));
    }

    /** Counts what follows as another part. */
    void nextPart() {
        before = sum();
        earlier.addAll(iterations);
        iterations = List.of();
        counts.clear();
    }

    /** The iterations of an answer in which more than one model took part; empty otherwise. */
    List<Json> iterationsOfModels() {
        List<Json> all = Stream.concat(earlier.stream(), iterations.stream()).toList();
        boolean several = all.stream().map(one -> WireFields.text(one, MODEL)).distinct().count() > 1;
        return several ? all : List.of();
    }

    Usage sum() {
        OptionalLong input = count(INPUT).isEmpty()
                ? OptionalLong.empty()
                : OptionalLong.of(add(add(count(INPUT).getAsLong(), count(READ).orElse(0)),
                        count(WRITTEN).orElse(0)));
        return before.plus(new Usage(input, count(OUTPUT), count(READ), count(WRITTEN), count(THINKING)));
    }

    private OptionalLong count(String name) {
        Long count = counts.get(name);
        return count == null ? OptionalLong.empty() : OptionalLong.of(count);
    }

    private static long add(long a, long b) {
        return a + b < 0 ? Long.MAX_VALUE : a + b;
    }
}
