package dev.belay.model.anthropic;

import dev.belay.json.Json;
import dev.belay.json.JsonWriter;
import dev.belay.model.Generation;
import dev.belay.model.Generation.Effort;
import dev.belay.model.Message;
import dev.belay.model.Message.ToolMessage;
import dev.belay.model.ModelException;
import dev.belay.model.ModelRequest;
import dev.belay.model.OutputSpec;
import dev.belay.model.ToolChoice;
import dev.belay.model.ToolSpec;
import dev.belay.model.anthropic.Conversation.Turn;
import dev.belay.model.http.wire.Sendable;
import dev.belay.model.http.wire.WireFields;
import dev.belay.tool.call.FoundTools;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Writes the body of a request. Equal requests have equal bodies, and a request that continues another begins with the same
 * bytes, so that the provider finds it in its cache. A seed is not sent, because the provider has none. Stateless.
 */
final class MessagesWriter {

    /** The user's last turns that are marked for the cache: the last is written to it, the one before is read from it. */
    private static final int MARKED_TURNS = 2;

    private MessagesWriter() {}

    /**
     * The body.
     *
     * @throws ModelException {@link ModelException.Kind#INVALID_REQUEST} if the protocol cannot express it
     */
    static Json write(ModelRequest request, AnthropicOptions options) {
        Set<String> found = options.references() ? found(request) : Set.of();
        Conversation conversation = Conversation.of(request, options.pictures(), found);
        if (conversation.turns().isEmpty()) {
            throw new ModelException(ModelException.Kind.INVALID_REQUEST,
                    "Anthropic wants at least one message of the user; this request has instructions only");
        }
        Map<String, Json> body = new LinkedHashMap<>();
        body.put("model", Json.string(options.model()));
        limits(request.generation(), options, body);
        outputConfig(request, options.thinking()).ifPresent(config -> body.put("output_config", config));
        Optional<Json> mark = options.caching().mark();
        List<Json> builtIn = options.extras().tools();
        if (!request.tools().isEmpty() || !builtIn.isEmpty()) {
            body.put("tools", tools(request.tools(), found, builtIn, mark));
            choice(request.toolChoice()).ifPresent(choice -> body.put("tool_choice", choice));
        }
        if (!conversation.system().isEmpty()) {
            body.put("system", Json.array(markedLast(conversation.system(), mark)));
        }
        body.put("messages", messages(conversation.turns(), mark));
        Map<String, Json> whole = new LinkedHashMap<>(options.extras().in(Json.object(body)).fields());
        conversation.container(options.clock().instant())
                .ifPresent(id -> whole.merge("container", id, MessagesWriter::inContainer));
        return Json.object(whole);
    }

    /**
     * The tools that a search of this conversation has found: their definitions are loaded where its reply refers to them, and are no part of
     * what stands before the conversation.
     */
    private static Set<String> found(ModelRequest request) {
        Set<String> offered = request.tools().stream().map(ToolSpec::name).collect(Collectors.toSet());
        if (!offered.remove(FoundTools.SEARCH)) {
            return Set.of(); // the provider wants a tool that is not deferred
        }
        Set<String> found = new HashSet<>();
        for (Message message : request.messages()) {
            if (message instanceof ToolMessage replies) {
                replies.replies().forEach(reply -> found.addAll(FoundTools.names(reply)));
            }
        }
        found.retainAll(offered);
        if (request.toolChoice() instanceof ToolChoice.Specific(String name)) {
            found.remove(name);
        }
        return found;
    }

    private static Json tools(List<ToolSpec> tools, Set<String> found, List<Json> builtIn,
            Optional<Json> mark) {
        List<Json> written = new ArrayList<>(markedLast(tools.stream()
                .filter(tool -> !found.contains(tool.name()))
                .map(tool -> tool(tool, false))
                .toList(), mark));
        written.addAll(builtIn);
        tools.stream()
                .filter(tool -> found.contains(tool.name()))
                .forEach(tool -> written.add(tool(tool, true)));
        return Json.array(written);
    }

    /** The container that the program asks for, such as one with skills, under the id that it has by now. */
    private static Json inContainer(Json asked, Json id) {
        if (asked.kind() != Json.Kind.OBJECT || WireFields.field(asked, "id").isPresent()) {
            return asked;
        }
        Map<String, Json> fields = new LinkedHashMap<>(asked.fields());
        fields.put("id", id);
        return Json.object(fields);
    }

