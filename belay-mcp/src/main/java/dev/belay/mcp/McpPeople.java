package dev.belay.mcp;

import dev.belay.json.Json;
import dev.belay.mcp.client.ServerQuestions;
import dev.belay.runtime.Belay;
import dev.belay.runtime.process.DurableProcess;
import dev.belay.runtime.process.ProcessContext;
import dev.belay.runtime.process.ProcessEnd;
import dev.belay.runtime.process.ProcessResult;
import dev.belay.runtime.process.ProcessStart;
import dev.belay.runtime.store.ProcessId;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Lets people answer questions of servers of 2025-11-25 and older, from any process on the store: a question is a process of the runtime
 * whose wait {@link Belay#pending} lists. The call that the server asks in does not park: its body holds the connection, and its deadlines
 * count. Questions of servers of 2026-07-28 are left to their calls, which park. Thread-safe.
 *
 * <p>The runtime needs the process: {@code builder.process(McpPeople.PROCESS, McpPeople::ask)}.
 */
public final class McpPeople implements McpQuestions {

    /** The name of the process. */
    public static final String PROCESS = "mcp-question";

    private final Belay belay;
    private final Duration open;
    private final Runnable asks;
    private final Set<ProcessId> asking = ConcurrentHashMap.newKeySet();

    /**
     * Answers through a runtime.
     *
     * @param belay has {@link #PROCESS}
     * @param open how long a question may be answered; the server is told then that the user does not decide
     */
    public McpPeople(Belay belay, Duration open) {
        this(belay, open, () -> {});
    }

    /**
     * The same, and tells that a question waits.
     *
     * @param asks is run for each question, on a thread of its server, once it can be answered
     */
    public McpPeople(Belay belay, Duration open, Runnable asks) {
        this.belay = belay;
        this.open = open;
        this.asks = asks;
    }

    /** The body of the process: waits for an answer that fits the question. */
    public static Json ask(ProcessContext context, Json input) {
        var question = new McpQuestion(field(input, "server").asString(), null,
                field(input, "message").asString(), field(input, "schema"),
                input.get("url").map(Json::asString).orElse(null));
        return ServerQuestions.await(context.durable(), "question", question,
                Duration.ofMillis(field(input, "millis").asLong()));
    }

    private static Json field(Json object, String name) {
        return object.get(name).orElseThrow();
    }

    private Json input(McpQuestion question) {
        return Json.write(out -> {
            out.beginObject().name("server").value(question.server());
            out.name("message").value(question.message()).name("schema").value(question.schema());
            if (question.url() != null) {
                out.name("url").value(question.url());
            }
            out.name("millis").value(open.toMillis()).endObject();
        });
    }

    @Override
    public Optional<McpAnswer> answer(McpQuestion question) {
        if (question.tool() != null) {
            return Optional.empty(); // the call parks
        }
        DurableProcess asked = belay.processes()
                .start(ProcessStart.body(PROCESS, input(question)));
        asking.add(asked.id());
        try {
            if (asked.await() instanceof ProcessResult.Resting) {
                asks.run();
            }
            return Optional.of(asked.awaitEnd() instanceof ProcessEnd.Completed(Json value)
                    ? read(value)
                    : McpAnswer.cancel());
        } catch (InterruptedException e) {
            asked.cancel("the server does not wait for an answer any more");
            Thread.currentThread().interrupt();
            return Optional.of(McpAnswer.cancel());
        } finally {
            asking.remove(asked.id());
        }
    }

    /** The processes of the questions that servers of this runtime wait for now. */
    public Set<ProcessId> open() {
        return Set.copyOf(asking);
    }

    private static McpAnswer read(Json answer) {
        return new McpAnswer(
                McpAnswer.Action.valueOf(field(answer, "action").asString().toUpperCase(Locale.ROOT)),
                answer.get("content").orElse(Json.EMPTY_OBJECT));
    }
}
