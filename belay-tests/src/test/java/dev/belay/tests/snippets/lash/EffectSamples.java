package dev.belay.tests.snippets.lash;

import dev.belay.json.Json;
import dev.belay.runtime.session.SessionToolContext;
import dev.belay.schema.Description;
import dev.belay.tool.Tool;
import dev.belay.tool.ToolContext;
import dev.belay.tool.ToolEffect;
import dev.belay.tool.ToolResult;
import dev.belay.tool.context.CompletionKey;
import dev.belay.tool.context.DurableEffects;
import dev.belay.tool.context.PendingCompletion;
import java.time.Instant;
import java.util.Map;
import java.util.function.Consumer;

/** The code of docs/from-lash-effects.md. */
final class EffectSamples {

    private EffectSamples() {}

    // region pending
    record Outside(Consumer<String> queue) {

        @Tool(effect = ToolEffect.IDEMPOTENT)
        @Description("Lets another service do it.")
        public ToolResult<String> enqueue(ToolContext context) {
            CompletionKey key = context.completionKey(); // before pending, or pending_tool_missing_completion_key
            queue.accept(key.token());
            return ToolResult.pending();
        }
    }
    // endregion

    // region options
    static PendingCompletion strict(Instant deadline) {
        return PendingCompletion.DEFAULT.until(deadline)
                .onTimeout(PendingCompletion.OnTimeout.FAIL_TURN) // default: the model is told
                .onCancel(PendingCompletion.OnCancel.IGNORE); // default: the tool's onCancel is asked
    }
    // endregion

    // region durable
    record Requests(Consumer<String> publish) {

        @Tool(effect = ToolEffect.IDEMPOTENT, resumable = true)
        @Description("Asks a person.")
        public String ask(String question, SessionToolContext context) {
            DurableEffects durable = context.durable();
            Json opened = durable.run("create-input-request",
                    Json.object(Map.of("question", Json.string(question))), // recorded with the step
                    input -> Json.object(Map.of("request_id", Json.string("request-1"), "question",
                            input.get("question").orElseThrow())));

            CompletionKey key = durable
                    .externalEventKey("input-request:" + opened.get("request_id").orElseThrow().asString());
            durable.run("publish", Json.string(key.token()), token -> { // the whole key, not its name
                publish.accept(token.asString());
                return Json.NULL;
            });
            return durable.awaitEvent(key).asString(); // no thread while it waits
        }
    }
    // endregion

    // region event
    static final class Telling {

        @Tool(effect = ToolEffect.IDEMPOTENT, resumable = true)
        @Description("Opens a request.")
        public String open(String question, ToolContext context) {
            context.durable()
                    .emitProcessEvent("work.input_request.opened",
                            Json.object(Map.of("question", Json.string(question))));
            return "opened";
        }
    }
    // endregion
}
