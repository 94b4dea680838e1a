package dev.belay.mcp.client;

import dev.belay.json.Json;
import dev.belay.mcp.client.wire.Rpc;
import dev.belay.mcp.client.wire.RpcException;
import dev.belay.tool.ToolEffect;
import dev.belay.tool.ToolException;
import dev.belay.tool.ToolFailure;
import dev.belay.tool.context.Cancellation;
import dev.belay.tool.context.DurableEffects.Polled;
import java.io.IOException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A call that has become a task of its server. Confined to the body's thread.
 *
 * <p><b>Durability.</b> The id of the task is in the record of the call. A question that finds it at work writes only the moment of the
 * next one. <b>Recovery.</b> A body that is entered again, by another process too, goes on asking. A task that the server does not know
 * any more is in doubt: it may have run.
 */
final class ServerTask {

    static final Duration FIRST = Duration.ofSeconds(1);
    private static final Duration LONGEST = Duration.ofSeconds(60);
    /** A server that is away for about a day, asked every minute, has lost the task. */
    static final int MOST_FAILURES = 1_440;
    private static final int MOST_QUESTIONS = 20;

    private final ServerCall call;
    private final CallInputs inputs;
    private final String id;
    private final Duration interval;
    private final Cancellation cancellation;

    ServerTask(ServerCall call, CallInputs inputs, Json created) {
        this.call = call;
        this.inputs = inputs;
        this.cancellation = call.call().context().cancellation();
        Json task = created.get("task").filter(said -> said.kind() == Json.Kind.OBJECT).orElse(created);
        String named = Rpc.text(task, "taskId");
        if (named == null || named.isEmpty()) {
            throw call.uncertain(ToolFailure.of(ToolFailure.Kind.EXTERNAL, "mcp_task_lost",
                    "server " + call.live().server().name() + " made a task without an id"), null);
        }
        this.id = named;
        this.interval = task.get("pollIntervalMs")
                .or(() -> task.get("pollInterval"))
                .filter(said -> said.kind() == Json.Kind.NUMBER)
                .map(said -> Duration.ofMillis(Rpc.between(1, said, LONGEST.toMillis())))
                .orElse(FIRST);
    }

    /** Asks until the task has ended; what it answers is read like the answer of a call. */
    Json await() throws InterruptedException {
        Json input = Rpc.object("task", Json.string(id));
        for (int round = 1; round <= MOST_QUESTIONS; round++) {
            Json found = call.steps().poll("task/" + round, input, (task, asked) -> ask(asked));
            Json wanted = found.get("wanted").orElse(null);
            if (wanted == null) {
                return ended(found);
            }
            Json responses = answer("task/" + round + "/input", wanted);
            try {
                call.untilSent("update/" + round,
                        id -> call.steps().run(id, responses, ToolEffect.IDEMPOTENT, this::update));
            } catch (ToolException lost) {
                throw call.begun(lost.failure(), lost);
            }
        }
        throw call.begun(ToolFailure.of(ToolFailure.Kind.EXTERNAL, "mcp_too_many_questions",
                "server " + call.live().server().name() + " asked " + MOST_QUESTIONS
                        + " times for more during task " + id),
                null);
    }

    /** Answers what a task wants to know. A task that gets no answer is cancelled; it may have done something. */
    private Json answer(String step, Json wanted) {
        try {
            return inputs.answer(step, wanted);
        } catch (ToolException refused) {
            if (refused.code().startsWith("mcp_") || cancellation.isRequested()) {
                Thread.ofVirtual().name("belay-mcp-cancel").start(this::cancel);
            }
            throw call.begun(refused.failure(), refused);
        }
    }

    private Json ended(Json found) {
        String failed = Rpc.text(found, "failed");
        if (failed != null) {
            throw ServerCall.failure("mcp_error", failed);
        }
        if (found.get("cancelled").isPresent()) {
            throw call.begun(ToolFailure.of(ToolFailure.Kind.EXTERNAL, "mcp_task_cancelled",
                    "task " + id + " of server " + call.live().server().name()
                            + " was cancelled before it ended"),
                    null);
        }
        return found;
    }

    /** Asks once. A call that was cancelled, or has run out of time, ends its task; a process that ends leaves it to the next one. */
    private Polled ask(int asked) throws InterruptedException {
        if (!cancellation.isRequested()) {
            return look(asked);
        }
        Thread.ofVirtual().name("belay-mcp-cancel").start(this::cancel); // this thread is interrupted
        return new Polled.Found(Rpc.object("cancelled", Json.TRUE));
    }

