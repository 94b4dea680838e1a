package dev.belay.toolbox;

import dev.belay.schema.Description;
import dev.belay.schema.Length;
import dev.belay.tool.StaticToolProvider;
import dev.belay.tool.Tool;
import dev.belay.tool.ToolDefinition;
import dev.belay.tool.ToolEffect;
import dev.belay.tool.ToolException;
import dev.belay.tool.ToolFailure;
import dev.belay.tool.ToolInput;
import java.math.BigDecimal;

/** Tools without side effects, for a model's first calls. */
final class BasicTools {

    /** The limit of digits; a double has 17, and a number with a million digits is an attack. */
    private static final int MOST_DIGITS = 400;

    private BasicTools() {}

    @Tool(effect = ToolEffect.READ)
    @Description("Answers with the same text.")
    record Echo(@Description("the text") @Length(max = 10_000) String text) implements ToolInput<String> {}

    @Tool(effect = ToolEffect.READ)
    @Description("Adds the numbers a and b, exactly.")
    record AddNumbers(BigDecimal a, BigDecimal b) implements ToolInput<String> {}

    static StaticToolProvider provider() {
        return StaticToolProvider.builder()
                .tool(ToolDefinition.of(Echo.class)
                        .preview(in -> "answers " + in.get("text").orElseThrow().text()), Echo.class,
                        (in, context) -> in.text())
                .tool(ToolDefinition.of(AddNumbers.class)
                        .preview(in -> "adds " + in.get("a").orElseThrow().text() + " and "
                                + in.get("b").orElseThrow().text()),
                        AddNumbers.class, (in, context) -> sum(in.a(), in.b()))
                .build();
    }

    private static String sum(BigDecimal a, BigDecimal b) {
        demandModest("a", a);
        demandModest("b", b);
        BigDecimal sum = a.add(b);
        // stripping keeps the scale of some zeros; the answer is a plain 0
        return sum.signum() == 0 ? "0" : sum.stripTrailingZeros().toPlainString();
    }

    private static void demandModest(String name, BigDecimal number) {
        if (Math.abs((long) number.scale()) > MOST_DIGITS || number.precision() > MOST_DIGITS) {
            throw new ToolException(ToolFailure.of(ToolFailure.Kind.INVALID_REQUEST, "number_too_long",
                    name + " has more than " + MOST_DIGITS + " digits; use a smaller number"));
        }
    }
}
