package dev.belay.cli.settings;

import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A text of the settings with variables of this process in it: {@code ${NAME}}, or {@code ${NAME:-else}} for one that may be missing.
 * {@code env:NAME} is {@code ${NAME}}.
 *
 * @param text as it is written
 */
record VariableText(String text) {

    private static final String REFERENCE = "env:";
    private static final Pattern VARIABLE = Pattern.compile("\\$\\{([^${}:]+)(?::-([^{}]*))?\\}");

    /** A text with a variable in it; empty for another one. */
    static Optional<VariableText> of(String written) {
        String text = written.startsWith(REFERENCE)
                ? "${" + written.substring(REFERENCE.length()) + "}"
                : written;
        return VARIABLE.matcher(text).find() ? Optional.of(new VariableText(text)) : Optional.empty();
    }

    /** The variables in it. */
    List<String> names() {
        return VARIABLE.matcher(text).results().map(variable -> variable.group(1)).distinct().toList();
    }

    /** Whether it is one variable and nothing else. */
    boolean isWhole() {
        return text.equals("${" + names().getFirst() + "}");
    }

    /**
     * The text with the values of its variables.
     *
     * @param value of a variable; empty or the empty text for one that is not set, as a shell takes {@code :-}
     * @param missing for a variable that has neither a value nor another text
     */
    String filled(Function<String, Optional<String>> value, Function<String, RuntimeException> missing) {
        return VARIABLE.matcher(text)
                .replaceAll(variable -> Matcher.quoteReplacement(value.apply(variable.group(1))
                        .filter(set -> !set.isEmpty())
                        .or(() -> Optional.ofNullable(variable.group(2)))
                        .orElseThrow(() -> missing.apply(variable.group(1)))));
    }
}
