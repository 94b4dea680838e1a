package dev.belay.mcp.client;

import dev.belay.json.Json;
import dev.belay.json.JsonException;
import dev.belay.mcp.McpQuestion;
import dev.belay.mcp.McpServer;
import dev.belay.mcp.client.wire.Rpc;
import dev.belay.model.Message;
import dev.belay.model.ModelResponse;
import dev.belay.tool.ToolContext;
import dev.belay.tool.ToolEffect;
import dev.belay.tool.ToolException;
import dev.belay.tool.context.DirectModel.DirectRequest;
import dev.belay.tool.context.DurableEffects;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What a server of 2026-07-28 wants to know during a call: questions to the user, to the model, and where it may work. Confined to the
 * body's thread. A question that no handler of this process answers parks the call; its answer is checked when it is given.
 */
final class CallInputs {

    /** Like an approval, a question is open for a week; then the user is taken not to decide. */
    private static final Duration OPEN = Duration.ofDays(7);
    /** A server may ask the model so often during one call. */
    private static final int MOST_SAMPLES = 10;
    /** An answer of the model has at most so many tokens. */
    private static final int MOST_TOKENS = 4_096;

    private final LiveServer live;
    private final ServerTool tool;
    private final ToolContext context;
    private final @Nullable DurableEffects durable;
    private int samples;

    CallInputs(LiveServer live, ServerTool tool, ToolContext context, @Nullable DurableEffects durable) {
        this.live = live;
        this.tool = tool;
        this.context = context;
        this.durable = durable;
    }

    /** Whether the call has a model to ask. */
    boolean hasModel() {
        try {
            context.model();
            return true;
        } catch (ToolException none) {
            return false;
        }
    }

    /**
     * Answers requests by their keys.
     *
     * @param id of this set of requests within the call
     */
    Json answer(String id, Json requests) {
        Map<String, Json> answers = new LinkedHashMap<>();
        try {
            requests.fields().forEach((key, request) -> answers.put(key, one(id + "/" + key, request)));
        } catch (JsonException odd) {
            throw ServerCall.failure("mcp_result_unsupported",
                    "server " + live.server().name() + " asks something that cannot be read: "
                            + odd.getMessage());
        }
        return Json.object(answers);
    }

    private Json one(String id, Json request) {
        Json params = request.get("params").orElse(Json.EMPTY_OBJECT);
        String method = String.valueOf(Rpc.method(request));
        return switch (method) {
            case "elicitation/create" ->
                elicited(id, ServerQuestions.of(live.server(), tool.raw(), params));
            case "sampling/createMessage" -> sampled(id, params);
            case "roots/list" -> ServerQuestions.roots(live.server());
            default -> throw ServerCall.failure("mcp_result_unsupported", "server " + live.server().name()
                    + " wants an answer to " + method + ", which this client has not offered");
        };
    }

    private Json elicited(String id, McpQuestion question) {
        if (durable == null) {
            return ServerQuestions.answered(live, question)
                    .orElseGet(() -> Rpc.object("action", Json.string("cancel")));
        }
        // recorded without a handler too: the next process may have one
        Json said = durable.run(id + "/here", Json.string(question.message()), ToolEffect.READ,
                asked -> ServerQuestions.answered(live, question).orElse(Json.NULL));
        return said.isNull() ? ServerQuestions.await(durable, id, question, OPEN) : said;
    }

    private Json sampled(String id, Json params) {
        if (durable == null) {
            throw refused("may not ask the model");
        }
        // recorded, because another process may have another rule and must take the same way
        McpServer.Sampling rule = McpServer.Sampling
                .valueOf(durable.run(id + "/rule", Json.NULL, ToolEffect.READ,
                        none -> Json.string(live.server().sampling().name())).asString());
        if (rule == McpServer.Sampling.REFUSED) {
            throw refused("may not ask the model");
        }
        if (++samples > MOST_SAMPLES) {
            throw refused("asked the model more than " + MOST_SAMPLES + " times in one call");
        }
        List<Message> messages = messages(params);
        if (rule == McpServer.Sampling.ASKED) {
            var question = new McpQuestion(live.server().name(), tool.raw(),
                    "May it ask the model this? " + params.compact(), Json.of("{\"type\":\"object\"}"), null);
            Json said = ServerQuestions.await(durable, id, question, OPEN);
            if (!"accept".equals(Rpc.text(said, "action"))) {
                throw refused("was not allowed to ask the model");
            }
        }
        int most = params.get("maxTokens")
                .filter(said -> said.kind() == Json.Kind.NUMBER)
                .map(said -> (int) Rpc.between(1, said, MOST_TOKENS))
                .orElse(MOST_TOKENS);
        DirectRequest request = DirectRequest.of(messages.toArray(new Message[0]));
        ModelResponse answer = context.model()
                .complete(request.withGeneration(request.generation().withMaxOutputTokens(most))
                        .withReplayKey(id), "mcp:" + live.server().name());
        return Rpc.object("role", Json.string("assistant"), "content",
                Rpc.object("type", Json.string("text"), "text", Json.string(answer.text())), "model",
                Json.string(answer.model()), "stopReason", Json.string("endTurn"));
    }

    private List<Message> messages(Json params) {
        List<Message> messages = new ArrayList<>();
        Optional.ofNullable(Rpc.text(params, "systemPrompt"))
                .ifPresent(system -> messages.add(Message.system(system)));
        for (Json message : params.get("messages").map(Json::items).orElse(List.of())) {
            Json content = message.get("content").orElse(Json.NULL);
            List<Json> parts = content.kind() == Json.Kind.ARRAY ? content.items() : List.of(content);
            var text = new StringBuilder();
            for (Json part : parts) {
                String words = Rpc.text(part, "text");
                if (words == null) {
                    throw refused("wants to show the model something else than text");
                }
                text.append(text.isEmpty() ? "" : "\n").append(words);
            }
            messages.add("assistant".equals(Rpc.text(message, "role"))
                    ? Message.assistant(text.toString())
                    : Message.user(text.toString()));
        }
        return messages;
    }

    private ToolException refused(String why) {
        return ServerCall.failure("mcp_sampling_refused", "server " + live.server().name() + " " + why);
    }
}
