package dev.belay.tests.mcp;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.belay.json.Json;
import dev.belay.mcp.McpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * A server by HTTP with tasks and questions, written without the client's code. It outlives its clients. It speaks 2026-07-28, or 2025-11-25
 * with the tasks of that revision.
 */
final class TaskServer implements AutoCloseable {

    private static final String TOOLS = """
            {"resultType":"complete","ttlMs":0,"tools":[
            {"name":"build","description":"Builds; a task.","inputSchema":{"type":"object"}},
            {"name":"endless","description":"A task that never ends.","inputSchema":{"type":"object"}},
            {"name":"forgotten","description":"A task that the server forgets.","inputSchema":{"type":"object"}},
            {"name":"asking","description":"A task that asks.","inputSchema":{"type":"object"}},
            {"name":"confirm","description":"Asks the user.","inputSchema":{"type":"object"}},
            {"name":"greedy","description":"Asks the model for ever.","inputSchema":{"type":"object"}},
            {"name":"sample","description":"Asks the model.","inputSchema":{"type":"object"}},
            {"name":"where","description":"Asks for roots.","inputSchema":{"type":"object"}}]}""";
    private static final String QUESTION = """
            {"method":"elicitation/create","params":{"mode":"form","message":"Delete all\\u202e files?","requestedSchema":\
            {"type":"object","properties":{"sure":{"type":"boolean"},"why":{"type":"string","default":"none"}},\
            "required":["sure"]}}}""";

    private final HttpServer server;
    /** How often each task has been asked for. */
    private final Map<String, AtomicInteger> polls = new ConcurrentHashMap<>();
    private final Map<String, String> answers = new ConcurrentHashMap<>();
    /** Methods and their params, in order. */
    final List<String> heard = new CopyOnWriteArrayList<>();
    /** Tools whose work was begun. */
    final List<String> begun = new CopyOnWriteArrayList<>();
    /** How many questions find the task at work. */
    volatile int working = 2;
    /** Speaks 2025-11-25. */
    volatile boolean legacy;
    /** Answers every request with status 503. */
    volatile boolean away;
    /** Whether tasks that have an answer are cancelled by the server. */
    volatile boolean cancels;
    /** Whether answers to tasks are refused. */
    volatile boolean refuses;
    /** What comes back for a call, beside the frame of a reply; null if the server answers itself. */
    volatile @Nullable String instead;
    /** What a task wants to know instead of a question, or null. */
    volatile @Nullable String odd;
    /** How many milliseconds to wait between questions for a task. */
    volatile String interval = "5";
    /** What a task has as its result, or null for a text. */
    volatile @Nullable String built;
    /** Opened when the server may say who it is. */
    volatile CountDownLatch gate = new CountDownLatch(0);

