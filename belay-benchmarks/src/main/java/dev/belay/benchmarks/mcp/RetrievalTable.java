package dev.belay.benchmarks.mcp;

import dev.belay.json.Json;
import dev.belay.runtime.catalog.search.ToolIndex;
import dev.belay.runtime.catalog.search.ToolIndexes;
import dev.belay.schema.FormatMode;
import dev.belay.schema.JsonSchema;
import dev.belay.tool.ToolContract;
import dev.belay.tool.ToolDefinition;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.stream.IntStream;

/**
 * Prints how many of the tools that people named for tasks a search finds, on the tools and annotations of LiveMCPBench
 * (github.com/icip-cas/LiveMCPBench, Apache 2.0), which is not part of this repository: the argument is the folder of a clone. Beside it
 * stands plain BM25 over name and description as one text.
 */
public final class RetrievalTable {

    private static final String NUMBERED = "(^|\\n)\\s*\\d+[.)]\\s*";

    /** A task: what is asked, its steps, and the tools that it needs, by the servers' names. */
    private record Task(String question, List<String> steps, Set<String> tools) {}

    private RetrievalTable() {}

    /** Takes the folder of a clone of LiveMCPBench. */
    public static void main(String[] args) throws IOException {
        Path folder = Path.of(args[0]);
        List<String> raw = new ArrayList<>();
        List<ToolDefinition> tools = tools(folder, raw);
        List<Task> tasks = tasks(folder, new HashSet<>(raw));
        ToolIndex index = new ToolIndexes().of(tools);
        Map<ToolDefinition, Integer> places = new HashMap<>();
        IntStream.range(0, tools.size()).forEach(i -> places.put(tools.get(i), i));
        BiFunction<String, Integer, List<Integer>> ours = (query, limit) -> index
                .search(query, limit, Map.of(), i -> true)
                .stream()
                .map(places::get)
                .toList();
        var plain = new PlainBm25(tools);
        int labels = tasks.stream().mapToInt(task -> task.tools().size()).sum();
        System.out.printf("%n%d tools, %d tasks, %d labels%n%n", tools.size(), tasks.size(), labels);
        System.out.println("| search | query | recall@5 | recall@10 |");
        System.out.println("|---|---|---:|---:|");
        for (boolean step : new boolean[]{false, true}) {
            String query = step ? "each step" : "the whole question";
            row("plain BM25", query, tasks, raw, plain::search, step, labels);
            row("Belay", query, tasks, raw, ours, step, labels);
        }
    }

    private static void row(String search, String query, List<Task> tasks, List<String> raw,
            BiFunction<String, Integer, List<Integer>> find, boolean step, int labels) {
        System.out.printf(Locale.ROOT, "| %s | %s | %.2f | %.2f |%n", search, query,
                found(tasks, raw, find, step, 5) / (double) labels,
                found(tasks, raw, find, step, 10) / (double) labels);
    }

    private static int found(List<Task> tasks, List<String> raw,
            BiFunction<String, Integer, List<Integer>> find,
            boolean step, int limit) {
        int found = 0;
        for (Task task : tasks) {
            Set<String> names = new HashSet<>();
            for (String query : step ? task.steps() : List.of(task.question())) {
                find.apply(query, limit).forEach(place -> names.add(raw.get(place)));
            }
            found += (int) task.tools().stream().filter(names::contains).count();
        }
        return found;
    }

    private static List<ToolDefinition> tools(Path folder, List<String> raw) throws IOException {
        List<ToolDefinition> tools = new ArrayList<>();
        for (Json listed : Json.of(Files.readString(folder.resolve("tools/LiveMCPTool/tools.json")))
                .items()) {
            listed.get("tools").orElse(Json.EMPTY_OBJECT).fields().forEach((server, said) -> {
                for (Json tool : said.get("tools").map(Json::items).orElse(List.of())) {
                    String name = tool.get("name").orElseThrow().asString();
                    String legal = ("t" + tools.size() + "__" + name).replaceAll("[^a-zA-Z0-9_-]", "_");
                    Json schema = tool.get("inputSchema").orElse(Json.of("{\"type\":\"object\"}"));
                    tools.add(ToolDefinition
                            .foreign(legal.substring(0, Math.min(64, legal.length())),
                                    tool.get("description")
                                            .filter(d -> d.kind() == Json.Kind.STRING)
                                            .map(Json::asString)
                                            .orElse(""),
                                    new ToolContract(JsonSchema.of(Json.of("{\"type\":\"object\"}")), null))
                            .contract(() -> new ToolContract(JsonSchema.trusted(schema, FormatMode.ANNOTATE),
                                    null)));
                    raw.add(name);
                }
            });
        }
        return tools;
    }

    private static List<Task> tasks(Path folder, Set<String> known) throws IOException {
        List<Task> tasks = new ArrayList<>();
        for (Json task : Json.of(Files.readString(folder.resolve("annotated_data/all_annotations.json")))
                .items()) {
            Json said = task.get("Annotator Metadata").orElseThrow();
            Set<String> tools = new LinkedHashSet<>(parts(said, "Tools"));
            tools.retainAll(known);
            tasks.add(new Task(task.get("Question").orElseThrow().asString(), parts(said, "Steps"), tools));
        }
        return tasks;
    }

    private static List<String> parts(Json said, String field) {
        return Arrays.stream(said.get(field).orElseThrow().asString().split(NUMBERED, -1))
                .map(String::strip)
                .filter(part -> !part.isEmpty())
                .toList();
    }

    /** BM25 (k1 1.5, b 0.75) over name and description as one text, in words between other characters than letters and digits. */
    private static final class PlainBm25 {

        private final List<List<String>> texts;
        private final Map<String, Integer> documents = new HashMap<>();
        private final double average;

        PlainBm25(List<ToolDefinition> tools) {
            texts = tools.stream()
                    .map(tool -> words(tool.name() + " " + tool.manifest().description()))
                    .toList();
            texts.forEach(
                    text -> new HashSet<>(text).forEach(word -> documents.merge(word, 1, Integer::sum)));
            average = texts.stream().mapToInt(List::size).average().orElse(1);
        }

        private static List<String> words(String text) {
            return Arrays.stream(text.toLowerCase(Locale.ROOT).split("[^\\p{L}\\p{N}]+", -1))
                    .filter(word -> !word.isEmpty())
                    .toList();
        }

        List<Integer> search(String query, int limit) {
            Set<String> asked = new HashSet<>(words(query));
            var scores = new double[texts.size()];
            for (int i = 0; i < scores.length; i++) {
                List<String> text = texts.get(i);
                for (String word : asked) {
                    long count = text.stream().filter(word::equals).count();
                    double in = documents.getOrDefault(word, 0);
                    double rarity = Math.log(1 + (texts.size() - in + 0.5) / (in + 0.5));
                    scores[i] += rarity * count * 2.5 / (count + 1.5 * (0.25 + 0.75 * text.size() / average));
                }
            }
            return IntStream.range(0, scores.length)
                    .filter(i -> scores[i] > 0)
                    .boxed()
                    .sorted((a, b) -> Double.compare(scores[b], scores[a]))
                    .limit(limit)
                    .toList();
        }
    }
}
