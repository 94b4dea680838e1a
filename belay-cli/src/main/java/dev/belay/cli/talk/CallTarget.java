package dev.belay.cli.talk;

import dev.belay.json.Json;
import dev.belay.json.JsonException;
import dev.belay.schema.Shown;
import java.util.List;

/** What a tool is used on: the argument that a person looks for first. Stateless. */
final class CallTarget {

    private static final int LONGEST = 100;
    private static final List<String> NAMES = List.of("path", "command", "url", "pattern", "query");

    private CallTarget() {}

    /** On one line; empty if no argument is known as one. */
    static String of(Json arguments) {
        return arguments.kind() != Json.Kind.OBJECT
                ? ""
                : NAMES.stream()
                        .filter(name -> arguments.peekText(name) != null)
                        .findFirst()
                        .map(name -> Shown.inLine(String.valueOf(arguments.peekText(name)), LONGEST))
                        .orElse("");
    }

    /** The same of arguments that may be torn. */
    static String of(String arguments) {
        try {
            return of(Json.of(arguments));
        } catch (JsonException torn) {
            return "";
        }
    }
}
