package dev.belay.processor;

import java.util.Locale;

/** The mistakes in a declaration. The code of each is stable and is part of the compiler's message. */
enum Problem {
    /** Two tools of one owner share a name. */
    DUPLICATE_TOOL_NAME,
    /** A name that providers do not accept. */
    ILLEGAL_TOOL_NAME,
    /** A type that has no schema. */
    UNSUPPORTED_TYPE,
    /** {@code @Tools} on something that is not a sealed interface. */
    TOOLS_NOT_SEALED,
    /** A tool type that does not say what it returns. */
    TOOL_WITHOUT_OUTPUT,
    /** {@code ToolInput} or {@code ToolResult} without type argument. */
    RAW_TOOL_OUTPUT,
    /** A declaration that cannot be a tool, or is two things at once. */
    NOT_A_TOOL_TYPE,
    /** A resource key that is not well formed or names no required scalar. */
    BAD_EXCLUSIVE_TEMPLATE,
    /** A type that generated code cannot reach. */
    PRIVATE_TOOL_TYPE,
    /** A method that generated code cannot reach. */
    PRIVATE_TOOL_METHOD,
    /** A tool type, class or method with type parameters. */
    GENERIC_TOOL_TYPE,
    /** A tool without a description. */
    MISSING_DESCRIPTION,
    /** {@code @Nested} on something that does not hold exactly one set. */
    BAD_NESTED,
    /** Sets that nest each other. */
    NESTED_CYCLE,
    /** A time that is not a positive ISO-8601 duration. */
    BAD_DURATION,
    /** An example that is not a JSON object. */
    BAD_EXAMPLE,
    /** Attempts that the effect forbids, or fewer than one. */
    RETRY_NOT_ALLOWED,
    /** Tool methods in a class that needs an enclosing object. */
    INNER_CLASS_TOOL,
    /** Two owners whose companions would have the same name. */
    COMPANION_CLASH,
    /** A fault of the processor itself. */
    INTERNAL;

    /** The code in messages. */
    String code() {
        return name().toLowerCase(Locale.ROOT);
    }
}
