package dev.belay.benchmarks.mcp;

import java.io.BufferedReader;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** An MCP server of 2025-11-25 with as many tools as its argument says; each answers with the same text. */
public final class EchoServer {

    private static final String[] VERBS = {"create", "list", "delete", "rename", "archive", "watch", "merge",
        "export", "import", "summarize"};
    private static final String[] THINGS = {"invoice", "branch", "ticket", "calendar", "picture", "contract",
        "mailbox", "playlist", "sensor", "recipe"};

    private EchoServer() {}

    /** The command that starts one, on the processor of the system property {@code server.cpu} if there is one (by {@code taskset}). */
    static List<String> command(int tools) {
        List<String> command = new ArrayList<>();
        Integer processor = Integer.getInteger("server.cpu");
        if (processor != null) {
            command.addAll(List.of("taskset", "-c", processor.toString()));
        }
        command.addAll(List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC", "-cp", System.getProperty("java.class.path"), EchoServer.class.getName(),
                "" + tools));
        return command;
    }

    /** Speaks on standard input and output until the end of input. */
    public static void main(String[] args) throws IOException {
        int tools = Integer.parseInt(args[0]);
        var in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        var out = new PrintStream(new FileOutputStream(FileDescriptor.out), false,
                StandardCharsets.UTF_8);
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            int at = line.indexOf("\"id\":");
            if (at >= 0) {
                String id = line.substring(at + 5, end(line, at + 5));
                out.print("{\"jsonrpc\":\"2.0\",\"id\":" + id + "," + answer(line, tools) + "}\n");
                out.flush();
            }
        }
    }

    private static int end(String line, int from) {
        int at = from;
        while (Character.isDigit(line.charAt(at))) {
            at++;
        }
        return at;
    }

    private static String answer(String line, int tools) {
        if (line.contains("\"method\":\"tools/call\"")) {
            return "\"result\":{\"content\":[{\"type\":\"text\",\"text\":\"It is done.\"}]}";
        }
        if (line.contains("\"method\":\"initialize\"")) {
            return "\"result\":{\"protocolVersion\":\"2025-11-25\",\"capabilities\":{\"tools\":{}}}";
        }
        if (line.contains("\"method\":\"tools/list\"")) {
            return "\"result\":{\"tools\":[" + list(tools) + "]}";
        }
        return "\"error\":{\"code\":-32601,\"message\":\"Method not found\"}";
    }

    private static String list(int tools) {
        var list = new StringBuilder();
        for (int i = 0; i < tools; i++) {
            String verb = VERBS[i % 10];
            String thing = THINGS[i / 10 % 10];
            list.append(i == 0 ? "" : ",")
                    .append("{\"name\":\"" + verb + "_" + thing + "_" + i + "\",\"description\":\"Can " + verb
                            + " the " + thing + " that has the number " + i
                            + " in the books, and tells what it has found there.\",\"inputSchema\":{\"type\":\"object\","
                            + "\"properties\":{\"" + thing
                            + "_id\":{\"type\":\"string\",\"description\":\"which " + thing
                            + "\"},\"limit\":{\"type\":\"integer\",\"description\":\"how many at most\"}}}}");
        }
        return list.toString();
    }
}
