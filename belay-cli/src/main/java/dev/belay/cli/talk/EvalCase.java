package dev.belay.cli.talk;

import dev.belay.cli.shell.CommandProblem;
import dev.belay.json.Json;
import dev.belay.json.JsonException;
import dev.belay.runtime.session.TurnCall;
import dev.belay.runtime.session.TurnResult;
import dev.belay.schema.NearestNames;
import dev.belay.schema.Shown;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import org.jspecify.annotations.Nullable;

/**
 * A case of an evaluation: an input, and what is expected of the turn.
 *
 * @param name of the case
 * @param input what the agent is told
 * @param calls that must be made in this order, others between them or not; null for any, empty for none
 * @param answer what the answer must be; null for any
 */
record EvalCase(String name, String input, @Nullable List<Json> calls, @Nullable Json answer) {

    private static final int SHOWN = 200;
    private static final Set<String> KEYS = Set.of("name", "input", "calls", "answer");
    private static final Set<String> ANSWERS = Set.of("equals", "contains", "matches", "json");

    /** The cases of a file, one JSON object on each line. */
    static List<EvalCase> read(Path file) throws IOException {
        List<EvalCase> cases = new ArrayList<>();
        List<String> lines;
        try {
            lines = Files.readAllLines(file);
        } catch (NoSuchFileException missing) {
            throw CommandProblem.notFound("there is no file " + file);
        }
        for (int number = 1; number <= lines.size(); number++) {
            if (!lines.get(number - 1).isBlank()) {
                try {
                    cases.add(of(Json.of(lines.get(number - 1)), number));
                } catch (JsonException | IllegalArgumentException wrong) {
                    throw CommandProblem.usage(file + ":" + number + ": " + wrong.getMessage());
                }
            }
        }
        if (cases.isEmpty()) {
            throw CommandProblem
                    .usage(file + " has no cases; a line is {\"input\":…,\"calls\":[…],\"answer\":{…}}");
        }
        return cases;
    }

    private static EvalCase of(Json line, int number) {
        known(line, KEYS);
        Json answer = line.get("answer").orElse(null);
        if (answer != null) {
            known(answer, ANSWERS);
            answer.get("matches").ifPresent(pattern -> compiled(pattern.asString()));
        }
        return new EvalCase(line.get("name").map(Json::asString).orElse("case " + number),
                line.get("input")
                        .filter(input -> input.kind() == Json.Kind.STRING)
                        .orElseThrow(() -> new IllegalArgumentException("a case has an \"input\", a string"))
                        .asString(),
                line.get("calls").map(Json::items).orElse(null), answer);
    }

    private static void known(Json object, Set<String> keys) {
        if (object.kind() != Json.Kind.OBJECT) {
            throw new IllegalArgumentException(
                    "expected an object, found " + Shown.inLine(object.text(), SHOWN));
        }
        for (String key : object.fields().keySet()) {
            if (!keys.contains(key)) {
                List<String> near = NearestNames.of(key, List.copyOf(keys), 1);
                throw new IllegalArgumentException("the key \"" + Shown.inLine(key, SHOWN) + "\" is unknown"
                        + (near.isEmpty() ? "" : "; did you mean \"" + near.getFirst() + "\"?")
                        + " Known are "
                        + String.join(", ", keys.stream().sorted().toList()));
            }
        }
    }

    private static Pattern compiled(String pattern) {
        try {
            return Pattern.compile(pattern, Pattern.DOTALL);
        } catch (PatternSyntaxException wrong) {
            throw new IllegalArgumentException("\"matches\" is no pattern: " + wrong.getDescription(), wrong);
        }
    }

    /** Why a turn does not pass; empty if it does. */
    Optional<String> failed(TurnResult.Ended result, List<TurnCall> made) {
        if (!(result instanceof TurnResult.Finished)) {
            return Optional.of("the turn has no answer: " + Shown.inLine(result.summary(), SHOWN));
        }
        return wrongCalls(made).or(() -> wrongAnswer(result.text()));
    }

    private Optional<String> wrongCalls(List<TurnCall> made) {
        if (calls == null) {
            return Optional.empty();
        }
        List<String> names = made.stream().map(TurnCall::tool).toList();
        if (calls.isEmpty()) {
            return made.isEmpty() ? Optional.empty() : Optional.of("expected no call, found " + names);
        }
        int next = 0;
        for (Json expected : calls) {
            while (next < made.size() && !is(expected, made.get(next))) {
                next++;
            }
            if (next++ >= made.size()) {
                return Optional.of(
                        "expected the call " + Shown.inLine(expected.compact(), SHOWN) + ", found " + names);
            }
        }
        return Optional.empty();
    }

    /** A call is expected by its name, or by its name and some of its arguments. */
    private static boolean is(Json expected, TurnCall call) {
        if (expected.kind() == Json.Kind.STRING) {
            return expected.asString().equals(call.tool());
        }
        Json arguments = expected.get("arguments").orElse(Json.EMPTY_OBJECT);
        return expected.get("name").filter(Json.string(call.tool())::equals).isPresent()
                && has(parsed(call.arguments()), arguments);
    }

    private static Optional<String> no(boolean passes, String expected, String found) {
        return passes
                ? Optional.empty()
                : Optional
                        .of("expected an answer that " + expected + ", found " + Shown.inLine(found, SHOWN));
    }

    private Optional<String> wrongAnswer(String text) {
        if (answer == null) {
            return Optional.empty();
        }
        Optional<String> equal = answer.get("equals")
                .flatMap(expected -> no(text.equals(expected.asString()), "equals " + expected.compact(),
                        text));
        return equal.or(() -> answer.get("contains")
                .flatMap(part -> no(text.contains(part.asString()), "contains " + part.compact(), text)))
                .or(() -> answer.get("matches")
                        .flatMap(pattern -> no(compiled(pattern.asString()).matcher(text).find(),
                                "matches " + pattern.compact(), text)))
                .or(() -> answer.get("json")
                        .flatMap(
                                json -> no(has(parsed(text), json), "is JSON with " + json.compact(), text)));
    }

    private static @Nullable Json parsed(String text) {
        try {
            return Json.of(text);
        } catch (JsonException notJson) {
            return null;
        }
    }

    /** Whether a value has all fields of another; what is no object must be equal. */
    private static boolean has(@Nullable Json value, Json expected) {
        if (value == null || value.kind() != Json.Kind.OBJECT || expected.kind() != Json.Kind.OBJECT) {
            return expected.equals(value);
        }
        return expected.fields()
                .entrySet()
                .stream()
                .allMatch(field -> has(value.get(field.getKey()).orElse(null), field.getValue()));
    }
}
