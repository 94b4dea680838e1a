package shop;

import dev.belay.schema.Description;
import dev.belay.tool.ToolInput;

/** Javadoc of another file does not count. */
@Description("Drops a user.")
public record DropUser(long id, Line line) implements CrmTools, ToolInput<Void> {}
