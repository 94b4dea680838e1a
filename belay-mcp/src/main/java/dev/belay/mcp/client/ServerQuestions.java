package dev.belay.mcp.client;

import dev.belay.json.Json;
import dev.belay.mcp.McpAnswer;
import dev.belay.mcp.McpQuestion;
import dev.belay.mcp.McpQuestions;
import dev.belay.mcp.McpServer;
import dev.belay.mcp.client.wire.Rpc;
import dev.belay.runtime.policy.ShownText;
import dev.belay.schema.Draft;
import dev.belay.schema.JsonSchema;
import dev.belay.schema.SchemaException;
import dev.belay.tool.ToolException;
import dev.belay.tool.context.DurableEffects;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Questions of a server to the user, and where it may work. */
public final class ServerQuestions {

    private static final Logger LOG = LoggerFactory.getLogger("dev.belay.mcp");
    /** A longer text is folded: its head and its tail are shown. */
    private static final int UNFOLDED = 8_000;
    private static final int TAIL = 2_000;
    /** A longer text is too much to fold: who answers would see too little of it. */
    private static final int LONGEST = 64_000;
    /** A URL is shown whole. */
    private static final int LONGEST_URL = 2_000;
    /** Fits a narrow terminal, so that a terminal does not break the line outside of the frame. */
    private static final int WIDTH = 72;
    private static final Json ANYTHING = Json.of("{\"type\":\"object\"}");

    private ServerQuestions() {}

    /** What a server of an older revision may ask for at any time: only what can be answered. */
    static Json declared(LiveServer live) {
        Map<String, Json> able = new LinkedHashMap<>();
        if (live.questions() != null) {
            able.put("elicitation", Rpc.object("form", Json.EMPTY_OBJECT, "url", Json.EMPTY_OBJECT));
        }
        if (!live.server().roots().isEmpty()) {
            able.put("roots", Json.EMPTY_OBJECT);
        }
        return Json.object(able);
    }

    /** Answers a request that a server of an older revision has sent. */
    static Json answer(LiveServer live, Json request) {
        Json id = request.get("id").orElse(Json.NULL);
        String method = String.valueOf(Rpc.method(request));
        Json params = request.get("params").orElse(Json.EMPTY_OBJECT);
        if (method.equals("ping")) {
            return Rpc.reply(id, Json.EMPTY_OBJECT);
        }
        if (method.equals("roots/list") && !live.server().roots().isEmpty()) {
            return Rpc.reply(id, roots(live.server()));
        }
        if (method.equals("elicitation/create") && live.questions() != null) {
            try {
                return Rpc.reply(id, answered(live, of(live.server(), null, params))
                        .orElseGet(() -> written(McpAnswer.cancel(), ANYTHING)));
            } catch (ToolException tooLong) {
                return Rpc.refusal(id, Rpc.WRONG_PARAMS, String.valueOf(tooLong.getMessage()));
            }
        }
        return Rpc.refusal(id, Rpc.NO_METHOD, "this client offers no " + method);
    }

    /** The folders of a server, as the protocol writes them. */
    static Json roots(McpServer server) {
        List<Json> roots = new ArrayList<>();
        for (Path root : server.roots()) {
            roots.add(Rpc.object("uri", Json.string(root.toUri().toString()), "name",
                    Json.string(String.valueOf(root.getFileName()))));
        }
        return Rpc.object("roots", Json.array(roots));
    }

    /** A question, as a server has asked it. */
    static McpQuestion of(McpServer server, @Nullable String tool, Json params) {
        String message = Rpc.text(params, "message");
        Json schema = params.get("requestedSchema")
                .filter(asked -> asked.kind() == Json.Kind.OBJECT)
                .orElse(ANYTHING);
        String url = "url".equals(Rpc.text(params, "mode")) ? Rpc.text(params, "url") : null;
        return shorter(new McpQuestion(server.name(), tool, message == null ? "" : message, schema, url));
    }

    /** The question; fails if it is too long to be shown. */
    private static McpQuestion shorter(McpQuestion question) {
        require(question, "text", question.message(), LONGEST);
        require(question, "schema", question.schema().compact(), LONGEST);
        require(question, "URL", question.url() == null ? "" : question.url(), LONGEST_URL);
        return question;
    }

    private static void require(McpQuestion question, String what, String text, int most) {
        if (text.length() > most) {
            throw ServerCall.failure("mcp_question_too_long", "server " + question.server()
                    + " asks a question that is too long to be shown: its " + what + " has " + text.length()
                    + " characters, and may have " + most);
        }
    }

