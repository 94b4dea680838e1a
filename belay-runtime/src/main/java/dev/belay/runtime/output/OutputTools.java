package dev.belay.runtime.output;

import dev.belay.json.Json;
import dev.belay.runtime.output.engine.KeptOutput;
import dev.belay.runtime.output.engine.OutputPages;
import dev.belay.schema.BoundedPattern;
import dev.belay.schema.Shown;
import dev.belay.tool.StaticToolProvider;
import dev.belay.tool.ToolContext;
import dev.belay.tool.ToolDefinition;
import dev.belay.tool.ToolEffect;
import dev.belay.tool.ToolException;
import dev.belay.tool.ToolFailure;
import dev.belay.tool.ToolProvider;
import dev.belay.tool.option.OutputBudget;
import java.util.Set;

/**
 * The tools {@code read_output} and {@code search_output}, by which a model reads outputs that were cut. A session offers them from the
 * first cut output on. A loop of your own offers them in its place for tools that are known at run time.
 */
public final class OutputTools {

    /** The names of both tools. */
    public static final Set<String> NAMES = Set.of("read_output", "search_output");

    private static final int SHOWN_PATTERN = 100;
    private static final String HANDLE = "\"handle\":{\"type\":\"string\",\"maxLength\":100,"
            + "\"description\":\"the handle of the output, copied from its end\"}";
    private static final String FROM = "\"from\":{\"type\":\"integer\",\"minimum\":1,\"maximum\":2147483647,"
            + "\"description\":\"the first line, 1 if it is left out\"}";

    private OutputTools() {}

    /** Both tools; their pages are under the bounds of one output. */
    public static ToolProvider of(ToolOutputBudgetConfig config) {
        int bytes = (int) Math.min(Integer.MAX_VALUE, config.unit().bytes(config.limit()));
        var caps = new OutputBudget(bytes, config.maxLines(), OutputBudget.Keep.HEAD);
        return StaticToolProvider.builder()
                .raw(tool("read_output",
                        "Reads lines of an output that was truncated. A very long line counts as several lines.",
                        "\"lines\":{\"type\":\"integer\",\"minimum\":1,\"maximum\":2147483647,"
                                + "\"description\":\"how many; as many as fit if it is left out\"}",
                        "handle"),
                        (in, context) -> pages(in, context, caps).read(number(in, "from", 1),
                                number(in, "lines", Integer.MAX_VALUE)))
                .raw(tool("search_output",
                        "Finds the lines of an output that was truncated which match a regular expression (ECMA-262,"
                                + " without back-references).",
                        "\"pattern\":{\"type\":\"string\",\"minLength\":1,\"maxLength\":1000,"
                                + "\"description\":\"the regular expression\"}",
                        "handle\",\"pattern"),
                        (in, context) -> pages(in, context, caps).search(pattern(in), number(in, "from", 1)))
                .build();
    }

    private static ToolDefinition tool(String name, String description, String property, String required) {
        return ToolDefinition.raw(name, description,
                Json.of("{\"type\":\"object\",\"properties\":{" + HANDLE + "," + property + "," + FROM
                        + "},\"required\":[\"" + required + "\"],\"additionalProperties\":false}"))
                .effect(ToolEffect.READ);
    }

    private static OutputPages pages(Json in, ToolContext context, OutputBudget caps) {
        String handle = in.get("handle").orElseThrow().asString();
        return new OutputPages(KeptOutput.read(context.attachments(), handle)
                .orElseThrow(() -> refused("unknown_output", "no output \"" + handle
                        + "\" is kept in this session; copy the handle unchanged from the end of a truncated output"
                        + " of this conversation, or call the tool again")),
                caps);
    }

    private static BoundedPattern pattern(Json in) {
        String pattern = in.get("pattern").orElseThrow().asString();
        try {
            return BoundedPattern.of(pattern);
        } catch (IllegalArgumentException e) {
            throw refused("bad_pattern", "\"" + Shown.inLine(pattern, SHOWN_PATTERN)
                    + "\" is not a usable pattern: " + e.getMessage());
        }
    }

    private static ToolException refused(String code, String message) {
        return new ToolException(ToolFailure.ofRuntime(ToolFailure.Kind.INVALID_REQUEST, code, message));
    }

    private static int number(Json in, String name, int otherwise) {
        return in.get(name).map(Json::asInt).orElse(otherwise);
    }
}
