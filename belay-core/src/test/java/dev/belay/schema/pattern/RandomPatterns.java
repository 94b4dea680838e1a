package dev.belay.schema.pattern;

import java.util.List;
import java.util.Random;

/** Random regular expressions and texts over few letters, so that they often have to do with each other. */
public final class RandomPatterns {

    private static final List<String> CHARACTERS = List.of("a", "b", "c", "1", "-", "_", " ", "é", "😀", ".",
            "/",
            "\\.", "\\/", "\\n", "\\t", "\\x61", "\\u0062", "\\u{63}", "\\u{1F600}", "\\ud83d\\ude00", "\\cJ",
            "\\0");
    private static final List<String> CLASSES = List.of("\\d", "\\D", "\\w", "\\W", "\\s", "\\S", "\\p{L}",
            "\\P{L}", "\\p{Lu}", "\\p{Nd}", "\\p{Script=Greek}", "\\p{gc=P}", "\\p{Alphabetic}",
            "\\p{White_Space}", "\\p{Ll}", "\\p{Lt}", "\\p{Sc}", "\\p{Zs}", "\\p{Emoji}");
    private static final List<String> QUANTIFIERS = List.of("*", "+", "?", "{2}", "{0}", "{1,}", "{0,2}",
            "{2,3}", "{2,}", "{3,}",
            "*?", "+?", "??", "{1,2}?");
    /** Some are wrong, some are right only without the flag u, some are right and rare. */
    private static final List<String> ODDITIES = List.of("{", "}", "]", "{2,1}", "a{,2}", "\\-", "\\_", "\\a",
            "\\1",
            "\\k<n>", "(?<n>a)", "(?<1>a)", "(?>a)", "(?i)", "[]", "[^]", "[b-a]", "[\\w-a]", "[a-\\d]",
            "[a-]",
            "[-a]", "[^-]", "[\\b]", "\\u{110000}", "\\xg", "\\p{Foo}", "\\p{L", "**", "(?=a)*", "^*", "\\",
            "(", ")",
            "[", "(?:)", "(|)", "()*", "(?:a*)*", "(?:a|a?)+", "[\\]]", "[[]", "[a&&b]", "\\ud83d", "[\\B]",
            "\\c",
            "\\Z", "\\é", "\\01");
    private static final String LETTERS = "aabbcc11-_ \n\té😀.AΩ\u00a0\u2028\r\ufeff/\b$€ǅ\u3000";

    private final Random random;

    public RandomPatterns(long seed) {
        random = new Random(seed);
    }

    public String pattern() {
        return choice(3);
    }

    public String text() {
        StringBuilder text = new StringBuilder();
        int[] letters = LETTERS.codePoints().toArray();
        for (int left = random.nextInt(8); left > 0; left--) {
            text.appendCodePoint(letters[random.nextInt(random.nextInt(3) == 0 ? letters.length : 8)]);
        }
        return text.toString();
    }

    private String choice(int depth) {
        StringBuilder out = new StringBuilder(sequence(depth));
        while (random.nextInt(4) == 0) {
            out.append('|').append(sequence(depth));
        }
        return out.toString();
    }

    private String sequence(int depth) {
        StringBuilder out = new StringBuilder();
        for (int left = random.nextInt(4); left > 0; left--) {
            out.append(term(depth));
        }
        return out.toString();
    }

    private String term(int depth) {
        int kind = random.nextInt(40);
        if (kind == 0) {
            return pick(ODDITIES);
        }
        if (kind < 6) {
            return pick(List.of("^", "$", "\\b", "\\B"));
        }
        if (kind < 10 && depth > 0) {
            return "(" + pick(List.of("?=", "?!", "?<=", "?<!")) + choice(depth - 1) + ")";
        }
        String atom = kind < 18 && depth > 0
                ? "(" + pick(List.of("", "?:", "?:")) + choice(depth - 1) + ")"
                : kind < 22 ? pick(CLASSES) : kind < 26 ? set() : pick(CHARACTERS);
        return random.nextInt(3) == 0 ? atom + pick(QUANTIFIERS) : atom;
    }

    private String set() {
        StringBuilder out = new StringBuilder(random.nextInt(3) == 0 ? "[^" : "[");
        for (int left = random.nextInt(3); left >= 0; left--) {
            out.append(switch (random.nextInt(5)) {
                case 0 -> pick(CLASSES);
                case 1 -> "a-c";
                case 2 -> pick(List.of("\\-", "\\]", "\\b", "[", "(", "$", "^", "."));
                default -> pick(CHARACTERS);
            });
        }
        return out.append(']').toString();
    }

    private String pick(List<String> choices) {
        return choices.get(random.nextInt(choices.size()));
    }
}
