package dev.belay.cli.talk;

import dev.belay.cli.shell.OwnFiles;
import dev.belay.cli.shell.Person;
import dev.belay.cli.shell.Shell;
import dev.belay.cli.shell.TerminalReader;
import java.io.IOException;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.function.BooleanSupplier;
import org.jline.reader.Completer;
import org.jline.reader.EndOfFileException;
import org.jline.reader.LineReader;
import org.jline.reader.UserInterruptException;
import org.jline.reader.impl.DefaultParser;
import org.jline.terminal.Terminal;
import org.jspecify.annotations.Nullable;

/** A person at a terminal, with editing, history and completion. Confined to one thread, but for {@link #interrupts}. */
final class Editor implements Person, AutoCloseable {

    private final Shell shell;
    private final Terminal terminal;
    private final TerminalReader reader;

    /**
     * Takes the terminal of the process.
     *
     * @param completer of messages
     * @param cancel ends the turn; Ctrl-C at a question runs it
     */
    Editor(Shell shell, Completer completer, BooleanSupplier cancel) throws IOException {
        this.shell = shell;
        terminal = TerminalReader.terminal();
        var words = new DefaultParser();
        words.setQuoteChars(new char[0]); // an apostrophe is no quote
        words.setEscapeChars(new char[0]);
        reader = new TerminalReader(shell, terminal, cancel);
        reader.setParser(words);
        reader.setCompleter(completer);
    }

    /** Brings back the messages of a file, and keeps further ones there. A link is not followed: it may lead to any file of the user. */
    void remember(Path history) {
        try {
            OwnFiles.append(history, "", LinkOption.NOFOLLOW_LINKS);
            reader.setVariable(LineReader.HISTORY_FILE, history);
            reader.getHistory().load();
        } catch (IOException e) {
            shell.err()
                    .line("belay: the history " + history
                            + " is not used: it is a link, or cannot be written ("
                            + e.getMessage() + "). Remove it; the chat goes on without it");
        }
    }

    /** What a person typed at a prompt. */
    sealed interface Typed {

        /**
         * A message.
         *
         * @param text may have several lines
         */
        record Line(String text) implements Typed {}

        /**
         * Ctrl-C.
         *
         * @param isEmpty whether nothing was typed before it
         */
        record Interrupt(boolean isEmpty) implements Typed {}

        /** The end of input. */
        record End() implements Typed {}
    }

    /** The next message; what was typed before it was asked for is its draft. A line that ends in a backslash goes on in the next. */
    Typed message(String prompt) {
        var text = new StringBuilder();
        try {
            String draft = reader.draft();
            while (true) {
                String line = reader.readLine(text.isEmpty() ? prompt : "  ", null, (Character) null,
                        text.isEmpty() && !draft.isEmpty() ? draft : null);
                if (!line.endsWith("\\")) {
                    return new Typed.Line(text.append(line).toString());
                }
                text.append(line, 0, line.length() - 1).append('\n');
            }
        } catch (UserInterruptException interrupted) {
            return new Typed.Interrupt(interrupted.getPartialLine().isEmpty() && text.isEmpty());
        } catch (EndOfFileException end) {
            return new Typed.End();
        }
    }

    /** Lets Ctrl-C do this while no line is read. */
    void interrupts(Runnable action) {
        terminal.handle(Terminal.Signal.INT, signal -> action.run());
    }

    @Override
    public @Nullable String ask(String prompt, BooleanSupplier isOpen) throws InterruptedException {
        return reader.ask(prompt, isOpen);
    }

    @Override
    public @Nullable String edit(String prompt, String draft, BooleanSupplier isOpen)
            throws InterruptedException {
        return reader.edit(prompt, draft, isOpen);
    }

    @Override
    public void close() throws IOException {
        terminal.close();
    }
}
