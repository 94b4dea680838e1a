package dev.belay.cli.screen;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.commonmark.ext.gfm.tables.TableBlock;
import org.commonmark.node.Block;
import org.commonmark.node.BlockQuote;
import org.commonmark.node.Code;
import org.commonmark.node.Document;
import org.commonmark.node.Emphasis;
import org.commonmark.node.FencedCodeBlock;
import org.commonmark.node.HardLineBreak;
import org.commonmark.node.Heading;
import org.commonmark.node.HtmlBlock;
import org.commonmark.node.HtmlInline;
import org.commonmark.node.Image;
import org.commonmark.node.IndentedCodeBlock;
import org.commonmark.node.Link;
import org.commonmark.node.ListItem;
import org.commonmark.node.Node;
import org.commonmark.node.OrderedList;
import org.commonmark.node.Paragraph;
import org.commonmark.node.SoftLineBreak;
import org.commonmark.node.StrongEmphasis;
import org.commonmark.node.Text;
import org.commonmark.node.ThematicBreak;
import org.jspecify.annotations.Nullable;

/** Lays blocks of Markdown out for a terminal, without recursion: a model decides how deep they are. Used once. */
@SuppressWarnings("ReferenceEquality") // nodes are places in a tree
final class MarkdownLayout {

    /** A character that may yet turn out to begin something: nothing behind it is final. */
    private static final Pattern OPENER = Pattern
            .compile(
                    "\\*+(?=[^\\s*])|(?<!\\w)_+(?=[^\\s_])|`|<(?=\\w)|!?\\[[^\\]]*$|!?\\[[^\\]]*\\](\\([^)]*)?$");
    private static final Pattern TABLE_BEGIN = Pattern.compile("[^\\n]*\\|[^\\n]*(\\n[|:\\- ]*)?");
    private static final int RULE = 24;

    private final Flow flow;
    private final boolean isPlain;
    private final boolean isOver;
    private final Set<Style> styles = EnumSet.noneOf(Style.class);
    private int held = Integer.MAX_VALUE;
    private int lastBlock;
    private boolean isTable;

    /**
     * A layout.
     *
     * @param isPlain there are no styles: marks of headings and code stay
     * @param isOver nothing follows
     */
    MarkdownLayout(int width, boolean isPlain, boolean isOver) {
        flow = new Flow(width);
        this.isPlain = isPlain;
        this.isOver = isOver;
    }

    /** Lays a document out. */
    Styled of(Document document, String source) {
        Node last = document.getLastChild();
        for (Node block = document.getFirstChild(); block != null; block = block.getNext()) {
            flow.endWord();
            lastBlock = flow.length();
            if (block != document.getFirstChild()) {
                flow.fresh();
                flow.newLine();
            }
            Node open = block == last && !isOver ? lastLeaf(block) : null;
            if (open instanceof TableBlock || (open == block && mayBeTable(block, source))) {
                isTable = true;
                hold();
            }
            walk(block, open);
        }
        return flow.text();
    }

    private static boolean mayBeTable(Node block, String source) {
        return block instanceof Paragraph && TABLE_BEGIN
                .matcher(source.substring(block.getSourceSpans().getFirst().getInputIndex()).strip())
                .matches();
    }

    /** The first character that is not final. */
    int held() {
        return held;
    }

    /** Whether that is the beginning of a table. */
    boolean isTable() {
        return isTable;
    }

    /** Where the last block begins, with the lines that part it from the one before. */
    int lastBlock() {
        return lastBlock;
    }

    private void hold() {
        held = Math.min(held, flow.length());
    }

    /** The innermost block at the end. */
    private static Node lastLeaf(Node block) {
        Node leaf = block;
        while (leaf.getLastChild() instanceof Block) {
            leaf = leaf.getLastChild();
        }
        return leaf;
    }

    private void walk(Node top, @Nullable Node open) {
        Node node = top;
        while (true) {
            if (enter(node, open) && node.getFirstChild() != null) {
                node = node.getFirstChild();
                continue;
            }
            while (true) {
                leave(node);
                if (node == top) {
                    return;
                }
                if (node.getNext() != null) {
                    node = node.getNext();
                    break;
                }
                node = node.getParent();
            }
        }
    }

