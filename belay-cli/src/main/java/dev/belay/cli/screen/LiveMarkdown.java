package dev.belay.cli.screen;

import java.util.List;
import java.util.function.IntSupplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.commonmark.ext.gfm.tables.TablesExtension;
import org.commonmark.node.Document;
import org.commonmark.node.Node;
import org.commonmark.parser.IncludeSourceSpans;
import org.commonmark.parser.Parser;

/**
 * Markdown that comes in pieces. Each piece gives what can be shown for good: whole words, no mark of a style whose end has not come, no
 * table before its last row. Nothing that was shown is painted again. Confined to one thread.
 */
public final class LiveMarkdown {

    /** A block of more characters is shown as far as it has come, and goes on as another one. */
    private static final int LONGEST_BLOCK = 16_384;
    /** A mark that has no end after so many characters is none. */
    private static final int LONGEST_HELD = 200;
    private static final int DEEPEST = 32;
    /** A line that may yet become a list, a heading, a rule, a fence or a row. */
    private static final Pattern FENCE = Pattern.compile(" {0,3}(`{3,}|~{3,})");
    private static final Pattern MARKS_ONLY = Pattern.compile("[\\s>#*+\\-=_~`|:.)\\d]*");

    private final Parser parser = Parser.builder()
            .extensions(List.of(TablesExtension.create()))
            .includeSourceSpans(IncludeSourceSpans.BLOCKS)
            .maxOpenBlockParsers(DEEPEST)
            .build();
    private final Theme theme;
    private final IntSupplier width;
    private final StringBuilder source = new StringBuilder();
    /** What is shown of the blocks in {@link #source}. */
    private String shown = "";
    private int columns;
    /** So much of {@link #source} is laid out. */
    private int laidOut;
    private boolean isBehind;

    /** Markdown on a terminal. */
    public LiveMarkdown(Theme theme, IntSupplier width) {
        this.theme = theme;
        this.width = width;
        columns = width.getAsInt();
    }

    /** Adds a piece; what is to be written now. */
    public String add(String piece) {
        source.append(piece);
        return flush();
    }

    /** Adds a piece that need not be shown at once. */
    public void keep(String piece) {
        source.append(piece);
    }

    /** What can be written now of all that was added. */
    public String flush() {
        var out = new StringBuilder();
        int end = safe();
        if (end > 0 && end != laidOut) {
            out.append(laidOut(source.substring(0, end), false));
            laidOut = safe();
        }
        if (source.length() > LONGEST_BLOCK) {
            Matcher fence = FENCE.matcher(source);
            String mark = fence.lookingAt() && source.lastIndexOf("\n" + fence.group(1)) < 0
                    ? fence.group(1) + "\n"
                    : "";
            out.append(end());
            source.append(mark); // a long program stays code
        }
        return out.toString();
    }

    /** Nothing more comes: the rest is to be written now, with the end of its line. */
    public String end() {
        String rest = source.isEmpty() ? "" : laidOut(source.toString(), true);
        boolean isOpen = !shown.isEmpty() && !shown.endsWith("\n");
        source.setLength(0);
        laidOut = 0;
        shown = "";
        isBehind = false;
        return rest + (isOpen ? "\n" : "");
    }

    /** Whether the cursor stands behind text. */
    public boolean isInLine() {
        return !shown.isEmpty() && !shown.endsWith("\n");
    }

    /** How much of the source can be laid out: whole words, and no line that has only marks so far. */
    private int safe() {
        int end = source.length();
        while (end > 0 && !isBoundary(source, end)) {
            end--;
        }
        int line = source.lastIndexOf("\n", end - 1) + 1;
        return line < end && MARKS_ONLY.matcher(source).region(line, end).matches() ? line : end;
    }

    private static boolean isBoundary(CharSequence text, int end) {
        char last = text.charAt(end - 1);
        return Character.isWhitespace(last) || (last > 0xff && !Character.isSurrogate(last)
                && Styled.columns(last) == 2);
    }

    private String laidOut(String text, boolean isOver) {
        Document document = (Document) parser.parse(text);
        if (document.getFirstChild() == null) {
            return "";
        }
        var layout = new MarkdownLayout(columns, theme == Theme.NONE, isOver);
        Styled blocks = layout.of(document, text);
        var all = new Styled();
        if (isBehind) {
            all.line().line();
        }
        int behind = all.length();
        all.add(blocks);
        int until = (int) Math.min(all.length(), (long) layout.held() + behind);
        if (all.length() - until > LONGEST_HELD && !layout.isTable()) {
            until = all.length();
        }
        String out = shown(all, until, isOver);
        forget(document, layout.lastBlock() + behind, isOver);
        return out;
    }

    /** Shows a text up to a character, as far as it is not shown yet. */
    private String shown(Styled all, int until, boolean isOver) {
        String plain = all.text();
        if (plain.startsWith(shown)) {
            int from = shown.length();
            shown = plain.substring(0, Math.max(from, until));
            return all.on(theme, from, shown.length());
        }
        if (!isOver && shown.startsWith(plain)) {
            return "";
        }
        // what was shown has turned out to mean something else: it is said again from that line on
        int same = 0;
        while (same < plain.length() && same < shown.length() && shown.charAt(same) == plain.charAt(same)) {
            same++;
        }
        String end = isInLine() ? "\n" : "";
        shown = plain;
        return end + all.on(theme, plain.lastIndexOf('\n', same - 1) + 1, plain.length());
    }

    /** Blocks that are over are shown for good, and not laid out again. */
    private void forget(Document document, int lastBlock, boolean isOver) {
        Node last = document.getLastChild();
        if (isOver || last.getPrevious() == null || shown.length() < lastBlock) {
            return;
        }
        source.delete(0, source.lastIndexOf("\n", last.getSourceSpans().getFirst().getInputIndex() - 1) + 1);
        shown = shown.substring(lastBlock);
        isBehind = true;
        if (shown.isBlank()) {
            columns = width.getAsInt();
        }
    }
}