    private Polled look(int asked) throws InterruptedException {
        Connection open;
        try {
            open = call.connected();
        } catch (ToolException away) {
            if (LiveServer.isOther(away)) {
                throw lost("is not the program or the address any more that has task " + id, away);
            }
            return later(asked, away);
        }
        try {
            return found(open, open.ask("tasks/get", Rpc.object("taskId", Json.string(id)), id), asked);
        } catch (RpcException e) {
            if (e.code() == Rpc.WRONG_PARAMS || e.code() == Rpc.NO_METHOD) {
                throw lost("does not know task " + id + " any more (" + e.getMessage() + ")", e);
            }
            return later(asked, e);
        } catch (IOException e) {
            live(open, e);
            return later(asked, e);
        }
    }

    private void live(Connection open, IOException e) {
        if (e instanceof LostException || (e instanceof StatusException status && status.forgotten())) {
            call.live().dropped(open, String.valueOf(e.getMessage()));
        }
    }

    private Polled found(Connection open, Json answer, int asked)
            throws IOException, InterruptedException, RpcException {
        Json task = answer.get("task").filter(said -> said.kind() == Json.Kind.OBJECT).orElse(answer);
        boolean modern = open.revision().modern();
        String status = String.valueOf(Rpc.text(task, "status"));
        String words = Rpc.text(task, "statusMessage");
        if (words != null && !words.isBlank()) {
            call.call().context().progress().report(words);
        }
        return switch (status) {
            case "working" -> new Polled.Later(pause(asked));
            case "input_required" -> modern
                    ? new Polled.Found(Rpc.object("wanted",
                            task.get("inputRequests").orElse(Json.EMPTY_OBJECT)))
                    : legacyInput(open, asked);
            case "completed" -> new Polled.Found(modern
                    ? call.read(task.get("result").orElse(Json.EMPTY_OBJECT))
                    : result(open));
            case "failed" -> new Polled.Found(modern
                    ? Rpc.object("failed", Json.string("task " + id + " failed: "
                            + task.get("error").map(Json::compact).orElse("no reason was given")))
                    : result(open));
            case "cancelled" -> new Polled.Found(Rpc.object("cancelled", Json.TRUE));
            default -> throw lost("says that task " + id + " is " + status, null);
        };
    }

    /** The result of a task of an older server, which may be a refusal. */
    private Json result(Connection open) throws IOException, InterruptedException, RpcException {
        return call.read(open.ask("tasks/result", Rpc.object("taskId", Json.string(id)), id));
    }

    /** An older server asks while its result is waited for; without a handler of questions it has to wait. */
    private Polled legacyInput(Connection open, int asked)
            throws IOException, InterruptedException, RpcException {
        return call.live().questions() == null
                ? new Polled.Later(pause(asked))
                : new Polled.Found(result(open));
    }

    private Json update(Json responses) throws InterruptedException {
        Connection open = call.present();
        try {
            open.ask("tasks/update",
                    Rpc.object("taskId", Json.string(id), "inputResponses", responses), id);
            return Json.NULL;
        } catch (RpcException e) {
            throw call.refused(e);
        } catch (IOException e) {
            live(open, e);
            throw ServerCall.failure("mcp_connection_lost",
                    "task " + id + " was answered, and then " + e.getMessage());
        }
    }

    private void cancel() {
        try {
            call.connected()
                    .ask("tasks/cancel", Rpc.object("taskId", Json.string(id)), id);
        } catch (IOException | InterruptedException | RpcException | ToolException unheard) {
            // the server is away, or the task has ended
        }
    }

    private Polled later(int asked, Exception why) {
        if (asked >= MOST_FAILURES) {
            throw lost("could not be asked for task " + id + " for about a day: " + why.getMessage(), why);
        }
        return new Polled.Later(pause(asked));
    }

    /** How long until the next question: as the server asks for, doubled from question to question, at most a minute. */
    private Duration pause(int asked) {
        return pause(interval, asked);
    }

    static Duration pause(Duration interval, int asked) {
        long millis = interval.toMillis() << Math.min(asked, 16);
        return millis > LONGEST.toMillis() ? LONGEST : Duration.ofMillis(millis);
    }

    private ToolException lost(String how, @Nullable Throwable cause) {
        return call.uncertain(ToolFailure.of(ToolFailure.Kind.EXTERNAL, "mcp_task_lost",
                "server " + call.live().server().name() + " " + how), cause);
    }
}
