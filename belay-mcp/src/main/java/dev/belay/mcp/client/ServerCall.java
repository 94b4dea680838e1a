package dev.belay.mcp.client;

import dev.belay.json.Json;
import dev.belay.mcp.McpServer;
import dev.belay.mcp.client.wire.NoAnswerException;
import dev.belay.mcp.client.wire.Rpc;
import dev.belay.mcp.client.wire.RpcException;
import dev.belay.tool.ToolEffect;
import dev.belay.tool.ToolException;
import dev.belay.tool.ToolFailure;
import dev.belay.tool.call.PreparedCall;
import dev.belay.tool.context.DurableEffects;
import dev.belay.tool.context.DurableEffects.Polled;
import dev.belay.tool.option.RetryAdvice;
import java.io.IOException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One call of a tool of a server, with what the server wants to know before it answers, and the task that it may become. Confined to the
 * body's thread.
 *
 * <p><b>Durability.</b> Where the tool is resumable and there are steps, each request is a step with the tool's effect: what the server
 * has answered is recorded before the body goes on. A request whose answer was lost is in doubt. <b>Recovery.</b> A body that is entered again
 * finds its answers recorded, and goes on with the question or the task that it waited for.
 */
final class ServerCall {

    /** A server that asks more often than this during one call is not answered any more. */
    private static final int MOST_ROUNDS = 20;
    /** A server that goes away so often before it gets an answer is not waited for any more. */
    private static final int MOST_SENDS = 20;
    /** Nothing was sent: the server went away again. */
    private static final String AWAY = "mcp_server_away";
    private static final String VALUE = "value";
    private static final String MORE = "more";

    private final LiveServer live;
    private final ServerTool tool;
    private final PreparedCall call;
    private final @Nullable DurableEffects durable;
    private final CallInputs inputs;

    ServerCall(LiveServer live, ServerTool tool, PreparedCall call) {
        this.live = live;
        this.tool = tool;
        this.call = call;
        this.durable = tool.definition().manifest().resumable() ? durable(call) : null;
        this.inputs = new CallInputs(live, tool, call.context(), durable);
    }

    /** The steps of the body; null where there are none, as in a loop without a session. */
    private static @Nullable DurableEffects durable(PreparedCall call) {
        try {
            return call.context().durable();
        } catch (ToolException none) {
            return null;
        }
    }

    /** Calls until there is a result. */
    Object run() throws InterruptedException {
        Map<String, Json> arguments = Map.of("arguments", call.arguments());
        if (durable == null) {
            Json result = shaped(send(arguments));
            if (!wantsMore(result)) {
                return shown(result);
            }
            return run(Rpc.object(MORE, result));
        }
        return run(step("call", arguments, false));
    }

    private Object run(Json first) throws InterruptedException {
        Json answer = first;
        for (int round = 1; round <= MOST_ROUNDS; round++) {
            Json value = answer.get(VALUE).orElse(null);
            if (value != null) {
                return value.kind() == Json.Kind.STRING ? value.asString() : value;
            }
            Json more = answer.get(MORE).orElse(Json.EMPTY_OBJECT);
            if (isTask(more)) {
                answer = new ServerTask(this, inputs, more).await();
            } else {
                Json responses = inputs.answer("input/" + round,
                        more.get("inputRequests").orElse(Json.EMPTY_OBJECT));
                Map<String, Json> next = new LinkedHashMap<>();
                next.put("arguments", call.arguments());
                next.put("inputResponses", responses);
                more.get("requestState").ifPresent(state -> next.put("requestState", state));
                answer = untilSent("call/" + round, id -> step(id, next, true));
            }
        }
        throw failure("mcp_too_many_questions", "server " + live.server().name() + " asked " + MOST_ROUNDS
                + " times for more during one call and did not finish it");
    }

    /** A request, as a step of the given name. */
    interface Request {

        Json send(String step) throws InterruptedException;
    }

    /**
     * Sends an answer to a server that has asked, and waits, parked, while the server is away: the call is not over. A server that went
     * away before anything was sent is waited for again.
     */
    Json untilSent(String step, Request request) throws InterruptedException {
        for (int time = 1;; time++) {
            String named = time == 1 ? step : step + "/" + time;
            awaitServer(named + "/server");
            try {
                return request.send(named);
            } catch (ToolException away) {
                if (!away.code().equals(AWAY) || time >= MOST_SENDS) {
                    throw away;
                }
            }
        }
    }

    private void awaitServer(String id) throws InterruptedException {
        if (durable == null) {
            return;
        }
        durable.poll(id, Json.NULL, (none, asked) -> {
            try {
                connected();
                return new Polled.Found(Json.NULL);
            } catch (ToolException away) {
                if (LiveServer.isOther(away) || asked >= ServerTask.MOST_FAILURES) {
                    throw away;
                }
                return new Polled.Later(ServerTask.pause(ServerTask.FIRST, asked));
            }
        });
    }

    private static boolean isTask(Json more) {
        return "task".equals(Rpc.text(more, "resultType"))
                || more.get("task").filter(task -> task.kind() == Json.Kind.OBJECT).isPresent();
    }

    private Json step(String id, Map<String, Json> params, boolean asked) throws InterruptedException {
        return durable == null
                ? read(send(params))
                : durable.run(id, Json.object(params), effect(), input -> {
                    if (asked) {
                        present();
                    }
                    return read(send(input.fields()));
                });
    }

    /** The connection to a server that was there a moment ago; {@link #AWAY} if it is gone. */
    Connection present() throws InterruptedException {
        try {
            return connected();
        } catch (ToolException gone) {
            throw LiveServer.isOther(gone) ? gone : failure(AWAY, gone.failure().message());
        }
    }

