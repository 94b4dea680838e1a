package dev.belay.tool;

import dev.belay.schema.JsonSchema;
import org.jspecify.annotations.Nullable;

/**
 * The heavy half of a definition: what goes in and what comes out. Made when first asked for.
 *
 * @param input schema of the arguments
 * @param output schema of the output, or null if the tool declares none
 */
public record ToolContract(JsonSchema input, @Nullable JsonSchema output) {}
