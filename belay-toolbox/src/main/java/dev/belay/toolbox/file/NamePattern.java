package dev.belay.toolbox.file;

import java.util.ArrayList;
import java.util.List;

/**
 * A pattern for one name: {@code *} any characters, {@code ?} one, {@code [a-z]} or {@code [!a-z]} one of a class, {@code \}
 * takes the next character literally. Takes at most pattern length times name length steps. Thread-safe.
 */
final class NamePattern {

    private sealed interface Piece {

        record Star() implements Piece {}

        record Any() implements Piece {}

        record Letter(char c) implements Piece {}

        record OneOf(boolean not, String ranges) implements Piece {}
    }

    private final List<Piece> pieces;

    private NamePattern(List<Piece> pieces) {
        this.pieces = pieces;
    }

    /** Reads a pattern; {@link IllegalArgumentException} if a class is not closed. */
    static NamePattern of(String text) {
        List<Piece> pieces = new ArrayList<>();
        for (int at = 0; at < text.length(); at++) {
            char c = text.charAt(at);
            switch (c) {
                case '*' -> {
                    if (pieces.isEmpty() || !(pieces.getLast() instanceof Piece.Star)) {
                        pieces.add(new Piece.Star());
                    }
                }
                case '?' -> pieces.add(new Piece.Any());
                case '[' -> {
                    int end = text.indexOf(']', at + 2);
                    if (end < 0) {
                        throw new IllegalArgumentException("the [ in \"" + text + "\" is not closed");
                    }
                    boolean not = text.charAt(at + 1) == '!' || text.charAt(at + 1) == '^';
                    pieces.add(new Piece.OneOf(not, text.substring(not ? at + 2 : at + 1, end)));
                    at = end;
                }
                case '\\' -> {
                    at = Math.min(at + 1, text.length() - 1);
                    pieces.add(new Piece.Letter(text.charAt(at)));
                }
                default -> pieces.add(new Piece.Letter(c));
            }
        }
        return new NamePattern(List.copyOf(pieces));
    }

    /** Whether the whole name matches: greedy, with backtracking only to the last star. */
    boolean matches(String name) {
        int piece = 0;
        int at = 0;
        int star = -1;
        int from = 0;
        while (at < name.length()) {
            if (piece < pieces.size() && pieces.get(piece) instanceof Piece.Star) {
                star = piece++;
                from = at;
            } else if (piece < pieces.size() && fits(pieces.get(piece), name.charAt(at))) {
                piece++;
                at++;
            } else if (star >= 0) {
                piece = star + 1;
                at = ++from;
            } else {
                return false;
            }
        }
        while (piece < pieces.size() && pieces.get(piece) instanceof Piece.Star) {
            piece++;
        }
        return piece == pieces.size();
    }

    private static boolean fits(Piece piece, char c) {
        return switch (piece) {
            case Piece.Star star -> true;
            case Piece.Any any -> true;
            case Piece.Letter(char letter) -> letter == c;
            case Piece.OneOf(boolean not, String ranges) -> inRanges(ranges, c) != not;
        };
    }

    private static boolean inRanges(String ranges, char c) {
        for (int at = 0; at < ranges.length(); at++) {
            if (at + 2 < ranges.length() && ranges.charAt(at + 1) == '-') {
                if (ranges.charAt(at) <= c && c <= ranges.charAt(at + 2)) {
                    return true;
                }
                at += 2;
            } else if (ranges.charAt(at) == c) {
                return true;
            }
        }
        return false;
    }
}