    TaskServer() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.createContext("/mcp", this::take);
        server.start();
    }

    McpServer described() {
        return McpServer.http("works",
                URI.create("http://localhost:" + server.getAddress().getPort() + "/mcp"));
    }

    private void take(HttpExchange exchange) throws IOException {
        Json message = Json.of(new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
        String method = message.get("method").orElseThrow().asString();
        Json params = message.get("params").orElse(Json.EMPTY_OBJECT);
        heard.add(method + " " + params.text());
        String id = message.get("id").map(Json::text).orElse("null");
        if (away) {
            exchange.sendResponseHeaders(503, -1);
            exchange.close();
            return;
        }
        try {
            gate.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        String body = legacy ? older(id, method, params) : switch (method) {
            case "server/discover" ->
                result(id, "{\"resultType\":\"complete\",\"supportedVersions\":[\"2026-07-28\"],"
                        + "\"capabilities\":{\"tools\":{},\"extensions\":{\"io.modelcontextprotocol/tasks\":{}}}}");
            case "tools/list" -> result(id, TOOLS.replace("\n", ""));
            case "tools/call" -> {
                String answer = result(id, call(params));
                yield instead == null ? answer : "{\"jsonrpc\":\"2.0\",\"id\":" + id + "," + instead + "}";
            }
            case "tasks/get" -> polled(id, params.get("taskId").orElseThrow().asString());
            case "tasks/update" -> {
                if (refuses) {
                    yield "{\"jsonrpc\":\"2.0\",\"id\":" + id
                            + ",\"error\":{\"code\":-32000,\"message\":\"too late\"}}";
                }
                answers.put(params.get("taskId").orElseThrow().asString(),
                        params.at("/inputResponses/sure/content").orElse(Json.NULL).text());
                yield result(id, "{\"resultType\":\"complete\"}");
            }
            case "tasks/cancel" -> result(id, "{\"resultType\":\"complete\"}");
            default ->
                "{\"jsonrpc\":\"2.0\",\"id\":" + id + ",\"error\":{\"code\":-32601,\"message\":\"no\"}}";
        };
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().set("Content-Type", "application/json");
        exchange.sendResponseHeaders(200, bytes.length);
        exchange.getResponseBody().write(bytes);
        exchange.close();
    }

    private String older(String id, String method, Json params) {
        return switch (method) {
            case "initialize" ->
                result(id, "{\"protocolVersion\":\"2025-11-25\",\"capabilities\":{\"tools\":{},"
                        + "\"tasks\":{\"cancel\":{},\"requests\":{\"tools\":{\"call\":{}}}}}}");
            case "tools/list" ->
                result(id, "{\"tools\":[{\"name\":\"build\",\"inputSchema\":{\"type\":\"object\"},"
                        + "\"execution\":{\"taskSupport\":\"required\"}},{\"name\":\"fails\",\"inputSchema\":{\"type\":\"object\"},"
                        + "\"execution\":{\"taskSupport\":\"optional\"}}]}");
            case "tools/call" -> {
                String task = params.get("name").orElseThrow().asString() + "-" + (begun.size() + 1);
                begun.add(params.get("name").orElseThrow().asString());
                polls.put(task, new AtomicInteger());
                yield result(id, "{\"task\":" + olderTask(task, "working") + "}");
            }
            case "tasks/get" -> {
                String task = params.get("taskId").orElseThrow().asString();
                AtomicInteger asked = polls.computeIfAbsent(task, none -> new AtomicInteger());
                boolean works = asked.getAndIncrement() < working;
                yield result(id, olderTask(task,
                        works ? "working" : task.startsWith("fails") ? "failed" : "completed"));
            }
            case "tasks/result" -> result(id,
                    params.get("taskId").orElseThrow().asString().startsWith("fails")
                            ? "{\"content\":[{\"type\":\"text\",\"text\":\"no bricks\"}],\"isError\":true}"
                            : "{\"content\":[{\"type\":\"text\",\"text\":\"built\"}]}");
            default ->
                "{\"jsonrpc\":\"2.0\",\"id\":" + id + ",\"error\":{\"code\":-32601,\"message\":\"no\"}}";
        };
    }

    private static String olderTask(String task, String status) {
        return "{\"taskId\":\"" + task + "\",\"status\":\"" + status
                + "\",\"createdAt\":\"2026-11-18T00:00:00Z\",\"ttl\":60000,\"pollInterval\":5}";
    }

    private static String result(String id, String result) {
        return "{\"jsonrpc\":\"2.0\",\"id\":" + id + ",\"result\":" + result + "}";
    }

    private static String text(String text) {
        return "{\"resultType\":\"complete\",\"content\":[{\"type\":\"text\",\"text\":"
                + Json.string(text).text()
                + "}]}";
    }

    private String call(Json params) {
        String tool = params.get("name").orElseThrow().asString();
        Json answers = params.get("inputResponses").orElse(null);
        return switch (tool) {
            case "confirm" -> answers == null
                    ? wanted("sure", QUESTION)
                    : text("said " + answers.at("/sure/action").orElseThrow().asString() + " "
                            + answers.at("/sure/content").orElse(Json.NULL).canonical() + " "
                            + params.get("requestState").orElse(Json.NULL).asString());
            case "greedy" -> wanted("joke",
                    "{\"method\":\"sampling/createMessage\",\"params\":{\"maxTokens\":50,\"messages\":[{\"role\":\"user\",\"content\":{\"type\":\"text\",\"text\":\"More?\"}}]}}");
            case "sample" -> answers == null
                    ? wanted("joke", "{\"method\":\"sampling/createMessage\",\"params\":{\"maxTokens\":9999,"
                            + "\"messages\":[{\"role\":\"user\",\"content\":{\"type\":\"text\",\"text\":\"A joke?\"}}]}}")
                    : text("the model said " + answers.at("/joke/content/text").orElseThrow().asString());
            case "where" -> answers == null
                    ? wanted("roots", "{\"method\":\"roots/list\"}")
                    : text("at " + answers.at("/roots/roots/0/uri").orElse(Json.NULL).text());
            default -> {
                begun.add(tool);
                String task = tool + "-" + begun.size();
                polls.put(task, new AtomicInteger());
                yield "{\"resultType\":\"task\",\"taskId\":\"" + task
                        + "\",\"status\":\"working\",\"ttlMs\":60000,\"pollIntervalMs\":" + interval + "}";
            }
        };
    }

    private static String wanted(String key, String request) {
        return "{\"resultType\":\"input_required\",\"requestState\":\"sealed\",\"inputRequests\":{\"" + key
                + "\":"
                + request.replace("\n", "") + "}}";
    }

    private String polled(String id, String task) {
        AtomicInteger asked = polls.get(task);
        if (asked == null || task.startsWith("forgotten")) {
            return "{\"jsonrpc\":\"2.0\",\"id\":" + id
                    + ",\"error\":{\"code\":-32602,\"message\":\"Unknown task\"}}";
        }
        boolean works = asked.getAndIncrement() < working || task.startsWith("endless");
        String answer = answers.get(task);
        String state = works
                ? "\"status\":\"working\""
                : task.startsWith("asking") && answer == null
                        ? "\"status\":\"input_required\",\"inputRequests\":" + (odd != null
                                ? odd
                                : "{\"sure\":" + QUESTION.replace("\n", "") + "}")
                        : cancels
                                ? "\"status\":\"cancelled\""
                                : "\"status\":\"completed\",\"result\":"
                                        + (built != null
                                                ? built
                                                : text(answer == null ? "built" : "answered " + answer));
        return result(id, "{\"resultType\":\"complete\",\"taskId\":\"" + task + "\"," + state + "}");
    }

    /** Forgets all tasks, as a server does that is started again. */
    void forget() {
        polls.clear();
    }

    /** How often a method was called. */
    long heard(String method) {
        return heard.stream().filter(one -> one.startsWith(method + " ")).count();
    }

    /** The params of the last call of a method. */
    @Nullable
    String last(String method) {
        return heard.stream().filter(one -> one.startsWith(method + " ")).reduce((a, b) -> b).orElse(null);
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