    /** The connection to what the call was decided about. */
    Connection connected() throws InterruptedException {
        return live.connected(call);
    }

    /** Sends the call once; a server that was away is connected before. */
    private Json send(Map<String, Json> params) throws InterruptedException {
        for (boolean again = true;; again = false) {
            Connection open = connected();
            try {
                return open.call(tool.raw(), params(open, params), tool.headersOf(call.arguments()),
                        open.revision().modern() ? able() : Json.EMPTY_OBJECT,
                        this::progress);
            } catch (RpcException e) {
                throw refused(e);
            } catch (StatusException e) {
                if (e.forgotten()) {
                    live.dropped(open, String.valueOf(e.getMessage()));
                }
                if (!e.forgotten() || !again || effect() != ToolEffect.READ) {
                    throw live.unavailable(String.valueOf(e.getMessage()), e);
                }
            } catch (LostException e) {
                live.dropped(open, String.valueOf(e.getMessage()));
                if (e.sent()) {
                    throw unanswered(e);
                }
                if (!again) {
                    throw live.unavailable(String.valueOf(e.getMessage()), e);
                }
            } catch (IOException e) {
                throw unanswered(e);
            }
        }
    }

    private Map<String, Json> params(Connection open, Map<String, Json> params) {
        Map<String, Json> all = new LinkedHashMap<>();
        all.put("name", Json.string(tool.raw()));
        all.putAll(params);
        if (durable != null && tool.tasks() && open.hasTasks()) {
            all.put("task", Rpc.object("ttl", Json.number(Duration.ofDays(1).toMillis())));
        }
        return all;
    }

    /** What a server of 2026-07-28 may answer this call with. */
    private Json able() {
        Map<String, Json> able = new LinkedHashMap<>();
        if (durable != null || live.questions() != null) {
            able.put("elicitation", Rpc.object("form", Json.EMPTY_OBJECT, "url", Json.EMPTY_OBJECT));
        }
        if (durable != null && live.server().sampling() != McpServer.Sampling.REFUSED && inputs.hasModel()) {
            able.put("sampling", Json.EMPTY_OBJECT);
        }
        if (!live.server().roots().isEmpty()) {
            able.put("roots", Json.EMPTY_OBJECT);
        }
        if (durable != null) {
            able.put("extensions", Rpc.object(Connection.TASKS, Json.EMPTY_OBJECT));
        }
        return Json.object(able);
    }

    /** A result as the model reads it, or what the server wants first. */
    Json read(Json answered) {
        Json result = shaped(answered);
        return wantsMore(result) ? Rpc.object(MORE, result) : Rpc.object(VALUE, json(shown(result)));
    }

    /** A result that has the shape of one; something else is no answer. */
    private Json shaped(Json result) {
        String flaw = durable != null && isTask(result) ? null : ResultShape.flaw(result);
        if (flaw != null) {
            throw unanswered(new NoAnswerException("what came back is no result of a tool: " + flaw));
        }
        return result;
    }

    private boolean wantsMore(Json result) {
        return "input_required".equals(Rpc.text(result, "resultType"))
                || (durable != null && isTask(result));
    }

    private Object shown(Json result) {
        return new CallAnswer(live.server().name(), tool, call.context()).of(result);
    }

    private static Json json(Object value) {
        return value instanceof Json json ? json : Json.string((String) value);
    }

    private void progress(Json notice) {
        Json params = notice.get("params").orElse(Json.EMPTY_OBJECT);
        String message = Rpc.text(params, "message");
        String share = params.get("progress").map(Json::text).orElse("")
                + params.get("total").map(total -> " of " + total.text()).orElse("");
        call.context().progress().report(message == null ? share : message);
    }

    ToolException refused(RpcException e) {
        return failure("mcp_error",
                "server " + live.server().name() + " refused the call (" + e.code() + "): " + e.getMessage());
    }

    /** A call that was sent and not answered: only what reads may be repeated. */
    private ToolException unanswered(IOException cause) {
        return uncertain(ToolFailure.of(ToolFailure.Kind.EXTERNAL, "mcp_connection_lost",
                "the call was sent, and then " + cause.getMessage()).withRetry(RetryAdvice.ALLOWED), cause);
    }

    /** A failure of work that the server may have done, unless it only reads. */
    ToolException uncertain(ToolFailure failure, @Nullable Throwable cause) {
        return new ToolException(effect() == ToolEffect.READ ? failure : failure.thatMayHaveHappened(),
                cause);
    }

    /**
     * A failure of work that the server has begun. A step with the tool's effect fails with it: a step that does not know whether it
     * happened leaves its call in doubt.
     */
    ToolException begun(ToolFailure why, @Nullable Throwable cause) {
        ToolException failed = uncertain(ToolFailure.of(ToolFailure.Kind.EXTERNAL, why.code(), why.message()),
                cause);
        steps().run("lost", Json.NULL, effect(), none -> {
            throw failed;
        });
        return failed;
    }

    static ToolException failure(String code, String message) {
        return new ToolException(ToolFailure.of(ToolFailure.Kind.EXTERNAL, code, message));
    }

    ToolEffect effect() {
        return tool.definition().manifest().effect();
    }

    LiveServer live() {
        return live;
    }

    PreparedCall call() {
        return call;
    }

    /** The steps of the body, of which there are some once a task is there. */
    DurableEffects steps() {
        if (durable == null) {
            throw new IllegalStateException("a call without steps has no task");
        }
        return durable;
    }
}
