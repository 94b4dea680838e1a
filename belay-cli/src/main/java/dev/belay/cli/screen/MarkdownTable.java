package dev.belay.cli.screen;

import java.util.List;
import java.util.stream.IntStream;

/**
 * A table of a model. Where a line is too narrow for it, each row becomes a block of lines.
 *
 * @param rows the heading first
 */
record MarkdownTable(List<List<String>> rows) {

    private static final String GAP = "  ";

    /** Lays it out. */
    void into(Flow flow) {
        List<String> heading = rows.getFirst();
        List<Integer> widths = IntStream.range(0, heading.size())
                .map(column -> rows.stream()
                        .mapToInt(row -> Styled.columns(cell(row, column)))
                        .max()
                        .orElse(0))
                .boxed()
                .toList();
        if (widths.stream().mapToInt(width -> width + GAP.length()).sum() - GAP.length() > flow.room()) {
            blocks(flow, heading);
            return;
        }
        line(flow, heading, widths, Style.STRONG);
        flow.newLine();
        flow.exactly(String.join(GAP, widths.stream().map("-"::repeat).toList()), Style.DIM);
        rows.subList(1, rows.size()).forEach(row -> {
            flow.newLine();
            line(flow, row, widths);
        });
    }

    private static void line(Flow flow, List<String> row, List<Integer> widths, Style... styles) {
        var line = new StringBuilder();
        for (int column = 0; column < widths.size(); column++) {
            String cell = cell(row, column);
            line.append(cell).append(" ".repeat(widths.get(column) - Styled.columns(cell))).append(GAP);
        }
        flow.exactly(line.toString().stripTrailing(), styles);
    }

    private void blocks(Flow flow, List<String> heading) {
        for (List<String> row : rows.subList(1, rows.size())) {
            for (int column = 0; column < heading.size(); column++) {
                flow.fresh();
                flow.indent(column == 0 ? "" : GAP, GAP, Style.DIM);
                flow.words(cell(heading, column) + ": ", Style.STRONG).words(cell(row, column));
                flow.fresh();
                flow.outdent();
            }
        }
    }

    private static String cell(List<String> row, int column) {
        return column < row.size() ? Styled.clean(row.get(column)) : "";
    }
}
