package dev.belay.cli.shell;

import dev.belay.cli.screen.Style;
import dev.belay.cli.screen.Styled;
import dev.belay.cli.screen.Theme;
import dev.belay.schema.Shown;
import dev.belay.schema.ShownLines;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.function.IntSupplier;
import java.util.stream.Collectors;

/**
 * Text for one of the standard streams, in UTF-8, sent at once. Unlike a {@code PrintStream} it notices that its reader is gone. On a
 * terminal, characters that would control it are marked, wherever a text comes from, and nothing is written while a question stands on
 * it. Thread-safe.
 */
public final class Output {

    /** More than this disturbs a question, rather than fill the heap. */
    private static final int MOST_HELD = 1 << 20;
    /** The rest of the line; what was there is longer at times. */
    private static final String CLEAR = "\u001b[K";

    private final OutputStream stream;
    private final boolean mustBeRead;
    private final boolean isTerminal;
    private final IntSupplier width;
    private final Theme theme;
    private final Set<String> told = new HashSet<>();
    private final StringBuilder held = new StringBuilder();
    private boolean isHeld;
    private boolean isPassing;

    private Output(OutputStream stream, boolean mustBeRead, boolean isTerminal, IntSupplier width,
            Theme theme) {
        this.stream = stream;
        this.mustBeRead = mustBeRead;
        this.isTerminal = isTerminal;
        this.width = width;
        this.theme = theme;
    }

    /** What a command answers: writing throws {@link ClosedOutputException} once the reader is gone. */
    public static Output answer(OutputStream stream) {
        return new Output(stream, true, false, () -> ShownLines.USUAL_WIDTH, Theme.NONE);
    }

    /** What a command says beside its answer; a reader that is gone does not matter. */
    public static Output remarks(OutputStream stream) {
        return new Output(stream, false, false, () -> ShownLines.USUAL_WIDTH, Theme.NONE);
    }

    /** The same output, on a terminal of so many columns. */
    Output onTerminal(IntSupplier columns, Theme looks) {
        return new Output(stream, mustBeRead, true, columns, looks);
    }

    /** Writes a text; on a terminal, nothing in it controls that. */
    public void print(String text) {
        control(isTerminal ? Shown.onTerminal(text) : text);
    }

    /** Writes a text of our own, which may control the terminal: nothing of a model, a server or a file is in it. */
    public synchronized void control(String text) {
        if (isHeld && held.length() + text.length() <= MOST_HELD) {
            held.append(text);
            return;
        }
        release();
        write(text);
    }

    /** Shows a text of our own in place until the next one, or until anything else is written; not while a question stands there. */
    public synchronized void passing(String text) {
        if (!isHeld && (isPassing || !text.isEmpty())) {
            isPassing = false;
            write("\r" + text + CLEAR);
            isPassing = !text.isEmpty();
        }
    }

    private void write(String text) {
        if (isPassing) {
            passing("");
        }
        try {
            stream.write(text.getBytes(StandardCharsets.UTF_8));
            stream.flush();
        } catch (IOException e) {
            if (mustBeRead) {
                throw new ClosedOutputException(e);
            }
        }
    }

    /** A question stands on the terminal from now on: what is written there comes behind it. */
    synchronized void hold() {
        passing("");
        isHeld = isTerminal;
    }

    /** The question is over: writes what was held. */
    synchronized void release() {
        isHeld = false;
        if (!held.isEmpty()) {
            String text = held.toString();
            held.setLength(0);
            write(text);
        }
    }

    /** This output for a library that writes to a stream, such as that of the log. */
    public PrintStream stream() {
        var lines = new ByteArrayOutputStream() {
            @Override
            public synchronized void flush() {
                Output.this.print(logged(toString(StandardCharsets.UTF_8)));
                reset();
            }
        };
        return new PrintStream(lines, true, StandardCharsets.UTF_8);
    }

    /** Writes a line. */
    public void line(String text) {
        print(text + "\n");
    }

    /** Writes text of a model, a tool, a server or a file: every line of it is behind a margin, at any width of the terminal. */
    public void quote(String text) {
        quote(text, line -> List.of());
    }

    /** The same; each line of the text looks as it says. */
    public void quote(String text, Function<String, List<Style>> looks) {
        var quoted = new Styled();
        int columns = width.getAsInt();
        ShownLines.marked(text).lines().forEach(line -> {
            Style[] styles = looks.apply(line).toArray(Style[]::new);
            ShownLines.quoted(line + "\n", columns).lines().forEach(shown -> {
                int margin = shown.indexOf('|') + 1;
                quoted.add(shown.substring(0, margin), Style.DIM).add(shown.substring(margin), styles).line();
            });
        });
        styled(quoted);
    }

    /** Writes text with styles. */
    public void styled(Styled text) {
        control(text.on(theme));
    }

    /** Writes a line of our own with foreign text in it: nothing of that begins a line, at any width of the terminal. */
    public void remark(String text, Style... looks) {
        remark(Integer.MAX_VALUE, text, looks);
    }

    /** The same; only so many characters look so. */
    public void remark(int first, String text, Style... looks) {
        String shown = hanging(ShownLines.marked(text));
        if (theme == Theme.NONE) {
            print(shown);
            return;
        }
        var styled = new Styled();
        int left = first;
        for (String line : shown.lines().toList()) {
            int most = Math.min(Math.max(0, left), line.length());
            styled.add(line.substring(0, most), looks).add(line.substring(most)).line();
            left -= line.length();
        }
        styled(styled);
    }

    private String hanging(String text) {
        return ShownLines.hanging(text, isTerminal ? width.getAsInt() : Integer.MAX_VALUE);
    }

    /** Lines of a log, which may come in parts. */
    private String logged(String text) {
        String lines = text.lines().map(this::hanging).collect(Collectors.joining());
        return !isTerminal ? text : text.endsWith("\n") ? lines : lines.stripTrailing();
    }

    /** Writes a line that a command may come to say several times; only the first time counts. */
    public synchronized void lineOnce(String text) {
        if (told.add(text)) {
            remark(text);
        }
    }
}
