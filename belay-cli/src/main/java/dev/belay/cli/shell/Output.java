package dev.belay.cli.shell;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.Set;

/**
 * Text for one of the standard streams, in UTF-8, sent at once. Unlike a {@code PrintStream} it notices that its reader is gone.
 * Thread-safe.
 */
public final class Output {

    private final OutputStream stream;
    private final boolean mustBeRead;
    private final Set<String> told = new HashSet<>();

    private Output(OutputStream stream, boolean mustBeRead) {
        this.stream = stream;
        this.mustBeRead = mustBeRead;
    }

    /** What a command answers: writing throws {@link ClosedOutputException} once the reader is gone. */
    public static Output answer(OutputStream stream) {
        return new Output(stream, true);
    }

    /** What a command says beside its answer; a reader that is gone does not matter. */
    public static Output remarks(OutputStream stream) {
        return new Output(stream, false);
    }

    /** Writes a text as it is. */
    public synchronized void print(String text) {
        try {
            stream.write(text.getBytes(StandardCharsets.UTF_8));
            stream.flush();
        } catch (IOException e) {
            if (mustBeRead) {
                throw new ClosedOutputException(e);
            }
        }
    }

    /** Writes a line. */
    public void line(String text) {
        print(text + "\n");
    }

    /** Writes a line that a command may come to say several times; only the first time counts. */
    public synchronized void lineOnce(String text) {
        if (told.add(text)) {
            line(text);
        }
    }
}
