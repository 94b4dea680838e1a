package dev.belay.tests.output;

import dev.belay.json.Json;
import dev.belay.model.Message;
import dev.belay.model.Message.ToolMessage;
import dev.belay.model.Message.UserMessage;
import dev.belay.model.Model;
import dev.belay.model.ModelRequest;
import dev.belay.model.Part.CallPart;
import dev.belay.model.Part.ReplyPart;
import dev.belay.tests.session.SessionBench;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** What tests of outputs share: a model that does what the user says, a large text, and the handles in what is shown of it. */
final class OutputBench {

    /** Many lines. */
    static final String LINES = IntStream.rangeClosed(1, 50_000)
            .mapToObj(i -> "line " + i)
            .collect(Collectors.joining("\n"));

    private static final Pattern HANDLE = Pattern.compile("read_output\\(\"(out-[^\"]+)\"\\)");

    final List<ModelRequest> requests = new CopyOnWriteArrayList<>();

    /** A model that makes the calls that the user names, one {@code tool arguments} a line, and says what it has read. */
    Model obeying() {
        return SessionBench.model(request -> {
            requests.add(request);
            if (SessionBench.roundsSinceUser(request) > 0) {
                return SessionBench.text(SessionBench.lastReplies(request));
            }
            List<CallPart> calls = new ArrayList<>();
            for (String line : said(request).split("\n", -1)) {
                String[] parts = line.split(" ", 2);
                calls.add(new CallPart("c" + calls.size(), parts[0], parts.length == 1 ? "{}" : parts[1]));
            }
            return SessionBench.calls(calls);
        });
    }

    /** A model that dumps, reads the last line by its handle and searches for two others, and says what it has found. */
    static Model reading() {
        return SessionBench.model(request -> switch (SessionBench.roundsSinceUser(request)) {
            case 0 -> SessionBench.calls(List.of(new CallPart("a", "dump", "{}")));
            case 1 -> SessionBench.calls(List.of(asked("b", read(handle(all(request)), 50_000, 1)),
                    asked("c", search(handle(all(request)), "^line (4999|49999)$"))));
            default -> SessionBench.text(replies(request.messages()).get(1) + "|"
                    + replies(request.messages()).get(2));
        });
    }

    private static CallPart asked(String id, String said) {
        String[] parts = said.split(" ", 2);
        return new CallPart(id, parts[0], parts[1]);
    }

    private static String all(ModelRequest request) {
        return String.join("\n", replies(request.messages()));
    }

    private static String said(ModelRequest request) {
        return request.messages()
                .reversed()
                .stream()
                .filter(UserMessage.class::isInstance)
                .map(message -> ((UserMessage) message).text())
                .findFirst()
                .orElseThrow();
    }

    static List<String> replies(List<? extends Message> messages) {
        return messages.stream()
                .filter(ToolMessage.class::isInstance)
                .flatMap(message -> ((ToolMessage) message).replies().stream())
                .map(ReplyPart::text)
                .toList();
    }

    static String handle(String shown) {
        Matcher found = HANDLE.matcher(shown);
        if (!found.find()) {
            throw new AssertionError("no handle in " + shown);
        }
        return found.group(1);
    }

    static String read(String handle, int from, int lines) {
        return "read_output " + Json.write(out -> out.beginObject()
                .name("handle")
                .value(handle)
                .name("from")
                .value(from)
                .name("lines")
                .value(lines)
                .endObject());
    }

    static String search(String handle, String pattern) {
        return "search_output " + Json.write(out -> out.beginObject()
                .name("handle")
                .value(handle)
                .name("pattern")
                .value(pattern)
                .endObject());
    }
}
