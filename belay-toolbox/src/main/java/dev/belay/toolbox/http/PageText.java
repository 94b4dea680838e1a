package dev.belay.toolbox.http;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jsoup.Jsoup;
import org.jsoup.nodes.Document;
import org.jsoup.nodes.Element;
import org.jsoup.nodes.Node;
import org.jsoup.nodes.TextNode;
import org.jsoup.select.Elements;
import org.jsoup.select.NodeVisitor;
import org.jspecify.annotations.Nullable;

/**
 * The main content of an HTML page as text: title, headings, paragraphs, lists, tables and code, with numbered links at the end. What a
 * browser does not show is left out. Confined to one page.
 */
final class PageText implements NodeVisitor {

    private static final String NEVER_READ = "script,style,noscript,template,svg,canvas,iframe,object,"
            + "input,button,select,textarea,[hidden],[aria-hidden=true],[style~=(?i)display\\s*:\\s*none]";
    private static final String BESIDE = "nav,[role=navigation],[role=search]";
    private static final String AROUND = "body > header:not(:has(h1)),footer,aside,[role=banner],[role=contentinfo]";

    private final StringBuilder out = new StringBuilder();
    private final Map<String, Integer> links = new LinkedHashMap<>();
    /** The number of the next item of each open list; 0 if it has none. */
    private final Deque<Integer> lists = new ArrayDeque<>();
    private int cells;
    /** Where the words of an item begin. */
    private int itemAt = -1;
    private @Nullable Element code;

    private PageText() {}

    /**
     * Reads a page.
     *
     * @param charset that the server named; null if the page says it
     * @param url of the page, from which its links lead
     */
    static String of(byte[] html, @Nullable String charset, String url) {
        Document page;
        try {
            page = Jsoup.parse(new ByteArrayInputStream(html), charset, url);
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
        String title = page.title();
        var text = new PageText();
        main(page).traverse(text);
        String body = text.out.toString().strip();
        var whole = new StringBuilder(title.isEmpty() ? "" : "Title: " + title + "\n\n").append(body);
        if (!text.links.isEmpty()) {
            whole.append("\n\nLinks:");
            text.links.forEach((to, number) -> whole.append("\n[").append(number).append("] ").append(to));
        }
        return whole.toString();
    }

    /** What the page is about, if it says so; else its body without what stands around. */
    private static Element main(Document page) {
        page.select(NEVER_READ).remove();
        for (String place : new String[]{"main,[role=main]", "article"}) {
            Elements found = page.select(place);
            if (found.size() == 1 && found.getFirst().hasText()) {
                found.getFirst().select(BESIDE).remove();
                return found.getFirst();
            }
        }
        Element body = page.body();
        body.select(BESIDE + "," + AROUND).remove();
        return body;
    }

    @Override
    public void head(Node node, int depth) {
        if (node instanceof TextNode words) {
            text(words);
        } else if (node instanceof Element element && code == null) {
            begin(element);
        }
    }

    private void text(TextNode words) {
        if (code != null) {
            out.append(words.getWholeText());
            return;
        }
        String said = words.text();
        if (said.startsWith(" ")) {
            space();
        }
        out.append(said.stripLeading());
    }

    private void begin(Element element) {
        String name = element.normalName();
        switch (name) {
            case "h1", "h2", "h3", "h4", "h5", "h6" -> {
                paragraph();
                out.append("#".repeat(name.charAt(1) - '0')).append(' ');
            }
            case "pre" -> {
                paragraph();
                code = element;
                out.append("```\n");
            }
            case "ul", "ol" -> {
                line();
                if (lists.isEmpty()) {
                    paragraph();
                }
                lists.push(name.equals("ol") ? 1 : 0);
            }
            case "li" -> item();
            case "tr" -> line();
            case "td", "th" -> {
                cells++;
                out.append("| ");
            }
            case "code", "kbd", "samp" -> out.append('`');
            case "br" -> line();
            case "hr" -> {
                paragraph();
                out.append("---");
                paragraph();
            }
            case "img" -> {
                if (!element.attr("alt").isBlank()) {
                    out.append("[image: ").append(element.attr("alt").strip()).append(']');
                }
            }
            case "p", "table", "blockquote", "section", "article", "dl", "figure" -> paragraph();
            default -> {
                if (element.isBlock()) {
                    line();
                }
            }
        }
    }

    private void item() {
        itemAt = -1;
        line();
        int depth = Math.max(1, lists.size());
        int number = lists.isEmpty() ? 0 : lists.pop();
        out.append("  ".repeat(depth - 1)).append(number == 0 ? "- " : number + ". ");
        lists.push(number == 0 ? 0 : number + 1);
        itemAt = out.length();
    }

    @Override
    public void tail(Node node, int depth) {
        if (!(node instanceof Element element) || (code != null && !code.equals(element))) {
            return;
        }
        switch (element.normalName()) {
            case "pre" -> {
                code = null;
                out.append(out.charAt(out.length() - 1) == '\n' ? "```" : "\n```");
                paragraph();
            }
            case "ul", "ol" -> {
                lists.pop();
                if (lists.isEmpty()) {
                    paragraph();
                }
            }
            case "td", "th" -> {
                cells--;
                space();
            }
            case "tr" -> {
                out.append('|');
                line();
                if (element.select("> th").size() == element.childrenSize() && element.childrenSize() > 0) {
                    out.append("|---".repeat(element.childrenSize())).append("|\n");
                }
            }
            case "code", "kbd", "samp" -> out.append('`');
            case "a" -> link(element);
            case "h1", "h2", "h3", "h4", "h5", "h6", "p", "table", "blockquote", "section", "article", "dl",
                    "figure" ->
                paragraph();
            default -> {
                if (element.isBlock() && !element.normalName().equals("li")) {
                    line();
                }
            }
        }
    }

    private void link(Element element) {
        String to = element.absUrl("href").replaceFirst("#.*", "");
        if (to.matches("(?i)https?:.*") && element.hasText() && !element.attr("href").startsWith("#")) {
            out.append('[').append(links.computeIfAbsent(to, same -> links.size() + 1)).append(']');
        }
    }

    private void space() {
        if (!out.isEmpty() && !Character.isWhitespace(out.charAt(out.length() - 1))) {
            out.append(' ');
        }
    }

    /** A new line; in a cell of a table a space; nothing behind the mark of an item. */
    private void line() {
        if (out.length() == itemAt) {
            return;
        }
        if (cells > 0) {
            space();
            return;
        }
        trim();
        if (!out.isEmpty() && out.charAt(out.length() - 1) != '\n') {
            out.append('\n');
        }
    }

    /** An empty line; in a list and in a cell only what keeps words apart. */
    private void paragraph() {
        line();
        if (lists.isEmpty() && cells == 0 && !out.isEmpty()
                && !(out.length() > 1 && out.charAt(out.length() - 2) == '\n')) {
            out.append('\n');
        }
    }

    private void trim() {
        int end = out.length();
        while (end > 0 && out.charAt(end - 1) == ' ') {
            end--;
        }
        out.setLength(end);
    }
}
