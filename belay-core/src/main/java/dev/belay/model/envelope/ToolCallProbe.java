package dev.belay.model.envelope;

import dev.belay.json.Json;
import dev.belay.json.JsonException;
import dev.belay.json.JsonLimits;
import dev.belay.model.Message;
import dev.belay.model.Model;
import dev.belay.model.ModelException;
import dev.belay.model.ModelRequest;
import dev.belay.model.ModelResponse;
import dev.belay.model.Part.CallPart;
import dev.belay.model.ToolSpec;
import dev.belay.model.Usage;
import dev.belay.schema.Wording;
import java.util.List;

/**
 * Finds out whether a model calls tools natively, by asking it once to call a trivial one. Costs one short request. Stateless.
 */
public final class ToolCallProbe {

    private static final String TOOL = "belay_probe";
    private static final String WORD = "ready";
    private static final int SHOWN = 200;

    private static final ModelRequest REQUEST = ModelRequest
            .builder(List.of(Message.user("Call the tool " + TOOL + " with the word \"" + WORD
                    + "\". Do not answer with text.")))
            .tools(List.of(new ToolSpec(TOOL, "Tells the program that you can call tools.",
                    Json.of("""
                            {"type":"object","properties":{"word":{"type":"string"}},"required":["word"],\
                            "additionalProperties":false}"""))))
            .build();

    private ToolCallProbe() {}

    /**
     * What was found.
     *
     * @param nativeCalls whether the model made the call, with arguments that are a JSON object
     * @param evidence what it did, for people
     * @param usage what asking has cost
     */
    public record Finding(boolean nativeCalls, String evidence, Usage usage) {}

    /**
     * Asks a model.
     *
     * @throws ModelException if it cannot be asked at all: no key, no server, no such model. That it refuses tools, or the
     *         request because of them, is a finding
     */
    public static Finding probe(Model model) {
        ModelResponse response;
        try {
            response = model.complete(REQUEST);
        } catch (ModelException e) {
            if (e.kind() == ModelException.Kind.TOOLS_UNSUPPORTED
                    || e.kind() == ModelException.Kind.INVALID_REQUEST) {
                return new Finding(false, "the provider refuses the request with a tool: " + Wording.of(e),
                        e.usage());
            }
            throw e;
        }
        for (CallPart call : response.calls()) {
            if (call.name().equals(TOOL) && isObject(call.arguments())) {
                return new Finding(true, "it made the call", response.usage());
            }
        }
        return new Finding(false, response.calls().isEmpty()
                ? "it made no call and said: " + Wording.shown(response.text(), SHOWN)
                : "it made another call than it was asked for: " + Wording.shown(
                        response.calls().getFirst().toString(), SHOWN),
                response.usage());
    }

    private static boolean isObject(String arguments) {
        try {
            return Json.of(arguments, JsonLimits.ARGUMENTS).kind() == Json.Kind.OBJECT;
        } catch (JsonException malformed) {
            return false;
        }
    }
}
