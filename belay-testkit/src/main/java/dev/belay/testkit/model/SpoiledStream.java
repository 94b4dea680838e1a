package dev.belay.testkit.model;

import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/** Spoils a stream at random: events are lost, doubled and moved, values, names and characters changed. Confined to one test. */
final class SpoiledStream {

    private static final Pattern VALUE = Pattern
            .compile("(?<=:)(?:\"(?:[^\"\\\\]++|\\\\.)*+\"|-?[0-9.eE+-]+|null|true|false|\\[]|\\{})");
    private static final Pattern NAME = Pattern.compile("\"[a-z_]+\"(?=:)");
    private static final List<String> VALUES = List.of("null", "true", "0", "-1", "7", "1.5", "1e99",
            "2147483647",
            "9223372036854775807", "\"\"", "\"null\"", "\"error\"", "\"\\ud83d\"", "\"\\ude00x\"",
            "\"\\ufdd0d83d\"",
            "\"zebra\"", "[]", "{}", "[{}]", "[[1]]", "{\"error\":{}}", "[".repeat(600) + "]".repeat(600));
    private static final List<String> NAMES = List.of("\"error\"", "\"type\"", "\"index\"", "\"x\"", "\"\"",
            "\"content\"", "\"usage\"");
    private static final String SCRATCHES = "{}[]\",:\\ud8 0-\n\r\u0000é";

    private final List<String> noise;
    private final RandomGenerator random;

    /**
     * Starts with a seeded source of randomness.
     *
     * @param noise events that may come in between
     */
    SpoiledStream(List<String> noise, RandomGenerator random) {
        this.noise = noise;
        this.random = random;
    }

    /** The stream with up to three faults. */
    List<String> spoil(List<String> events) {
        List<String> spoiled = new ArrayList<>(events);
        for (int left = 1 + random.nextInt(3); left > 0; left--) {
            if (!spoiled.isEmpty()) {
                spoil(spoiled, random.nextInt(spoiled.size()));
            }
        }
        return spoiled;
    }

    /** A text with one changed value, name or character. */
    String spoil(String text) {
        return switch (random.nextInt(5)) {
            case 0 -> replaced(text, NAME, pick(NAMES));
            case 1 -> scratched(text);
            default -> replaced(text, VALUE, pick(VALUES));
        };
    }

    private void spoil(List<String> events, int at) {
        switch (random.nextInt(10)) {
            case 0 -> events.remove(at);
            case 1 -> events.add(at, events.get(at));
            case 2 -> events.add(random.nextInt(events.size()), events.remove(at));
            case 3 -> events.add(at, pick(noise));
            default -> events.set(at, spoil(events.get(at)));
        }
    }

    private String replaced(String text, Pattern part, String with) {
        List<MatchResult> found = part.matcher(text).results().toList();
        if (found.isEmpty()) {
            return text;
        }
        MatchResult one = pick(found);
        return text.substring(0, one.start()) + with + text.substring(one.end());
    }

    private String scratched(String text) {
        if (text.isEmpty()) {
            return text;
        }
        StringBuilder out = new StringBuilder(text);
        int at = random.nextInt(out.length());
        char scratch = SCRATCHES.charAt(random.nextInt(SCRATCHES.length()));
        switch (random.nextInt(3)) {
            case 0 -> out.deleteCharAt(at);
            case 1 -> out.insert(at, scratch);
            default -> out.setCharAt(at, scratch);
        }
        return out.toString();
    }

    private <T> T pick(List<T> from) {
        return from.get(random.nextInt(from.size()));
    }
}
