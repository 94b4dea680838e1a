package dev.belay.cli.shell;

import dev.belay.cli.screen.Style;
import dev.belay.cli.screen.Styled;
import dev.belay.schema.Shown;
import dev.belay.schema.ShownLines;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** Rows under a heading. Where a line is too narrow for them, each row becomes a block of lines. Confined to one thread. */
public final class TextTable {

    private static final String GAP = "  ";
    private static final Style[] HEADING = {Style.STRONG};
    private static final Style[] ROW = {};

    private final List<String> heading;
    private final List<List<String>> rows = new ArrayList<>();

    /** Starts a table of these columns. */
    public TextTable(String... columns) {
        heading = List.of(columns);
    }

    /** Adds a row; hidden characters of its cells are marked. */
    public TextTable row(Object... cells) {
        if (cells.length != heading.size()) {
            throw new IllegalArgumentException(
                    "a row has " + heading.size() + " cells, found " + cells.length);
        }
        List<String> row = new ArrayList<>();
        for (Object cell : cells) {
            row.add(Shown.name(cell.toString()));
        }
        rows.add(row);
        return this;
    }

    /** Writes it to standard output; a table without rows says so on standard error. */
    public void print(Shell shell, String ifEmpty) {
        if (rows.isEmpty()) {
            shell.err().line(ifEmpty);
            return;
        }
        List<List<String>> all = new ArrayList<>(List.of(heading));
        rows.forEach(row -> all.add(row.stream().map(ShownLines::marked).toList()));
        List<Integer> widths = widths(all);
        int whole = widths.stream().mapToInt(width -> width + GAP.length()).sum() - GAP.length();
        boolean fits = shell.width(1).map(width -> whole <= width).orElse(true);
        if (fits) {
            shell.out().styled(inLines(all, widths));
        } else {
            inBlocks().lines().forEach(shell.out()::remark);
        }
    }

    private List<Integer> widths(List<List<String>> all) {
        List<Integer> widths = new ArrayList<>();
        for (int column = 0; column < heading.size(); column++) {
            int at = column;
            widths.add(all.stream().mapToInt(row -> Styled.columns(row.get(at))).max().orElse(0));
        }
        return widths;
    }

    private static Styled inLines(List<List<String>> all, List<Integer> widths) {
        var text = new Styled();
        for (List<String> row : all) {
            var line = new StringBuilder();
            for (int column = 0; column < row.size(); column++) {
                line.append(row.get(column))
                        .append(" ".repeat(widths.get(column) - Styled.columns(row.get(column))))
                        .append(GAP);
            }
            text.add(line.toString().stripTrailing(), text.length() == 0 ? HEADING : ROW).line();
        }
        return text;
    }

    private String inBlocks() {
        return rows.stream().map(row -> {
            var block = new StringBuilder();
            for (int column = 0; column < row.size(); column++) {
                if (!row.get(column).isEmpty()) {
                    block.append(column == 0 ? "" : GAP)
                            .append(heading.get(column).toLowerCase(Locale.ROOT))
                            .append(' ')
                            .append(row.get(column))
                            .append('\n');
                }
            }
            return block.toString();
        }).collect(Collectors.joining());
    }
}
