package dev.belay.mcp.client;

import dev.belay.json.Json;
import dev.belay.mcp.McpAnswer;
import dev.belay.mcp.McpQuestion;
import dev.belay.tool.ToolException;
import dev.belay.tool.context.DurableEffects;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** A wait for the answer of a person to a question of a server, and the question as a process keeps it. */
public final class AskedPeople {

    private static final Json CANCEL = Rpc.object("action", Json.string("cancel"));

    private AskedPeople() {}

    /** A question for {@link #ask}. */
    public static Json written(McpQuestion question, Duration open) {
        return Json.write(out -> {
            out.beginObject()
                    .name("server")
                    .value(question.server())
                    .name("message")
                    .value(question.message());
            out.name("schema").value(question.schema()).name("millis").value(open.toMillis());
            if (question.url() != null) {
                out.name("url").value(question.url());
            }
            out.endObject();
        });
    }

    /** Waits as the body of a process. */
    public static Json ask(DurableEffects steps, Json written) {
        var question = new McpQuestion(text(written, "server"), null, text(written, "message"),
                written.get("schema").orElseThrow(), Rpc.text(written, "url"));
        Duration open = Duration.ofMillis(written.get("millis").orElseThrow().asLong());
        return await(steps, "question", question, open);
    }

    private static String text(Json object, String field) {
        return object.get(field).orElseThrow().asString();
    }

    /** Waits for an answer that fits the form; without one in time the user does not decide. */
    static Json await(DurableEffects steps, String id, McpQuestion question, Duration open) {
        Instant until = steps.now(id + "/asked").plus(open);
        try {
            Json answer = steps.awaitEvent(steps.externalEventKey(id, ServerQuestions.form(question)), until,
                    ServerQuestions.shown(question));
            return ServerQuestions.complete(answer, question.schema());
        } catch (ToolException e) {
            if (e.code().equals("durable_effect_event_timeout")) {
                return CANCEL;
            }
            throw e;
        }
    }

    /** An answer, as a person has given it. */
    public static McpAnswer read(Json answer) {
        @Nullable
        String action = Rpc.text(answer, "action");
        return action == null
                ? McpAnswer.cancel()
                : new McpAnswer(McpAnswer.Action.valueOf(action.toUpperCase(Locale.ROOT)),
                        answer.get("content").orElse(Json.EMPTY_OBJECT));
    }
}
