package shop;

import dev.belay.tool.Tool;
import dev.belay.tool.ToolInput;

/** Answers at once. */
@Tool
record Ping(Line line) implements ToolInput<String> {}
