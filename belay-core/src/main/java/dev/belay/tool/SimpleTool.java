package dev.belay.tool;

import dev.belay.json.Json;
import java.io.IOException;

/**
 * The smallest tool: a name, a description, JSON in, text out. It has no schema; the model is shown that the arguments are an
 * object, and the tool checks them itself.
 */
public interface SimpleTool {

    /** What the model says. */
    String name();

    /** What it does, for the model. */
    String description();

    /** Does the work; throws {@link ToolException} to tell the model what went wrong. An {@link IOException} is told as class Io. */
    String invoke(Json arguments) throws ToolException, IOException;
}
