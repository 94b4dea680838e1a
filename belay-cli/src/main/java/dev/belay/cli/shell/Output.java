package dev.belay.cli.shell;

import dev.belay.schema.Shown;
import dev.belay.schema.ShownLines;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.Set;
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

    private final OutputStream stream;
    private final boolean mustBeRead;
    private final boolean isTerminal;
    private final IntSupplier width;
    private final Set<String> told = new HashSet<>();
    private final StringBuilder held = new StringBuilder();
    private boolean isHeld;

    private Output(OutputStream stream, boolean mustBeRead, boolean isTerminal, IntSupplier width) {
        this.stream = stream;
        this.mustBeRead = mustBeRead;
        this.isTerminal = isTerminal;
        this.width = width;
    }

    /** What a command answers: writing throws {@link ClosedOutputException} once the reader is gone. */
    public static Output answer(OutputStream stream) {
        return new Output(stream, true, false, () -> ShownLines.USUAL_WIDTH);
    }

    /** What a command says beside its answer; a reader that is gone does not matter. */
    public static Output remarks(OutputStream stream) {
        return new Output(stream, false, false, () -> ShownLines.USUAL_WIDTH);
    }

    /** The same output, on a terminal of so many columns. */
    Output onTerminal(IntSupplier columns) {
        return new Output(stream, mustBeRead, true, columns);
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

    private void write(String text) {
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
        print(ShownLines.quoted(ShownLines.marked(text), width.getAsInt()));
    }

    /** Writes a line of our own with foreign text in it: nothing of that begins a line, at any width of the terminal. */
    public void remark(String text) {
        print(hanging(ShownLines.marked(text)));
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
