package dev.belay.model.openai;

import dev.belay.json.Json;
import dev.belay.model.ModelEvent;
import dev.belay.model.ModelEvent.ReasoningDelta;
import dev.belay.model.ModelEvent.TextDelta;
import dev.belay.model.http.wire.WireFields;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Tells thoughts from text in answers of Gemini. A piece with thoughts is marked, and its text stands between tags; the closing
 * tag begins the first piece behind the thoughts, or stands within a whole message. Text with such tags and without the mark is
 * text. Confined to one answer.
 */
final class ThoughtTags {

    private static final String OPEN = "<thought>";
    private static final String CLOSE = "</thought>";
    private static final String EXTRA = "extra_content";
    private static final String GOOGLE = "google";
    private static final String THOUGHT = "thought";
    private static final String CONTENT = "content";

    private boolean thinking;

    /** The events of a piece's text; none for no text. */
    List<ModelEvent> events(Json piece, String text) {
        boolean marked = isMarked(piece);
        String rest = marked && !thinking ? without(OPEN, text) : text;
        List<ModelEvent> events = new ArrayList<>();
        if (marked) {
            int end = rest.indexOf(CLOSE);
            String thought = end < 0 ? rest : rest.substring(0, end);
            if (!thought.isEmpty()) {
                events.add(new ReasoningDelta(thought));
            }
            rest = end < 0 ? "" : rest.substring(end + CLOSE.length());
            thinking = end < 0;
        } else if (thinking) {
            rest = without(CLOSE, rest);
            thinking = false;
        }
        if (!rest.isEmpty()) {
            events.add(new TextDelta(rest));
        }
        return events;
    }

    /** The message without its thoughts, as it is sent back; the same message if it has none. */
    static Json spoken(Json message) {
        Optional<Json> content = WireFields.field(message, CONTENT)
                .filter(text -> text.kind() == Json.Kind.STRING);
        if (!isMarked(message) || content.isEmpty()) {
            return message;
        }
        String text = content.get().asString();
        int end = text.indexOf(CLOSE);
        Map<String, Json> fields = new LinkedHashMap<>(message.fields());
        fields.put(CONTENT, Json.string(end < 0 ? "" : text.substring(end + CLOSE.length())));
        Map<String, Json> google = new LinkedHashMap<>(google(message).orElseThrow().fields());
        google.remove(THOUGHT);
        fields.remove(EXTRA);
        if (!google.isEmpty()) {
            fields.put(EXTRA, Json.object(Map.of(GOOGLE, Json.object(google))));
        }
        return Json.object(fields);
    }

    private static boolean isMarked(Json piece) {
        return google(piece).flatMap(extra -> extra.get(THOUGHT)).filter(Json.TRUE::equals).isPresent();
    }

    private static Optional<Json> google(Json piece) {
        return WireFields.field(piece, EXTRA).flatMap(extra -> WireFields.field(extra, GOOGLE));
    }

    private static String without(String tag, String text) {
        return text.startsWith(tag) ? text.substring(tag.length()) : text;
    }
}
