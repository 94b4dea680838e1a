package dev.belay.processor;

import dev.belay.BelayException;
import dev.belay.json.Json;
import dev.belay.json.JsonException;
import dev.belay.schema.Names;
import dev.belay.schema.shape.Shape;
import dev.belay.tool.Tool;
import dev.belay.tool.ToolEffect;
import dev.belay.tool.option.ExclusiveTemplate;
import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.regex.Pattern;
import javax.lang.model.element.Element;
import javax.lang.model.element.ElementKind;
import org.jspecify.annotations.Nullable;

/** Checks {@code @Tool} and the Javadoc of one tool. Confined to one owner. */
final class ToolChecks {

    private static final Pattern LEGAL_NAME = Pattern.compile("[a-zA-Z0-9_-]{1,64}");

    private final Descriptions descriptions;
    private final Reporter reporter;

    ToolChecks(OwnerContext context) {
        this.descriptions = context.descriptions();
        this.reporter = context.reporter();
    }

    /** The name by which a model calls the tool that an element declares. */
    static String nameOf(Element element) {
        Tool tool = element.getAnnotation(Tool.class);
        return tool == null || tool.name().isEmpty()
                ? Names.snakeCase(element.getSimpleName().toString())
                : tool.name();
    }

    /** Whether providers accept a name. */
    static boolean isLegalName(String name) {
        return LEGAL_NAME.matcher(name).matches();
    }

    /** Runs the checks that do not need the shapes, which are missing if they contain mistakes. */
    void check(Element element) {
        Tool tool = element.getAnnotation(Tool.class);
        String name = nameOf(element);
        if (!isLegalName(name)) {
            reporter.error(Problem.ILLEGAL_TOOL_NAME, element, Tool.class, "name", "\"" + name
                    + "\" is not a tool name; use 1 to 64 of the characters a-z, A-Z, 0-9, _ and -, for example "
                    + "@Tool(name = \"find_orders\")");
        }
        description(element, tool);
        if (tool != null) {
            duration(element, "timeout", tool.timeout());
            duration(element, "idleTimeout", tool.idleTimeout());
            attempts(element, tool);
            examples(element, tool);
        }
    }

    private void description(Element element, @Nullable Tool tool) {
        if ((tool == null || !tool.undescribed()) && !descriptions.describes(element)) {
            String kind = element.getKind() == ElementKind.METHOD ? "method" : "type";
            reporter.error(Problem.MISSING_DESCRIPTION, element, "tool " + nameOf(element)
                    + " has no description, so a model cannot know when to call it; write Javadoc on the "
                    + kind
                    + " (it counts only in the file of the set) or @Description(\"…\"), or say "
                    + "@Tool(undescribed = true)");
        }
    }

    private void duration(Element element, String member, String text) {
        if (text.isEmpty()) {
            return;
        }
        String wrong;
        try {
            Duration duration = Duration.parse(text);
            wrong = duration.isPositive() ? "" : "is not positive";
        } catch (DateTimeParseException e) {
            wrong = "is not an ISO-8601 duration";
        }
        if (!wrong.isEmpty()) {
            reporter.error(Problem.BAD_DURATION, element, Tool.class, member, member + " = \"" + text + "\" "
                    + wrong + "; write a positive one such as \"PT30S\" or \"PT10M\"");
        }
    }

    private void attempts(Element element, Tool tool) {
        if (tool.attempts() < 1) {
            reporter.error(Problem.RETRY_NOT_ALLOWED, element, Tool.class, "attempts", "attempts = "
                    + tool.attempts() + " would never run it; the first attempt counts, so write 1 or more");
        } else if (tool.attempts() > 1 && tool.effect() == ToolEffect.ONCE) {
            reporter.error(Problem.RETRY_NOT_ALLOWED, element, Tool.class, "attempts", "attempts = "
                    + tool.attempts() + " with effect ONCE, which is never repeated; say effect = READ or "
                    + "effect = IDEMPOTENT if a repeat does no harm, or attempts = 1");
        }
    }

    private void examples(Element element, Tool tool) {
        for (String example : tool.examples()) {
            String wrong;
            try {
                wrong = Json.of(example).kind() == Json.Kind.OBJECT ? "" : "it is no object";
            } catch (JsonException e) {
                wrong = String.valueOf(e.getMessage());
            }
            if (!wrong.isEmpty()) {
                reporter.error(Problem.BAD_EXAMPLE, element, Tool.class, "examples", "example " + example
                        + " is not a JSON object: " + wrong + "; write arguments such as {\"orderId\": 42}");
            }
        }
    }

    /** Checks the resource key against the fields of the input. */
    void exclusive(Element element, Shape input) {
        Tool tool = element.getAnnotation(Tool.class);
        if (tool == null || tool.exclusive().isEmpty()) {
            return;
        }
        try {
            ExclusiveTemplate template = ExclusiveTemplate.of(tool.exclusive());
            for (String field : template.fields()) {
                if (!requiredScalars(input).contains(field)) {
                    reporter.error(Problem.BAD_EXCLUSIVE_TEMPLATE, element, Tool.class, "exclusive",
                            "exclusive = \"" + template + "\": \"" + field
                                    + "\" is not a required text, number, boolean or enum field of the input; "
                                    + "these are: " + requiredScalars(input));
                }
            }
        } catch (BelayException e) {
            reporter.error(Problem.BAD_EXCLUSIVE_TEMPLATE, element, Tool.class, "exclusive",
                    String.valueOf(e.getMessage()));
        }
    }

    private static List<String> requiredScalars(Shape input) {
        return input instanceof Shape.Structure structure
                ? structure.fields()
                        .stream()
                        .filter(field -> field.shape() instanceof Shape.Scalar
                                || field.shape() instanceof Shape.Choice)
                        .map(Shape.Field::name)
                        .toList()
                : List.of();
    }
}
