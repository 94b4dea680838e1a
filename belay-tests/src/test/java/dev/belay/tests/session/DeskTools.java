package dev.belay.tests.session;

import dev.belay.schema.Description;
import dev.belay.tool.Tool;
import dev.belay.tool.ToolEffect;
import dev.belay.tool.ToolInput;
import dev.belay.tool.Tools;

/** Tools of a desk, for loops of a program's own. */
@Tools
sealed interface DeskTools {

    @Description("Looks at something.")
    @Tool(effect = ToolEffect.READ)
    record Look(String at) implements DeskTools, ToolInput<String> {}

    @Description("Pays an amount.")
    record Pay(long amount) implements DeskTools, ToolInput<String> {}

    @Description("Asks somebody.")
    @Tool(effect = ToolEffect.IDEMPOTENT)
    record Ask(String question) implements DeskTools, ToolInput<String> {}

    @Description("Works on something that only one may work on.")
    @Tool(effect = ToolEffect.IDEMPOTENT, exclusive = "desk:{id}")
    record Lock(String id) implements DeskTools, ToolInput<String> {}
}
