package shop;

import dev.belay.schema.Description;
import dev.belay.tool.ToolInput;
import dev.belay.tool.Tools;

@Tools
public sealed interface CrmTools permits CrmTools.GetUser, DropUser {

    @Description("Gets a user.")
    record GetUser(long id) implements CrmTools, ToolInput<String> {}
}
