package dev.belay.runtime.catalog.search;

import dev.belay.json.Json;
import dev.belay.model.TokenFamily;
import dev.belay.model.ToolSpec;
import dev.belay.tool.ToolDefinition;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The words of tools, and how well tools fit a question: BM25 over three fields, of which a name weighs most. Immutable but for what it
 * counts when it is first asked; thread-safe.
 */
public final class ToolIndex {

    /** How fast more of the same word stops to count. */
    private static final double SATURATION = 1.5;
    /** How much the length of a field takes away. */
    private static final double LENGTH = 0.75;
    private static final double HINT_WEIGHT = 2;

    /** The parts of a tool that are searched, and what a word in them weighs. */
    private enum Field {
        NAME(3), DESCRIPTION(1), INPUTS(0.5);

        private final double weight;

        Field(double weight) {
            this.weight = weight;
        }
    }

    /** A word in a tool. */
    private record Posting(int tool, double weight) {}

    private final List<ToolDefinition> tools;
    private final Map<TokenFamily, long[]> tokens = new ConcurrentHashMap<>();
    /** Made by the first search; two threads may both make it. */
    private volatile @Nullable Map<String, List<Posting>> postings;

    ToolIndex(List<ToolDefinition> tools) {
        this.tools = tools;
    }

    private Map<String, List<Posting>> postings() {
        Map<String, List<Posting>> known = postings;
        if (known == null) {
            known = read(tools);
            postings = known;
        }
        return known;
    }

    private static Map<String, List<Posting>> read(List<ToolDefinition> tools) {
        Field[] fields = Field.values();
        var words = new ArrayList<List<List<String>>>(tools.size());
        var lengths = new long[fields.length];
        for (ToolDefinition tool : tools) {
            List<List<String>> found = new ArrayList<>(fields.length);
            for (int at = 0; at < fields.length; at++) {
                found.add(Words.of(text(tool, fields[at])));
                lengths[at] += found.getLast().size();
            }
            words.add(found);
        }
        Map<String, List<Posting>> postings = new HashMap<>();
        Map<String, Double> weights = new HashMap<>();
        for (int i = 0; i < tools.size(); i++) {
            int tool = i;
            weights.clear();
            for (int at = 0; at < fields.length; at++) {
                List<String> found = words.get(i).get(at);
                double average = Math.max(1, (double) lengths[at] / tools.size());
                double weight = fields[at].weight / (1 - LENGTH + LENGTH * found.size() / average);
                found.forEach(word -> weights.merge(word, weight, Double::sum));
            }
            weights.forEach((word, weight) -> postings.computeIfAbsent(word, none -> new ArrayList<>(1))
                    .add(new Posting(tool, weight)));
        }
        return postings;
    }

    private static String text(ToolDefinition tool, Field field) {
        return switch (field) {
            case NAME -> tool.name();
            case DESCRIPTION -> tool.manifest().description();
            case INPUTS -> inputs(tool);
        };
    }

    /** Names and descriptions of the inputs, as far as the schema can be had. */
    private static String inputs(ToolDefinition tool) {
        ToolSpec spec = spec(tool);
        var text = new StringBuilder();
        if (spec != null) {
            spec.inputSchema()
                    .get("properties")
                    .filter(found -> found.kind() == Json.Kind.OBJECT)
                    .ifPresent(properties -> properties.fields()
                            .forEach((name, schema) -> text.append(name)
                                    .append(' ')
                                    .append(description(schema))
                                    .append(' ')));
        }
        return text.toString();
    }

    private static String description(Json schema) {
        Json found = schema.kind() == Json.Kind.OBJECT
                ? schema.get("description").orElse(Json.NULL)
                : Json.NULL;
        return found.kind() == Json.Kind.STRING ? found.asString() : "";
    }

    private static @Nullable ToolSpec spec(ToolDefinition tool) {
        try {
            return tool.spec();
        } catch (RuntimeException unavailable) { // schemas of others are read here, which may end in anything
            return null; // it can be found by its name
        }
    }

    /** The tools, in their order. */
    public List<ToolDefinition> tools() {
        return tools;
    }

    /**
     * The tools that fit a question best, best first; tools that fit alike keep their order.
     *
     * @param hints words of plugins for a tool, by its name
     * @param among which tools, by their places
     */
    public List<ToolDefinition> search(String question, int limit, Map<String, List<String>> hints,
            IntPredicate among) {
        var scores = new double[tools.size()];
        Map<String, List<Posting>> words = postings();
        Set<String> asked = Words.asked(question);
        for (String word : asked) {
            List<Posting> found = words.getOrDefault(word, List.of());
            double rarity = rarity(found.size());
            for (Posting one : found) {
                scores[one.tool()] += rarity * saturated(one.weight());
            }
        }
        for (int i = 0; i < scores.length && !hints.isEmpty(); i++) {
            for (String hint : hints.getOrDefault(tools.get(i).name(), List.of())) {
                scores[i] += Words.of(hint).stream().filter(asked::contains).count() * rarity(1)
                        * saturated(HINT_WEIGHT);
            }
        }
        return IntStream.range(0, scores.length)
                .filter(i -> scores[i] > 0 && among.test(i))
                .boxed()
                .sorted(Comparator.comparingDouble((Integer i) -> -scores[i]))
                .limit(limit)
                .map(tools::get)
                .toList();
    }

    private double rarity(int tools) {
        return Math.log(1 + (this.tools.size() - tools + 0.5) / (tools + 0.5));
    }

    private static double saturated(double weight) {
        return weight * (SATURATION + 1) / (weight + SATURATION);
    }

    /** About how many tokens each tool takes in a request, by place. */
    public long[] tokens(TokenFamily family) {
        return tokens.computeIfAbsent(family, of -> tools.stream().mapToLong(tool -> {
            ToolSpec spec = spec(tool);
            return spec == null ? 0 : of.tokens(spec);
        }).toArray());
    }

    /** The same for all of them. */
    public long allTokens(TokenFamily family) {
        long all = 0;
        for (long one : tokens(family)) {
            all += one;
        }
        return all;
    }

    /** Whether it is made of exactly these tools. */
    boolean isOf(List<ToolDefinition> other) {
        if (tools.size() != other.size()) {
            return false;
        }
        for (int i = 0; i < tools.size(); i++) {
            if (tools.get(i) != other.get(i)) { // definitions are made once
                return false;
            }
        }
        return true;
    }
}
