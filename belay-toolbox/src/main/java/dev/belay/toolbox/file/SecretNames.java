package dev.belay.toolbox.file;

import dev.belay.schema.Shown;
import java.text.Normalizer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Decides which names are refused. Names are compared as the most lenient file system would: without letter case, without
 * hidden characters, without trailing dots and blanks, and without a stream after a colon. A backup copy is refused like its
 * original. Thread-safe.
 */
final class SecretNames {

    private static final Pattern WILD = Pattern.compile("[*?\\[\\\\/]");
    private static final Pattern BACKUP = Pattern
            .compile("(~|\\.(bak|backup|old|orig|save|copy|tmp|sw[a-z]|[0-9]{1,3}))+$");

    private final Names secrets;
    private final Names exceptions;

    SecretNames(FileRules rules) {
        secrets = Names.of(rules.secrets());
        exceptions = Names.of(rules.exceptions());
    }

    /**
     * Whether a name is refused.
     *
     * @param above the names above it, each followed by a slash, from the root of the file system
     */
    boolean isSecret(String above, String name) {
        String folded = folded(name);
        if (isRefused(above, folded)) {
            return true;
        }
        String original = BACKUP.matcher(folded).replaceFirst("");
        return original.length() < folded.length() && isRefused(above, original);
    }

    private boolean isRefused(String above, String folded) {
        return secrets.has(above, folded) && !exceptions.has(above, folded);
    }

    /**
     * A list of patterns.
     *
     * @param plain names without wildcards, which are most
     * @param patterns the others, each as the names of a path, the last first
     */
    private record Names(Set<String> plain, List<List<NamePattern>> patterns) {

        static Names of(List<String> texts) {
            Set<String> plain = new HashSet<>();
            List<List<NamePattern>> patterns = new ArrayList<>();
            for (String text : texts) {
                if (WILD.matcher(text).find()) {
                    List<NamePattern> names = new ArrayList<>();
                    for (String name : text.split("/", -1)) {
                        names.addFirst(NamePattern.of(folded(name)));
                    }
                    patterns.add(names);
                } else {
                    plain.add(folded(text));
                }
            }
            return new Names(plain, patterns);
        }

        boolean has(String above, String folded) {
            return plain.contains(folded) || patterns.stream()
                    .anyMatch(names -> names.getFirst().matches(folded)
                            && (names.size() == 1 || isBelow(above, names.subList(1, names.size()))));
        }

        private static boolean isBelow(String above, List<NamePattern> parents) {
            List<String> names = new ArrayList<>(List.of(above.split("/")));
            Collections.reverse(names);
            for (int at = 0; at < parents.size(); at++) {
                if (at >= names.size() || !parents.get(at).matches(folded(names.get(at)))) {
                    return false;
                }
            }
            return true;
        }
    }

    /** A name as the most lenient file system would compare it. */
    static String folded(String name) {
        String text = plain(name) ? name : unusual(name);
        int end = text.length();
        while (end > 1 && (text.charAt(end - 1) == '.' || text.charAt(end - 1) == ' ')) {
            end--;
        }
        // to upper and then to lower case: some letters are equal in only one of the two
        return text.substring(0, end).toUpperCase(Locale.ROOT).toLowerCase(Locale.ROOT);
    }

    private static boolean plain(String name) {
        for (int at = 0; at < name.length(); at++) {
            char c = name.charAt(at);
            if (c <= ' ' || c >= 0x7f || c == ':') {
                return false;
            }
        }
        return true;
    }

    private static String unusual(String name) {
        StringBuilder out = new StringBuilder();
        Normalizer.normalize(name, Normalizer.Form.NFKC)
                .codePoints()
                .filter(c -> !Shown.isHidden(c))
                .forEach(out::appendCodePoint);
        int stream = out.indexOf(":");
        return stream > 0 ? out.substring(0, stream) : out.toString();
    }
}
