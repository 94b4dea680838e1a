package dev.belay.tool.declare;

import dev.belay.BelayException;
import java.util.regex.Pattern;

/** The rule for names that a model says. */
public final class ToolName {

    private static final Pattern LEGAL = Pattern.compile("[a-zA-Z0-9_-]{1,64}");

    private ToolName() {}

    /** Returns a legal name as it is; {@code illegal_tool_name} otherwise. */
    public static String check(String name) {
        if (!LEGAL.matcher(name).matches()) {
            String shown = name.length() > 80 ? name.substring(0, 80) + "…" : name;
            throw new BelayException("illegal_tool_name", "\"" + shown
                    + "\" is not a tool name; use 1 to 64 of the characters a-z, A-Z, 0-9, _ and -");
        }
        return name;
    }
}
