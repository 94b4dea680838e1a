package dev.belay.cli.talk;

import dev.belay.cli.screen.Style;
import dev.belay.cli.shell.Shell;
import dev.belay.runtime.policy.ApprovalAnswer.Choice;
import dev.belay.runtime.policy.ApprovalRequest;
import dev.belay.schema.Shown;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * A request on the terminal: the tool and what it is used on, then the difference or the command, or else the arguments. The rest is
 * folded; as long as it was not looked at, the call can be approved only once. Confined to one thread.
 */
final class AskedScreen {

    /** More lines than a person sees at once. */
    private static final int MOST_LINES = 40;
    private static final int HEAD = 30;
    private static final String INDENT = "  ";
    private static final String ATTENTION = "Attention: ";
    /** Sections of the request that are shown at once, the first of a kind that is there. */
    private static final List<String> FIRST = List.of("the tool says:", "arguments:");
    private static final List<String> REASONS = List.of("asked by: ", "asked again: ");
    private static final int SHORT_DIGEST = 12;

    private final Shell shell;
    private final ApprovalRequest request;
    private boolean isSeen;

    AskedScreen(Shell shell, ApprovalRequest request) {
        this.shell = shell;
        this.request = request;
    }

    /** Shows what matters. */
    void show() {
        List<String> lines = request.shown().lines().toList();
        String tool = Shown.name(request.call().tool());
        shell.err().line("");
        shell.err().remark(tool.length() + 2, "? " + tool + target(), Style.ASKS);
        List<String> shown = new ArrayList<>(
                lines.stream().filter(line -> line.startsWith(ATTENTION)).toList());
        FIRST.stream()
                .filter(lines::contains)
                .findFirst()
                .ifPresent(name -> shown.addAll(cut(withoutHead(block(lines, lines.indexOf(name) + 1)))));
        shell.err().quote(String.join("\n", shown), AskedScreen::look);
        shell.err()
                .quote(String.join("\n", lines.stream()
                        .filter(line -> REASONS.stream().anyMatch(line::startsWith))
                        .toList()), line -> List.of(Style.DIM));
        shell.err()
                .remark("[v] shows the rest: session, arguments, what was prepared; digest "
                        + request.digest().substring(0, Math.min(SHORT_DIGEST, request.digest().length()))
                        + "…",
                        Style.DIM);
    }

    /** Shows all of it. */
    void showAll() {
        isSeen = true;
        shell.err()
                .quote(request.shown(),
                        line -> look(line.startsWith(INDENT) ? line.substring(INDENT.length()) : line));
        shell.err().line("digest: " + request.digest());
    }

    /** Whether all was shown. */
    boolean isSeen() {
        return isSeen;
    }

    /** What may be answered now. */
    Set<Choice> allowed() {
        Set<Choice> allowed = EnumSet.copyOf(request.allowed());
        if (!isSeen) {
            allowed.removeAll(EnumSet.of(Choice.TURN, Choice.SESSION));
        }
        return allowed;
    }

    private String target() {
        String target = CallTarget.of(request.call().arguments());
        return target.isEmpty() ? "" : " " + target;
    }

    /** The lines of a block that begins there. */
    private static List<String> block(List<String> lines, int begin) {
        return lines.subList(begin, lines.size())
                .stream()
                .takeWhile(line -> line.startsWith(INDENT))
                .map(line -> line.substring(INDENT.length()))
                .toList();
    }

    /** A difference without its first two lines, if they name the target again. */
    private List<String> withoutHead(List<String> lines) {
        boolean isSaid = lines.size() > 2 && lines.getFirst().equals("---" + target())
                && lines.get(1).equals("+++" + target());
        return isSaid ? lines.subList(2, lines.size()) : lines;
    }

    private static List<String> cut(List<String> lines) {
        if (lines.size() <= MOST_LINES) {
            return lines;
        }
        List<String> cut = new ArrayList<>(lines.subList(0, HEAD));
        cut.add("[" + (lines.size() - MOST_LINES) + " lines are folded: v shows them]");
        cut.addAll(lines.subList(lines.size() - (MOST_LINES - HEAD), lines.size()));
        return cut;
    }

    private static List<Style> look(String line) {
        return line.startsWith(ATTENTION)
                ? List.of(Style.BAD)
                : line.startsWith("+")
                        ? List.of(Style.ADDED)
                        : line.startsWith("-")
                                ? List.of(Style.REMOVED)
                                : line.startsWith("@@") ? List.of(Style.MARK) : List.of();
    }
}