    /** Whether its children are to be laid out. */
    private boolean enter(Node node, @Nullable Node open) {
        switch (node) {
            case Heading heading -> {
                flow.fresh();
                styles.add(heading.getLevel() <= 2 ? Style.HEADING : Style.STRONG);
                if (isPlain) {
                    flow.words("#".repeat(heading.getLevel()) + " ", styles);
                }
            }
            case BlockQuote quote -> {
                flow.fresh();
                flow.indent("| ", "| ", Style.DIM);
            }
            case ListItem item -> {
                flow.fresh();
                String mark = mark(item);
                flow.indent(mark, " ".repeat(mark.length()), Style.MARK);
            }
            case FencedCodeBlock code -> code(code.getInfo(), code.getLiteral());
            case IndentedCodeBlock code -> code("", code.getLiteral());
            case HtmlBlock html -> lines(html.getLiteral());
            case ThematicBreak rule -> {
                flow.fresh();
                flow.words("-".repeat(Math.min(RULE, flow.room())), Style.DIM);
            }
            case TableBlock table -> {
                flow.fresh();
                new MarkdownTable(rows(table)).into(flow);
                return false;
            }
            case Paragraph paragraph -> flow.fresh();
            case Text text -> text(text.getLiteral(), isIn(node, open));
            case Code code ->
                flow.words(isPlain ? "`" + code.getLiteral() + "`" : code.getLiteral(), with(Style.CODE));
            case HtmlInline html -> flow.words(html.getLiteral(), styles);
            case Emphasis emphasis -> styles.add(Style.EMPHASIS);
            case StrongEmphasis strong -> styles.add(Style.STRONG);
            case Link link -> styles.add(Style.LINK);
            case SoftLineBreak end -> flow.newLine();
            case HardLineBreak end -> flow.newLine();
            default -> {
            }
        }
        return true;
    }

    private void leave(Node node) {
        switch (node) {
            case Heading heading -> {
                styles.remove(Style.HEADING);
                styles.remove(Style.STRONG);
            }
            case BlockQuote quote -> ended();
            case ListItem item -> ended();
            case Emphasis emphasis -> left(Style.EMPHASIS, emphasis, Emphasis.class);
            case StrongEmphasis strong -> left(Style.STRONG, strong, StrongEmphasis.class);
            case Link link -> {
                styles.remove(Style.LINK);
                target(link.getDestination(), text(link));
            }
            case Image image -> target(image.getDestination(), "");
            default -> {
            }
        }
    }

    private void ended() {
        flow.fresh();
        flow.outdent();
    }

    /** A style ends with the outermost node that has it. */
    private void left(Style style, Node node, Class<? extends Node> kind) {
        for (Node above = node.getParent(); above != null; above = above.getParent()) {
            if (kind.isInstance(above)) {
                return;
            }
        }
        styles.remove(style);
    }

    /** Where a link leads is always shown, unless it is what the text says. */
    private void target(String destination, String said) {
        if (!destination.equals(said) && !destination.equals("mailto:" + said)) {
            flow.words(" (" + destination + ")", with(Style.DIM));
        }
    }

    private Set<Style> with(Style more) {
        Set<Style> all = EnumSet.copyOf(styles.isEmpty() ? EnumSet.of(more) : styles);
        all.add(more);
        return all;
    }

    private void text(String literal, boolean isOpen) {
        Matcher opener = OPENER.matcher(literal);
        if (isOpen && opener.find()) {
            flow.words(literal.substring(0, opener.start()), styles);
            hold();
            flow.words(literal.substring(opener.start()), styles);
        } else {
            flow.words(literal, styles);
        }
    }

    private static boolean isIn(Node node, @Nullable Node open) {
        Node at = node;
        while (at != null && !(at instanceof Block)) {
            at = at.getParent();
        }
        return open != null && at == open;
    }

    private String mark(ListItem item) {
        if (!(item.getParent() instanceof OrderedList list)) {
            return "- ";
        }
        int number = list.getMarkerStartNumber() == null ? 1 : list.getMarkerStartNumber();
        for (Node before = item.getPrevious(); before != null; before = before.getPrevious()) {
            number++;
        }
        return number + ". ";
    }

    private void code(@Nullable String language, String literal) {
        flow.fresh();
        if (language != null && !language.isBlank()) {
            flow.words(language, Style.DIM);
            flow.fresh();
        }
        flow.indent("  ", "  ", Style.DIM);
        lines(literal, Style.CODE);
        flow.outdent();
    }

    private void lines(String literal, Style... all) {
        String[] lines = literal.stripTrailing().split("\n", -1);
        for (int i = 0; i < lines.length; i++) {
            if (i > 0) {
                flow.newLine();
            }
            if (!lines[i].isEmpty()) {
                flow.exactly(lines[i], all);
            }
        }
    }

    private static List<List<String>> rows(TableBlock table) {
        List<List<String>> rows = new ArrayList<>();
        for (Node part = table.getFirstChild(); part != null; part = part.getNext()) {
            for (Node row = part.getFirstChild(); row != null; row = row.getNext()) {
                List<String> cells = new ArrayList<>();
                for (Node cell = row.getFirstChild(); cell != null; cell = cell.getNext()) {
                    cells.add(text(cell));
                }
                rows.add(cells);
            }
        }
        return rows;
    }

    /** The text below a node. */
    private static String text(Node top) {
        var text = new StringBuilder();
        Node node = top.getFirstChild();
        while (node != null && node != top) {
            switch (node) {
                case Text part -> text.append(part.getLiteral());
                case Code part -> text.append(part.getLiteral());
                case HtmlInline part -> text.append(part.getLiteral());
                default -> {
                }
            }
            if (node.getFirstChild() != null) {
                node = node.getFirstChild();
            } else {
                while (node != top && node.getNext() == null) {
                    node = node.getParent();
                }
                node = node == top ? top : node.getNext();
            }
        }
        return text.toString();
    }
}
