package dev.belay.toolbox.file;

import dev.belay.json.Json;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The one form of an edit: {@code path}, {@code find}, {@code replace} and perhaps {@code all}. Models that learned the tools of others send
 * other names, or a patch. Rules, preview, digest and body see this form. Stateless.
 */
final class EditForm {

    private static final String FIND = "find";
    private static final String REPLACE = "replace";
    private static final String ALL = "all";
    private static final String OLD = "old_string";
    private static final String NEW = "new_string";
    private static final String EVERY = "replace_all";
    private static final String PATCH = "patch";

    private EditForm() {}

    /** Whether arguments have a patch in place of texts. */
    static Optional<String> patch(Json arguments) {
        return text(arguments, PATCH);
    }

    /** Arguments with texts, by their usual names. */
    static Json of(String path, Json arguments) {
        if (patch(arguments).isPresent()) {
            throw FileRefusal.badEdit(path, "it has a patch and texts; send either");
        }
        Map<String, Json> form = new LinkedHashMap<>();
        form.put("path", arguments.get("path").orElseThrow());
        form.put(FIND, Json.string(either(path, arguments, FIND, OLD)));
        form.put(REPLACE, Json.string(either(path, arguments, REPLACE, NEW)));
        value(arguments, ALL).or(() -> value(arguments, EVERY)).ifPresent(all -> form.put(ALL, all));
        return Json.object(form);
    }

    private static String either(String path, Json arguments, String name, String alias) {
        Optional<String> usual = text(arguments, name);
        Optional<String> other = text(arguments, alias);
        if (usual.isPresent() == other.isPresent() && !usual.equals(other)) {
            throw FileRefusal.badEdit(path,
                    name + " and " + alias + " are one thing, and differ; send one of them");
        }
        return usual.or(() -> other)
                .orElseThrow(() -> FileRefusal.badEdit(path,
                        "it needs find and replace; old_string and new_string, or a patch, are taken too"));
    }

    private static Optional<Json> value(Json arguments, String name) {
        return arguments.get(name).filter(given -> !given.isNull());
    }

    private static Optional<String> text(Json arguments, String name) {
        return value(arguments, name).map(Json::asString);
    }

    /** The smallest piece of whole lines that occurs once and has all that a patch changes. */
    static Json of(String path, Json arguments, String before, String after) {
        List<String> others = new ArrayList<>(List.of(FIND, OLD, REPLACE, NEW, ALL, EVERY));
        others.removeIf(name -> value(arguments, name).isEmpty());
        if (!others.isEmpty()) {
            throw FileRefusal.badEdit(path,
                    "it has a patch and " + String.join(", ", others) + "; send either");
        }
        if (before.equals(after) || before.isEmpty()) {
            throw FileRefusal.badEdit(path, before.isEmpty()
                    ? "the file is empty; write_file writes it"
                    : "the patch changes nothing");
        }
        List<String> old = List.of(before.split("\n", -1));
        List<String> now = List.of(after.split("\n", -1));
        int most = Math.min(old.size(), now.size());
        int head = 0;
        while (head < most && old.get(head).equals(now.get(head))) {
            head++;
        }
        int tail = 0;
        while (tail < most - head && old.get(old.size() - 1 - tail).equals(now.get(now.size() - 1 - tail))) {
            tail++;
        }
        String find = piece(old, head, tail);
        // a line on both sides: without one a newline would be left, or missing
        for (int more = 1; head + tail > 0 && (head + tail == most || find.isEmpty()
                || before.indexOf(find) != before.lastIndexOf(find)); more *= 2) {
            head = Math.max(0, head - more);
            tail = Math.max(0, tail - more);
            find = piece(old, head, tail);
        }
        return Json
                .object(Map.of("path", arguments.get("path").orElseThrow(), FIND, Json.string(find), REPLACE,
                        Json.string(piece(now, head, tail))));
    }

    private static String piece(List<String> lines, int head, int tail) {
        return String.join("\n", lines.subList(head, lines.size() - tail));
    }
}
