/**
 * What a tool is: how it is declared ({@link dev.belay.tool.ToolDefinition}, {@link dev.belay.tool.Tool},
 * {@link dev.belay.tool.ToolMethods}, {@link dev.belay.tool.SimpleTool}), where it comes from
 * ({@link dev.belay.tool.ToolProvider}), what its body is given ({@link dev.belay.tool.ToolContext}) and how a call ends
 * ({@link dev.belay.tool.ToolOutcome}). {@link dev.belay.tool.ToolCaller} runs one call, start to end, on the caller's thread.
 *
 * <p>One call in detail is in {@code dev.belay.tool.call}, a body's capabilities in {@code dev.belay.tool.context}, options of a
 * definition in {@code dev.belay.tool.option}. Sets of tools and rounds stand in {@code dev.belay.toolset}.
 */
@org.jspecify.annotations.NullMarked
package dev.belay.tool;
