package dev.belay.tool;

import dev.belay.json.Json;
import dev.belay.tool.call.Arguments;

/**
 * A call of a tool that is known only at run time, for example one of an MCP server or a method. A set of tools has a place for
 * such calls if it contains a record <code>@Nested record Mcp(Dynamic call)</code>. Immutable.
 */
public final class Dynamic implements ToolInput<Json> {

    private final ToolDefinition tool;
    private final Arguments.Valid arguments;

    private Dynamic(ToolDefinition tool, Arguments.Valid arguments) {
        this.tool = tool;
        this.arguments = arguments;
    }

    /** A call of a tool with arguments that were found valid. */
    public static Dynamic of(ToolDefinition tool, Arguments.Valid arguments) {
        return new Dynamic(tool, arguments);
    }

    /** The tool. */
    public ToolDefinition tool() {
        return tool;
    }

    /** The arguments as JSON. */
    public Json arguments() {
        return arguments.json();
    }

    /** The same call with other arguments; a {@link ToolException} with {@code invalid_arguments} if they do not fit. */
    public Dynamic withArguments(Json replaced) {
        return new Dynamic(tool, Arguments.require(tool, replaced));
    }

    Arguments.Valid valid() {
        return arguments;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Dynamic call && call.tool.id().equals(tool.id())
                && call.arguments().equals(arguments());
    }

    @Override
    public int hashCode() {
        return 31 * tool.id().hashCode() + arguments().hashCode();
    }

    @Override
    public String toString() {
        return tool.name() + arguments().text();
    }
}
