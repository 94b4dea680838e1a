package dev.belay.model.envelope;

import dev.belay.json.Json;
import dev.belay.json.JsonSyntaxException;
import dev.belay.model.OutputSpec;
import dev.belay.model.envelope.Envelope.Call;
import dev.belay.model.envelope.Envelope.Final;
import dev.belay.model.envelope.Envelope.Wrong;
import dev.belay.model.envelope.EnvelopeCandidates.Candidate;
import dev.belay.schema.Wording;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Reads the text of a model as an envelope. The whole text is tried first, then the first fenced block that holds an object,
 * then the first object anywhere; {@link EnvelopeCandidates} says what an object is. An object counts if it has a
 * {@code kind}, and the first one that has decides: nothing is repaired, and what stands behind it is not read. Stateless.
 */
final class EnvelopeReader {

    /** Twice what the arguments of a call may have, because escapes make text longer. */
    static final int LONGEST = 2 << 20;

    /** Enough to recognize what was written. */
    private static final int SHOWN = 80;
    private static final String KIND = "kind";

    private EnvelopeReader() {}

    /**
     * What was read.
     *
     * @param envelope what it says
     * @param thoughts what the model thought aloud in its text; empty if nothing
     */
    record Reading(Envelope envelope, String thoughts) {}

    /**
     * Reads a text.
     *
     * @param text all the model said
     * @param output the form of answer that was asked for
     */
    static Reading read(String text, OutputSpec output) {
        if (text.length() > LONGEST) {
            return new Reading(new Wrong("it has " + text.length() + " characters; at most " + LONGEST
                    + " are read"), "");
        }
        if (text.isBlank()) {
            return new Reading(new Wrong("it is empty"), "");
        }
        Json whole = json(text);
        if (whole != null) {
            return new Reading(envelope(whole, output), "");
        }
        EnvelopeCandidates candidates = new EnvelopeCandidates(text);
        return new Reading(decide(candidates, output), candidates.thoughts());
    }

    private static Envelope decide(EnvelopeCandidates candidates, OutputSpec output) {
        List<Candidate> found = candidates.found();
        Optional<Candidate> chosen = found.stream()
                .filter(candidate -> candidate.fenced() && mentionsKind(candidate))
                .findFirst()
                .or(() -> found.stream().filter(EnvelopeReader::mentionsKind).findFirst());
        if (chosen.isPresent()) {
            return envelope(chosen.get().text(), output);
        }
        if (candidates.endsThinking()) {
            return new Wrong("it ends inside <think>, and what stands there is not read");
        }
        if (candidates.endsInsideObject()) {
            return new Wrong(
                    "a JSON object begins in it and never ends: a closing brace or quote is missing");
        }
        return found.stream()
                .filter(candidate -> json(candidate.text()) != null)
                .findFirst()
                .map(candidate -> envelope(candidate.text(), output))
                .orElseGet(() -> new Wrong("there is no JSON object in it"));
    }

    /** Whether it has the field, or would have it if it were JSON. */
    private static boolean mentionsKind(Candidate candidate) {
        Json json = json(candidate.text());
        return json == null
                ? candidate.text().contains('"' + KIND + '"')
                : json.get(KIND).isPresent();
    }

    private static @Nullable Json json(String text) {
        try {
            return Json.of(text);
        } catch (JsonSyntaxException notJson) {
            return null;
        }
    }

    private static Envelope envelope(String text, OutputSpec output) {
        try {
            return envelope(Json.of(text), output);
        } catch (JsonSyntaxException e) {
            return new Wrong("the JSON object in it is malformed: " + e.getMessage());
        }
    }

    private static Envelope envelope(Json json, OutputSpec output) {
        if (json.kind() != Json.Kind.OBJECT) {
            return new Wrong("it must be a JSON object, not " + phrase(json));
        }
        Json kind = json.get(KIND).orElse(null);
        if (kind == null) {
            return new Wrong("the object has no \"kind\"; it must be \"tool_call\" or \"final\"");
        }
        if (kind.kind() != Json.Kind.STRING) {
            return new Wrong("\"kind\" must be \"tool_call\" or \"final\", not " + phrase(kind));
        }
        return switch (kind.asString()) {
            case "tool_call" -> call(json);
            case "final" -> answer(json, output);
            default ->
                new Wrong("\"kind\" must be \"tool_call\" or \"final\", not " + shown(kind));
        };
    }

    private static Envelope call(Json json) {
        Json name = json.get("tool_name").orElse(null);
        if (name == null || name.kind() != Json.Kind.STRING || name.asString().isBlank()) {
            return new Wrong("\"tool_name\" must be the name of a tool, "
                    + (name == null ? "and is missing" : "not " + shown(name)));
        }
        Json arguments = json.get("arguments").orElse(null);
        if (arguments == null || arguments.kind() != Json.Kind.OBJECT) {
            return new Wrong("\"arguments\" must be an object, {} if the tool needs none, "
                    + (arguments == null ? "and is missing" : "not " + phrase(arguments)));
        }
        Json note = json.get("note").orElse(Json.NULL);
        return switch (note.kind()) {
            case STRING -> new Call(name.asString(), arguments, note.asString());
            case NULL -> new Call(name.asString(), arguments, "");
            default -> new Wrong("\"note\" must be a string or left out, not " + phrase(note));
        };
    }

    private static Envelope answer(Json json, OutputSpec output) {
        Json content = json.get("content").orElse(null);
        if (content == null) {
            return new Wrong("\"content\" is missing; it holds the answer");
        }
        if (content.kind() == Json.Kind.STRING) {
            return content.asString().isBlank()
                    ? new Wrong("\"content\" must hold the answer, and is empty")
                    : new Final(content.asString());
        }
        return switch (output) {
            case OutputSpec.Schema schema -> new Final(content.text());
            case OutputSpec.Text text -> new Wrong("\"content\" must be a string, not " + phrase(content));
        };
    }

    private static String phrase(Json json) {
        return switch (json.kind()) {
            case OBJECT -> "an object";
            case ARRAY -> "an array";
            case STRING -> "a string";
            case NUMBER -> "a number";
            case BOOLEAN -> "a boolean";
            case NULL -> "null";
        };
    }

    private static String shown(Json json) {
        return Wording.shown(json.text(), SHOWN);
    }
}
