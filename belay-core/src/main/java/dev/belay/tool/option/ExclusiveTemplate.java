package dev.belay.tool.option;

import dev.belay.BelayException;
import dev.belay.json.Json;
import java.util.ArrayList;
import java.util.List;

/**
 * A resource key with places for arguments, such as <code>account:{accountId}</code>. Bodies with the same key do not overlap.
 */
public final class ExclusiveTemplate {

    private final String text;
    private final List<Piece> pieces;

    private record Piece(String value, boolean field) {}

    private ExclusiveTemplate(String text, List<Piece> pieces) {
        this.text = text;
        this.pieces = pieces;
    }

    /** Reads a template; {@code bad_exclusive_template} if braces are unbalanced, empty or nested, or the text is blank. */
    public static ExclusiveTemplate of(String text) {
        if (text.isBlank()) {
            throw bad(text, "it is blank");
        }
        var pieces = new ArrayList<Piece>();
        int at = 0;
        while (at < text.length()) {
            int open = text.indexOf('{', at);
            int close = text.indexOf('}', at);
            if (open < 0 && close < 0) {
                pieces.add(new Piece(text.substring(at), false));
                break;
            }
            if (open < 0 || (close >= 0 && close < open)) {
                throw bad(text, "a } has no { before it");
            }
            if (close < 0) {
                throw bad(text, "a { has no } behind it");
            }
            String field = text.substring(open + 1, close);
            if (field.isBlank() || field.indexOf('{') >= 0) {
                throw bad(text, "{" + field + "} names no field");
            }
            if (open > at) {
                pieces.add(new Piece(text.substring(at, open), false));
            }
            pieces.add(new Piece(field, true));
            at = close + 1;
        }
        return new ExclusiveTemplate(text, List.copyOf(pieces));
    }

    /** Names of the arguments it takes, in order. */
    public List<String> fields() {
        return pieces.stream().filter(Piece::field).map(Piece::value).toList();
    }

    /** The resource key for given arguments; {@code invalid_arguments} if a field is missing or not a scalar. */
    public String resolve(Json arguments) {
        var key = new StringBuilder();
        for (Piece piece : pieces) {
            key.append(piece.field() ? scalar(arguments, piece.value()) : piece.value());
        }
        return key.toString();
    }

    private String scalar(Json arguments, String field) {
        Json value = arguments.get(field).orElse(Json.NULL);
        return switch (value.kind()) {
            case STRING -> value.asString();
            case NUMBER, BOOLEAN -> value.canonical();
            case NULL, OBJECT, ARRAY -> throw new BelayException("invalid_arguments", "field \"" + field
                    + "\" must be a text, number or boolean, because the resource key " + text
                    + " is made of it");
        };
    }

    private static BelayException bad(String text, String why) {
        return new BelayException("bad_exclusive_template", "exclusive = \"" + text + "\": " + why
                + "; write text with fields in braces, such as account:{accountId}");
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof ExclusiveTemplate template && template.text.equals(text);
    }

    @Override
    public int hashCode() {
        return text.hashCode();
    }

    @Override
    public String toString() {
        return text;
    }
}
