package dev.belay.runtime.operate;

import dev.belay.Wait;
import dev.belay.schema.ShownLines;
import java.time.Instant;
import java.util.List;
import java.util.stream.Collectors;

/** A rest in words. */
public final class RestText {

    private RestText() {}

    /**
     * What rests, what it waits for, and what answers that. A line with text of a model or a tool goes on behind a margin if it is long; a
     * command to copy is on one line.
     */
    public static String of(String what, List<Wait> waits) {
        var text = new StringBuilder(what).append(" rests");
        waits.stream()
                .map(Wait::since)
                .min(Instant::compareTo)
                .ifPresent(since -> text.append(" since ").append(since));
        text.append(": it waits for ")
                .append(waits.isEmpty()
                        ? "nothing that is known"
                        : waits.stream()
                                .map(wait -> wait.kind().words())
                                .distinct()
                                .collect(Collectors.joining(", ")));
        for (Wait wait : waits) {
            text.append('\n')
                    .append(ShownLines.hanging("  " + Wait.line(wait), ShownLines.USUAL_WIDTH)
                            .stripTrailing());
            text.append("\n    answer: ").append(wait.code());
            if (!wait.command().isEmpty()) {
                text.append("\n    or:     ").append(wait.command());
            }
        }
        return text.toString();
    }
}