    /** What is said inside this process; empty if nothing is. */
    static Optional<Json> answered(LiveServer live, McpQuestion question) {
        McpQuestions questions = live.questions();
        if (questions == null) {
            return Optional.empty();
        }
        try {
            return questions.answer(question).map(answer -> written(answer, question.schema()));
        } catch (RuntimeException e) {
            LOG.warn("The question of MCP server {} was not answered", question.server(), e);
            return Optional.of(written(McpAnswer.cancel(), question.schema()));
        }
    }

    private static Json written(McpAnswer answer, Json schema) {
        Json action = Json.string(answer.action().name().toLowerCase(Locale.ROOT));
        return answer.action() == McpAnswer.Action.ACCEPT
                ? complete(Rpc.object("action", action, "content", answer.content()), schema)
                : Rpc.object("action", action);
    }

    /** An answer with the defaults of fields that it leaves out. */
    static Json complete(Json answer, Json schema) {
        Json content = answer.get("content").orElse(Json.NULL);
        Json properties = schema.get("properties").orElse(Json.NULL);
        if (content.kind() != Json.Kind.OBJECT || properties.kind() != Json.Kind.OBJECT) {
            return answer;
        }
        Map<String, Json> fields = new LinkedHashMap<>(content.fields());
        properties.fields().forEach((name, property) -> {
            if (property.kind() == Json.Kind.OBJECT) {
                property.get("default").ifPresent(value -> fields.putIfAbsent(name, value));
            }
        });
        return Rpc.with(answer, "content", Json.object(fields));
    }

    /** Waits for the answer of a person that fits the form; without one in time the user does not decide. */
    public static Json await(DurableEffects steps, String id, McpQuestion question, Duration open) {
        shorter(question);
        Instant until = steps.now(id + "/asked").plus(open);
        try {
            Json answer = steps.awaitEvent(steps.externalEventKey(id, form(question)), until,
                    shown(question));
            return complete(answer, question.schema());
        } catch (ToolException e) {
            if (e.code().equals("durable_effect_event_timeout")) {
                return written(McpAnswer.cancel(), ANYTHING);
            }
            throw e;
        }
    }

    /** What an answer to a question that waits must fit. */
    static JsonSchema form(McpQuestion question) {
        try {
            return form(without(question.schema(), "required"));
        } catch (SchemaException unreadable) {
            return form(ANYTHING);
        }
    }

    private static JsonSchema form(Json content) {
        return JsonSchema.of(Rpc.object("type", Json.string("object"), "properties",
                Rpc.object("action", Json.of("{\"enum\":[\"accept\",\"decline\",\"cancel\"]}"), "content",
                        content),
                "required", Json.of("[\"action\"]")), Draft.DRAFT_2020_12);
    }

    private static Json without(Json object, String field) {
        Map<String, Json> fields = new LinkedHashMap<>(object.fields());
        fields.remove(field); // a default may stand in for it
        return Json.object(fields);
    }

    /**
     * What people are shown who answer what waits: the server, its words in a frame with nothing hidden, and the form of an answer. Each
     * line of the server begins with a bar, so that none of them can pass for a line of Belay.
     */
    static String shown(McpQuestion question) {
        String asks = "MCP server " + question.server()
                + (question.tool() == null ? "" : " (tool " + question.tool() + ")") + " asks:\n"
                + framed(question.message());
        String how = question.url() != null
                ? "It wants you to open this address:\n  | " + ShownText.escaped(question.url())
                        + "\nAnswer {\"action\":\"accept\"} when you have"
                : "Answer {\"action\":\"accept\",\"content\":…} with a content that fits this schema:\n"
                        + framed(question.schema().compact());
        return asks + how.stripTrailing() + "\nOr answer {\"action\":\"decline\"}.";
    }

    private static String framed(String text) {
        int left = text.length() - UNFOLDED;
        if (left <= 0) {
            return bars(text);
        }
        return bars(text.substring(0, UNFOLDED - TAIL)) + "  [" + left + " characters are not shown]\n"
                + bars(text.substring(text.length() - TAIL));
    }

    private static String bars(String text) {
        var out = new StringBuilder();
        ShownText.lines(text).lines().forEach(line -> {
            int from = 0;
            do {
                int to = Math.min(line.length(), from + WIDTH);
                boolean pair = to < line.length() && Character.isHighSurrogate(line.charAt(to - 1));
                to = pair ? to - 1 : to;
                out.append("  | ").append(line, from, to).append('\n');
                from = to;
            } while (from < line.length());
        });
        return out.toString();
    }
}
