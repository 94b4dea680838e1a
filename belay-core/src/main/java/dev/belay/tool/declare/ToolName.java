package dev.belay.tool.declare;

import dev.belay.BelayException;

/** The rule for names that a model says. */
public final class ToolName {

    private static final int LONGEST = 64;

    private ToolName() {}

    /** Returns a legal name as it is; {@code illegal_tool_name} otherwise. */
    public static String check(String name) {
        if (!isLegal(name)) {
            String shown = name.length() > 80 ? name.substring(0, 80) + "…" : name;
            throw new BelayException("illegal_tool_name", "\"" + shown
                    + "\" is not a tool name; use 1 to 64 of the characters a-z, A-Z, 0-9, _ and -");
        }
        return name;
    }

    private static boolean isLegal(String name) {
        if (name.isEmpty() || name.length() > LONGEST) {
            return false;
        }
        for (int i = 0; i < name.length(); i++) {
            char c = name.charAt(i);
            if (!((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_'
                    || c == '-')) {
                return false;
            }
        }
        return true;
    }
}
