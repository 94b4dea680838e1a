package dev.belay.toolbox.command;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Splits a command into words where no shell does it. Stateless. */
final class CommandWords {

    private static final String SPECIAL = "|&;<>()$`*?[]{}~#!\n";

    private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9_@%+=:,./-]+");

    private CommandWords() {}

    /** The words as one line that a shell would read as exactly these words. */
    static String line(List<String> words) {
        return words.stream()
                .map(word -> PLAIN.matcher(word).matches() ? word : "'" + word.replace("'", "'\\''") + "'")
                .collect(Collectors.joining(" "));
    }

    /** The words; quotes and backslashes work as in a shell, and operators of a shell are refused. */
    static List<String> of(String command) {
        List<String> words = new ArrayList<>();
        StringBuilder word = new StringBuilder();
        boolean open = false;
        char quote = 0;
        for (int at = 0; at < command.length(); at++) {
            char c = command.charAt(at);
            boolean last = at + 1 == command.length();
            if (quote == '\'') {
                quote = c == '\'' ? 0 : quote;
                if (c != '\'') {
                    word.append(c);
                }
            } else if (c == '\\') {
                if (last) {
                    throw CommandRefusal.badCommand("it ends with a backslash");
                }
                char next = command.charAt(++at);
                word.append(quote == '"' && "\"\\$`".indexOf(next) < 0 ? "\\" + next : String.valueOf(next));
                open = true;
            } else if (c == '"') {
                quote = quote == '"' ? 0 : '"';
                open = true;
            } else if (quote == '"') {
                if (c == '$' || c == '`') {
                    throw CommandRefusal.noShell(c);
                }
                word.append(c);
            } else if (c == '\'') {
                quote = c;
                open = true;
            } else if (c == ' ' || c == '\t') {
                if (open || !word.isEmpty()) {
                    words.add(word.toString());
                }
                word.setLength(0);
                open = false;
            } else if (SPECIAL.indexOf(c) >= 0) {
                throw CommandRefusal.noShell(c);
            } else {
                word.append(c);
            }
        }
        if (quote != 0) {
            throw CommandRefusal.badCommand("a quote is not closed");
        }
        if (open || !word.isEmpty()) {
            words.add(word.toString());
        }
        if (words.isEmpty()) {
            throw CommandRefusal.badCommand("it is empty");
        }
        return words;
    }
}
