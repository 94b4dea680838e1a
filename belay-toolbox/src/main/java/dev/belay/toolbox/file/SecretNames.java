package dev.belay.toolbox.file;

import dev.belay.schema.Shown;
import java.text.Normalizer;
import java.util.List;
import java.util.Locale;

/**
 * Decides which names are refused. Names are compared as the most lenient file system would: without letter case, without
 * hidden characters, without trailing dots and blanks, and without a stream after a colon. Thread-safe.
 */
final class SecretNames {

    private final List<NamePattern> secrets;
    private final List<NamePattern> exceptions;

    SecretNames(FileRules rules) {
        secrets = patterns(rules.secrets());
        exceptions = patterns(rules.exceptions());
    }

    private static List<NamePattern> patterns(List<String> names) {
        return names.stream().map(name -> NamePattern.of(folded(name))).toList();
    }

    /** Whether one name of a path is refused. */
    boolean isSecret(String name) {
        String folded = folded(name);
        return secrets.stream().anyMatch(pattern -> pattern.matches(folded))
                && exceptions.stream().noneMatch(pattern -> pattern.matches(folded));
    }

    private static String folded(String name) {
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
