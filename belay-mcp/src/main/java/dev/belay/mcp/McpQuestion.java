package dev.belay.mcp;

import dev.belay.json.Json;
import org.jspecify.annotations.Nullable;

/**
 * What a server asks the user of its client (in the words of the protocol: an elicitation). Immutable.
 *
 * @param server its name
 * @param tool the tool that was called, by the server's name; null if the server does not tell
 * @param message what it asks, as the server wrote it
 * @param schema of the content of the answer; any object if the server asks for none
 * @param url what the server wants the user to open in the place of a form, or null
 */
public record McpQuestion(String server, @Nullable String tool, String message, Json schema,
        @Nullable String url) {}
