package dev.belay.tests.docs;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A document as far as it is checked: fenced blocks, links and headings.
 *
 * @param lines its lines
 * @param blocks its fenced blocks, in order
 */
record Markdown(List<String> lines, List<Block> blocks) {

    private static final Pattern FENCE = Pattern.compile("( *)(```+|~~~+) *([^` ]*).*");
    private static final Pattern LINK = Pattern.compile("\\]\\(<?([^)\\s>]+)>?(?:\\s+\"[^\"]*\")?\\)");
    private static final Pattern HEADING = Pattern.compile("#{1,6} +(.*?)(?: +#+)?\\s*");

    /**
     * A fenced block.
     *
     * @param language the first word after the fence
     * @param indent the spaces before the fence
     * @param open the index of the line of the opening fence
     * @param close the index of the line of the closing fence
     */
    record Block(String language, int indent, int open, int close) {}

    /**
     * A link.
     *
     * @param target what it points at
     * @param line the line it stands on, from 1
     */
    record Link(String target, int line) {}

    static Markdown parse(String text) {
        List<String> lines = text.lines().toList();
        List<Block> blocks = new ArrayList<>();
        for (int i = 0; i < lines.size(); i++) {
            Matcher fence = FENCE.matcher(lines.get(i));
            if (fence.matches()) {
                int close = i + 1;
                while (close < lines.size() && !lines.get(close).strip().equals(fence.group(2))) {
                    close++;
                }
                blocks.add(new Block(fence.group(3), fence.group(1).length(), i, close));
                i = close;
            }
        }
        return new Markdown(lines, blocks);
    }

    /** The lines between the fences, without the fence's own indentation. */
    List<String> content(Block block) {
        return lines.subList(block.open() + 1, Math.min(block.close(), lines.size()))
                .stream()
                .map(line -> line.substring(Math.min(block.indent(), leadingSpaces(line))))
                .toList();
    }

    /** The links outside of code. */
    List<Link> links() {
        List<Link> links = new ArrayList<>();
        for (int i = 0; i < lines.size(); i++) {
            if (!inBlock(i)) {
                Matcher link = LINK.matcher(lines.get(i).replaceAll("`[^`]*`", "`"));
                while (link.find()) {
                    links.add(new Link(link.group(1), i + 1));
                }
            }
        }
        return links;
    }

    /** The names that links may give after {@code #}: those of the headings, and of explicit anchors. */
    Set<String> anchors() {
        Set<String> anchors = new HashSet<>();
        Map<String, Integer> seen = new HashMap<>();
        for (int i = 0; i < lines.size(); i++) {
            Matcher heading = HEADING.matcher(lines.get(i));
            if (!inBlock(i) && heading.matches()) {
                String text = heading.group(1).replaceAll("\\[([^\\]]*)\\]\\([^)]*\\)", "$1");
                String slug = text.toLowerCase(Locale.ROOT)
                        .replaceAll("[^\\p{L}\\p{N}\\p{M}_ -]", "")
                        .replace(' ', '-');
                int count = seen.merge(slug, 1, Integer::sum);
                anchors.add(count == 1 ? slug : slug + "-" + (count - 1));
            }
            Matcher explicit = Pattern.compile("<a (?:id|name)=\"([^\"]+)\"").matcher(lines.get(i));
            while (explicit.find()) {
                anchors.add(explicit.group(1));
            }
        }
        return anchors;
    }

    private boolean inBlock(int line) {
        return blocks.stream().anyMatch(block -> block.open() <= line && line <= block.close());
    }

    static int leadingSpaces(String line) {
        return line.length() - line.stripLeading().length();
    }
}