    private static void limits(Generation settings, AnthropicOptions options, Map<String, Json> body) {
        int most = settings.maxOutputTokens().orElse(options.maxOutputTokens());
        int budget = options.thinking() == Thinking.BUDGET
                ? settings.effort().map(Thinking::tokens).orElse(0)
                : 0;
        body.put("max_tokens", Json.number((long) most + budget)); // thoughts count against it
        if (options.streaming()) {
            body.put("stream", Json.TRUE);
        }
        settings.temperature().ifPresent(value -> body.put("temperature", Json.number(value)));
        settings.topP().ifPresent(value -> body.put("top_p", Json.number(value)));
        if (!settings.stop().isEmpty()) {
            body.put("stop_sequences", Json.array(settings.stop().stream().map(Json::string).toList()));
        }
        settings.effort()
                .ifPresent(effort -> body.put("thinking", thinking(effort, options.thinking(), budget)));
    }

    private static Json thinking(Effort effort, Thinking words, int budget) {
        return Json.write(out -> {
            out.beginObject().name("type");
            if (effort == Effort.NONE) {
                out.value("disabled");
            } else if (words == Thinking.ADAPTIVE) {
                out.value("adaptive");
            } else {
                out.value("enabled").name("budget_tokens").value(budget);
            }
            out.endObject();
        });
    }

    private static Json tool(ToolSpec tool, boolean deferred) {
        return Json.write(out -> {
            out.beginObject().name("name").value(tool.name());
            if (!tool.description().isEmpty()) {
                out.name("description").value(Sendable.text(tool.description()));
            }
            out.name("input_schema").value(tool.inputSchema());
            if (deferred) {
                out.name("defer_loading").value(true);
            }
            out.endObject();
        });
    }

    private static Optional<Json> choice(ToolChoice choice) {
        return switch (choice) {
            case ToolChoice.Auto auto -> Optional.empty();
            case ToolChoice.Any any -> Optional.of(Json.of("{\"type\":\"any\"}"));
            case ToolChoice.None none -> Optional.of(Json.of("{\"type\":\"none\"}"));
            case ToolChoice.Specific(String name) -> Optional.of(Json
                    .write(out -> out.beginObject()
                            .name("type")
                            .value("tool")
                            .name("name")
                            .value(name)
                            .endObject()));
        };
    }

    private static Json messages(List<Turn> turns, Optional<Json> mark) {
        return Json.write(out -> {
            out.beginArray();
            long users = turns.stream().filter(Turn::isUser).count();
            for (Turn turn : turns) {
                boolean marked = turn.isUser() && users-- <= MARKED_TURNS;
                message(out, turn, marked ? mark : Optional.empty());
            }
            out.endArray();
        });
    }

    private static void message(JsonWriter out, Turn turn, Optional<Json> mark) {
        out.beginObject().name("role").value(turn.isUser() ? "user" : "assistant").name("content");
        out.value(mark.isEmpty() ? turn.content() : Json.array(markedLast(turn.content().items(), mark)));
        out.endObject();
    }

    private static List<Json> markedLast(List<Json> blocks, Optional<Json> mark) {
        if (mark.isEmpty() || blocks.isEmpty()) {
            return blocks;
        }
        List<Json> marked = new ArrayList<>(blocks);
        marked.set(marked.size() - 1, Blocks.marked(marked.getLast(), mark.get()));
        return marked;
    }

    /** The schema and the effort of the answer; empty if the request sets neither. */
    private static Optional<Json> outputConfig(ModelRequest request, Thinking words) {
        Map<String, Json> config = new LinkedHashMap<>();
        if (words == Thinking.ADAPTIVE) {
            request.generation()
                    .effort()
                    .filter(effort -> effort != Effort.NONE)
                    .ifPresent(effort -> config.put("effort", Json.string(Thinking.word(effort))));
        }
        if (request.output() instanceof OutputSpec.Schema(String name, Json schema)) {
            config.put("format", Json.write(out -> out.beginObject()
                    .name("type")
                    .value("json_schema")
                    .name("schema")
                    .value(OutputSchema.of(schema))
                    .endObject()));
        }
        return config.isEmpty() ? Optional.empty() : Optional.of(Json.object(config));
    }
}
