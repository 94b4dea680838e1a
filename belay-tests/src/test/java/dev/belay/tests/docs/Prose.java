package dev.belay.tests.docs;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntUnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The sentences of a page and the faults that recur in them. Code, headings and comments are no sentences; the cells of tables are.
 *
 * @param sentences in their order
 */
record Prose(List<Sentence> sentences) {

    private static final Pattern ITEM = Pattern.compile("\\s*([-*]|\\d+\\.)\\s.*");
    private static final Pattern MARK = Pattern.compile("^\\s*([-*]|\\d+\\.)\\s");
    private static final Pattern END = Pattern.compile("(?<=[.!?])\\s+(?=[A-Z`*\"(\\[])");
    private static final Pattern RULE = Pattern.compile(":?-+:?");

    /**
     * A sentence, or a cell of a table.
     *
     * @param line where it begins, from 1
     * @param text with the words of links in brackets, without their targets
     * @param isCell whether it is a cell
     */
    record Sentence(int line, String text, boolean isCell) {

        /** The text with one word in place of each piece of code. */
        String bare() {
            return text.replaceAll("`[^`]*`", "CODE");
        }
    }

    /** A fault that recurs. */
    enum Fault {

        F1("a paragraph of imports; imports stand in the block", false,
                "(?=.*`dev\\.belay[\\w.]*`).*(\\b(is|are)( nested)? in\\b|Imports:|[Tt]ypes (of this page|of the|are))"),
        F2("more than 35 words; a sentence has one idea", false, "(\\S+\\s+){35}\\S"),
        F3("a clause or pronoun as subject; begin with the thing", true,
                "^(?!(What|Who) (you see|it means|to do))(What|Whether|Who|Whoever|Somebody|Nobody|Nothing|None|One|Those|That) "
                        + "(?!.*\\?$)(a |an |the |you |it |its |is |was |of |that |in |with |from |who "
                        + "|stops|stays|differs|cannot|does|follows|[a-z]+s? )"),
        F4("a pro-form where the noun belongs", true,
                "\\b(that|those) (of|which)\\b|\\bdo(es)? (so|that)\\b|, and said to be\\b|\\bone (that|of which|is)\\b"
                        + "|\\band so (does|is|are|do)\\b|\\bsays? (otherwise|so)\\b"),
        F5("a house verb in the passive", true,
                "\\b(is|are|was|were|be|been|being) (not )?(told|heard|asked|looked (at|for)|left|taken (back|over|in)"
                        + "|given (back|away|up)|let (go|pass)|sat out|gone on)\\b"),
        F6("two colons or semicolons in one sentence", false, "[:;]\\s.*[:;]\\s"),
        F7("a condition behind the sentence; put it first", true,
                ",? (also|even) (if|when|past|after|beside|where|before)\\b|, (whatever|however (long|often|it|the|large|many|they)"
                        + "|whether or not|wherever|as far as)\\b|, also (a|an|by|that|one|for|in)\\b"),
        F8("three relative clauses in one sentence", true, "(\\b(that|which|whose|whom|who)\\b.*){3}"),
        F9("a page or link speaks; the title and the link text do that", true,
                "\\]\\s+(says?|tells?|shows?|has|have|describes?|names?|lists?) |\\b[Tt]his page\\b|\\b[Tt]hese pages\\b"
                        + "|\\b(Use|Read|With) (this|these) page"),
        F10("time or plans in a timeless page; plans stand in issues", true,
                "(?i)\\b(not yet|no longer|to come|come later|until then|planned|is coming|anew|of today|any more|not (here|there) yet)\\b"
                        + "|\\bhas not been run\\b");

        private final String words;
        private final boolean isOfCells;
        private final Pattern pattern;

        Fault(String words, boolean isOfCells, String pattern) {
            this.words = words;
            this.isOfCells = isOfCells;
            this.pattern = Pattern.compile(pattern);
        }

        /** The fault and what to write instead. */
        String words() {
            return words;
        }

        /** Whether a sentence has it; code counts for imports only. */
        boolean isIn(Sentence sentence) {
            return (isOfCells || !sentence.isCell())
                    && pattern.matcher(this == F1 ? sentence.text() : sentence.bare()).find();
        }
    }

    /** The sentences that have a fault. */
    List<Sentence> with(Fault fault) {
        return sentences.stream().filter(fault::isIn).toList();
    }

    static Prose parse(String page) {
        List<Sentence> sentences = new ArrayList<>();
        Paragraph paragraph = new Paragraph();
        boolean code = false;
        int number = 0;
        for (String line : page.lines().toList()) {
            number++;
            boolean fence = line.strip().startsWith("```");
            boolean row = !code && line.startsWith("|");
            boolean stop = fence || line.isBlank() || line.startsWith("<!--") || line.startsWith("#") || row;
            if (stop || ITEM.matcher(line).matches()) {
                paragraph.into(sentences);
            }
            if (row) {
                int at = number;
                Arrays.stream(line.split("(?<!\\\\)\\|"))
                        .map(String::strip)
                        .filter(cell -> !cell.isEmpty() && !RULE.matcher(cell).matches())
                        .forEach(cell -> Paragraph.split(cell, start -> at, true, sentences));
            } else if (!stop && !code) {
                paragraph.add(number, MARK.matcher(line).replaceFirst("").strip());
            }
            code ^= fence;
        }
        paragraph.into(sentences);
        return new Prose(sentences);
    }

    /** Lines that belong together. Confined to one reading. */
    private static final class Paragraph {

        private final StringBuilder text = new StringBuilder();
        private final List<Integer> lines = new ArrayList<>();

        void add(int line, String words) {
            String shown = words.replaceAll("\\[([^\\]]*)\\]\\([^)]*\\)", "[$1]").replace("**", "");
            text.append(shown).append(' ');
            for (int i = 0; i <= shown.length(); i++) {
                lines.add(line);
            }
        }

        void into(List<Sentence> sentences) {
            split(text.toString(), lines::get, false, sentences);
            text.setLength(0);
            lines.clear();
        }

        static void split(String text, IntUnaryOperator line, boolean isCell,
                List<Sentence> sentences) {
            Matcher end = END.matcher(text);
            int start = 0;
            while (start < text.length()) {
                boolean found = end.find();
                int stop = found ? end.start() : text.length();
                String sentence = text.substring(start, stop)
                        .strip()
                        .replaceAll("\\[([^\\]]*)\\]\\([^)]*\\)", "[$1]");
                if (!sentence.isEmpty()) {
                    sentences.add(new Sentence(line.applyAsInt(start), sentence, isCell));
                }
                start = found ? end.end() : text.length();
            }
        }
    }
}
