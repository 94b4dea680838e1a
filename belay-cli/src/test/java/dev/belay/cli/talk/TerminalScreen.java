package dev.belay.cli.talk;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jline.utils.WCWidth;

/** What a terminal of so many columns and any number of lines shows after some output: as text, and as a picture. Confined to one thread. */
final class TerminalScreen {

    private static final Pattern SEQUENCE = Pattern.compile(
            "\u001b(?:\\[([?>0-9;]*)([@-~])|\\][^\u0007\u001b]*(?:\u0007|\u001b\\\\)|[=>()][0B]?|.)");
    private static final Cell EMPTY = new Cell(" ", "");
    private static final int CELL = 8;
    private static final int LINE = 18;

    private final int width;
    private final List<Cell[]> lines = new ArrayList<>();
    private int row;
    private int column;
    private TreeSet<String> look = new TreeSet<>();

    /** A character with the parameters of its look. */
    private record Cell(String text, String look) {}

    TerminalScreen(int width) {
        this.width = width;
    }

    /** Shows further output. */
    TerminalScreen show(String output) {
        Matcher sequence = SEQUENCE.matcher(output);
        for (int at = 0; at < output.length();) {
            if (output.charAt(at) == '\u001b' && sequence.find(at) && sequence.start() == at) {
                obey(sequence.group(1), sequence.group(2));
                at = sequence.end();
            } else {
                int point = output.codePointAt(at);
                put(point);
                at += Character.charCount(point);
            }
        }
        return this;
    }

    private Cell[] line(int number) {
        while (lines.size() <= number) {
            Cell[] line = new Cell[width];
            java.util.Arrays.fill(line, EMPTY);
            lines.add(line);
        }
        return lines.get(number);
    }

    private void put(int point) {
        switch (point) {
            case '\r' -> column = 0;
            case '\n' -> row++;
            case '\b' -> column = Math.max(0, column - 1);
            case 7 -> {
            }
            default -> {
                int columns = WCWidth.wcwidth(point);
                String text = Character.toString(point);
                if (columns <= 0 && column > 0) {
                    Cell before = line(row)[column - 1];
                    line(row)[column - 1] = new Cell(before.text() + text, before.look());
                    return;
                }
                if (column + columns > width) {
                    row++;
                    column = 0;
                }
                line(row)[column] = new Cell(text, String.join(";", look));
                if (columns == 2) {
                    line(row)[column + 1] = new Cell("", "");
                }
                column += Math.max(1, columns);
            }
        }
    }

    private void obey(String parameters, String command) {
        if (command == null) {
            return;
        }
        int count = parameters.matches("[1-9]\\d*") ? Integer.parseInt(parameters) : 1;
        switch (command) {
            case "m" -> {
                for (String one : parameters.split(";", -1)) {
                    if (one.isEmpty() || one.equals("0")) {
                        look = new TreeSet<>();
                    } else if (one.matches("2[2-9]|39|49")) {
                        look.removeIf(has -> one.equals("22")
                                ? has.matches("[12]")
                                : has.length() == 1 || one.equals("39"));
                    } else {
                        look.add(one);
                    }
                }
            }
            case "A" -> row = Math.max(0, row - count);
            case "B" -> row += count;
            case "C" -> column = Math.min(width - 1, column + count);
            case "D" -> column = Math.max(0, Math.min(column, width - 1) - count);
            case "G" -> column = count - 1;
            case "K" ->
                erase(line(row), parameters.startsWith("1") || parameters.startsWith("2") ? 0 : column);
            case "J" -> {
                erase(line(row), column);
                for (int below = row + 1; below < lines.size(); below++) {
                    erase(lines.get(below), 0);
                }
            }
            case "P" -> {
                Cell[] line = line(row);
                System.arraycopy(line, column + count, line, column, width - column - count);
                erase(line, width - count);
            }
            case "@" -> {
                Cell[] line = line(row);
                System.arraycopy(line, column, line, column + count, width - column - count);
            }
            case "h", "l", "t", "r" -> {
            }
            default -> throw new IllegalArgumentException("an unknown sequence: " + parameters + command);
        }
    }

    private void erase(Cell[] line, int from) {
        for (int at = Math.min(from, width); at < width; at++) {
            line[at] = EMPTY;
        }
    }

    /** The lines, without blanks at their ends. */
    String text() {
        var text = new StringBuilder();
        for (Cell[] line : lines) {
            var one = new StringBuilder();
            for (Cell cell : line) {
                one.append(cell.text());
            }
            text.append(one.toString().stripTrailing()).append('\n');
        }
        return text.toString().stripTrailing() + "\n";
    }

    /** A picture of it. */
    String svg(boolean isDark) {
        int last = text().split("\n", -1).length - 1;
        var svg = new StringBuilder(
                "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" font-family=\"monospace\" font-size=\"13\">\n"
                        .formatted((width + 2) * CELL, (last + 1) * LINE))
                .append("<rect width=\"100%%\" height=\"100%%\" fill=\"%s\"/>\n"
                        .formatted(isDark ? "#16181d" : "#ffffff"));
        for (int y = 0; y < last; y++) {
            Cell[] line = lines.get(y);
            for (int x = 0; x < width;) {
                int end = x;
                var run = new StringBuilder();
                while (end < width && line[end].look().equals(line[x].look())) {
                    run.append(line[end++].text());
                }
                if (!run.toString().isBlank()) {
                    svg.append(
                            "<text xml:space=\"preserve\" x=\"%d\" y=\"%d\" textLength=\"%d\"%s>%s</text>%n"
                                    .formatted((x + 1) * CELL,
                                            (y + 1) * LINE, (end - x) * CELL,
                                            attributes(line[x].look(), isDark),
                                            run.toString()
                                                    .replace("&", "&amp;")
                                                    .replace("<", "&lt;")
                                                    .replace(">", "&gt;")));
                }
                x = end;
            }
        }
        return svg.append("</svg>\n").toString();
    }

    private static String attributes(String look, boolean isDark) {
        String fill = isDark ? "#d8dae0" : "#24262b";
        var more = new StringBuilder();
        for (String one : look.split(";", -1)) {
            switch (one) {
                case "1" -> more.append(" font-weight=\"bold\"");
                case "2" -> more.append(" opacity=\"0.6\"");
                case "3" -> more.append(" font-style=\"italic\"");
                case "4" -> more.append(" text-decoration=\"underline\"");
                case "31", "91" -> fill = isDark ? "#ff7b72" : "#c21f1f";
                case "32", "92" -> fill = isDark ? "#7ee787" : "#1a7f37";
                case "93" -> fill = "#f2cc60";
                case "34", "94" -> fill = isDark ? "#79c0ff" : "#0550ae";
                case "35" -> fill = "#8250df";
                case "96" -> fill = "#76e3ea";
                default -> {
                }
            }
        }
        return " fill=\"" + fill + "\"" + more;
    }
}
