package dev.belay.model.envelope;

import java.util.ArrayList;
import java.util.List;

/**
 * Finds the objects that stand in a text, in one pass: an object ends with the brace that balances its first one, braces in
 * strings not counted. What a model thought in {@code <think>…</think>} is no part of its answer, but inside an object these
 * are letters like any others, and so is a fence. Confined to one call.
 *
 * <p>Every character is looked at once, but for the tails behind braces that are never closed; the search ends with
 * {@value #MOST_OPEN} of them, or with {@value #MOST_FOUND} objects.
 */
final class EnvelopeCandidates {

    /** Braces that are never closed before the search is given up: each costs a walk to the end of the text. */
    static final int MOST_OPEN = 64;

    /** Objects before the search is given up: each is read to see whether it is an envelope. */
    static final int MOST_FOUND = 1_000;

    private static final String THINK = "<think>";
    private static final String THOUGHT = "</think>";
    private static final String FENCE = "```";

    private final String text;
    private final List<Candidate> found = new ArrayList<>();
    private final StringBuilder thoughts = new StringBuilder();
    /** Where the last {@code </think>} without a beginning stands; 0 if there is none. */
    private int unopened;
    private boolean thinking;
    private boolean unfinished;

    /**
     * An object in a text.
     *
     * @param text from brace to brace
     * @param fenced whether it is what a fenced block begins with
     */
    record Candidate(String text, boolean fenced) {}

    EnvelopeCandidates(String text) {
        this.text = text;
        scan();
    }

    /** The objects, in order. */
    List<Candidate> found() {
        return found;
    }

    /** What stands in {@code <think>…</think>}. */
    String thoughts() {
        return (text.substring(0, unopened) + thoughts).strip();
    }

    /** Whether the text ends inside {@code <think>}. */
    boolean endsThinking() {
        return thinking;
    }

    /** Whether an object begins behind those found and never ends. */
    boolean endsInsideObject() {
        return unfinished;
    }

    private void scan() {
        int open = 0;
        int fenceEnd = -1;
        int at = 0;
        while (at < text.length() && found.size() < MOST_FOUND) {
            char c = text.charAt(at);
            if (c == '<' && text.startsWith(THINK, at)) {
                at = think(at + THINK.length());
            } else if (c == '<' && text.startsWith(THOUGHT, at)) {
                // templates that put <think> into the prompt leave only its end to the model
                found.clear();
                thoughts.setLength(0);
                unopened = at;
                at += THOUGHT.length();
            } else if (c == '`' && atLineStart(at) && text.startsWith(FENCE, at)) {
                at = fenceEnd = behindFence(at);
            } else if (c == '{') {
                int end = balanced(at);
                if (end > 0) {
                    found.add(new Candidate(text.substring(at, end), at == fenceEnd));
                    at = end;
                } else if (beginsObject(at + 1) || ++open == MOST_OPEN) {
                    unfinished = true;
                    return;
                } else {
                    at++;
                }
            } else {
                at++;
            }
        }
    }

    private int think(int from) {
        int end = text.indexOf(THOUGHT, from);
        thinking = end < 0;
        thoughts.append(text, from, thinking ? text.length() : end).append('\n');
        return thinking ? text.length() : end + THOUGHT.length();
    }

    private boolean atLineStart(int at) {
        int before = at - 1;
        while (before >= 0 && text.charAt(before) == ' ') {
            before--;
        }
        return before < 0 || text.charAt(before) == '\n' || text.charAt(before) == '\r';
    }

    /** Moves over the fence, the word behind it and white space. */
    private int behindFence(int from) {
        int at = from;
        while (at < text.length() && text.charAt(at) == '`') {
            at++;
        }
        while (at < text.length() && Character.isLetterOrDigit(text.charAt(at))) {
            at++;
        }
        return overSpace(at);
    }

    private int overSpace(int from) {
        int at = from;
        while (at < text.length() && Character.isWhitespace(text.charAt(at))) {
            at++;
        }
        return at;
    }

    private boolean beginsObject(int from) {
        int at = overSpace(from);
        return at < text.length() && text.charAt(at) == '"';
    }

    /** The place behind the brace that closes the one at {@code from}; -1 if there is none. */
    private int balanced(int from) {
        int depth = 0;
        boolean inString = false;
        for (int at = from; at < text.length(); at++) {
            char c = text.charAt(at);
            if (inString) {
                at += c == '\\' ? 1 : 0;
                inString = c != '"';
            } else if (c == '"') {
                inString = true;
            } else if (c == '{') {
                depth++;
            } else if (c == '}' && --depth == 0) {
                return at + 1;
            }
        }
        return -1;
    }
}
