package dev.belay.tests.docs;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The lines of a Java file between {@code // region NAME} and its {@code // endregion}. */
final class Region {

    private Region() {}

    /** The region without its common indentation and without the comments of regions inside it. */
    static Optional<List<String>> find(String source, String name) {
        List<String> found = new ArrayList<>();
        int depth = 0;
        for (String line : source.lines().toList()) {
            String text = line.strip();
            boolean opens = text.startsWith("// region ");
            boolean closes = text.equals("// endregion") || text.startsWith("// endregion ");
            if (depth == 0) {
                depth = text.equals("// region " + name) ? 1 : 0;
            } else if (opens || closes) {
                depth += opens ? 1 : -1;
                if (depth == 0) {
                    return Optional.of(unindented(found));
                }
            } else {
                found.add(line.stripTrailing());
            }
        }
        return Optional.empty();
    }

    private static List<String> unindented(List<String> lines) {
        int common = lines.stream()
                .filter(line -> !line.isBlank())
                .mapToInt(Markdown::leadingSpaces)
                .min()
                .orElse(0);
        List<String> result = new ArrayList<>(lines.stream()
                .map(line -> line.isBlank() ? "" : line.substring(common))
                .toList());
        while (!result.isEmpty() && result.getFirst().isEmpty()) {
            result.removeFirst();
        }
        while (!result.isEmpty() && result.getLast().isEmpty()) {
            result.removeLast();
        }
        return result;
    }
}
