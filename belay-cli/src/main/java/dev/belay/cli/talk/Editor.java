package dev.belay.cli.talk;

import dev.belay.cli.shell.OwnFiles;
import dev.belay.cli.shell.Shell;
import java.io.IOException;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.function.BooleanSupplier;
import org.jline.reader.Completer;
import org.jline.reader.EndOfFileException;
import org.jline.reader.LineReader;
import org.jline.reader.LineReaderBuilder;
import org.jline.reader.UserInterruptException;
import org.jline.reader.impl.DefaultParser;
import org.jline.terminal.Terminal;
import org.jline.terminal.TerminalBuilder;
import org.jspecify.annotations.Nullable;

/** A person at a terminal, with editing, history and completion. Confined to one thread, but for {@link #interrupts}. */
final class Editor implements Person, AutoCloseable {

    private static final long LOOK_MILLIS = 200;

    private final Shell shell;
    private final Terminal terminal;
    private final LineReader reader;
    private final Runnable cancel;

    /**
     * Takes the terminal of the process.
     *
     * @param completer of messages
     * @param cancel ends the turn; Ctrl-C at a question runs it
     */
    Editor(Shell shell, Completer completer, Runnable cancel) throws IOException {
        this.shell = shell;
        this.cancel = cancel;
        terminal = TerminalBuilder.builder().system(true).nativeSignals(true).build();
        var words = new DefaultParser();
        words.setQuoteChars(new char[0]); // an apostrophe is no quote
        words.setEscapeChars(new char[0]);
        reader = LineReaderBuilder.builder()
                .terminal(terminal)
                .parser(words)
                .completer(completer)
                .option(LineReader.Option.DISABLE_EVENT_EXPANSION, true)
                .build();
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

    /** The next message; a line that ends in a backslash goes on in the next. */
    Typed message(String prompt) {
        var text = new StringBuilder();
        try {
            while (true) {
                String line = reader.readLine(text.isEmpty() ? prompt : "  ");
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
        return edit(prompt, "", isOpen);
    }

    @Override
    public @Nullable String edit(String prompt, String draft, BooleanSupplier isOpen)
            throws InterruptedException {
        int last = prompt.lastIndexOf('\n') + 1;
        shell.err().print(prompt.substring(0, last));
        Typed typed = answer(prompt.substring(last), draft, isOpen);
        if (typed instanceof Typed.Interrupt && isOpen.getAsBoolean()) {
            cancel.run();
            while (isOpen.getAsBoolean()) {
                Thread.sleep(LOOK_MILLIS); // a cancelled turn settles its questions
            }
        }
        return typed instanceof Typed.Line(String text) ? text : null;
    }

    /** Reads one line that is no message; interrupted if the question is closed meanwhile. */
    private Typed answer(String prompt, String draft, BooleanSupplier isOpen) {
        var watch = new Watch(Thread.currentThread(), isOpen);
        Thread looking = Thread.ofVirtual().start(watch);
        reader.setVariable(LineReader.DISABLE_HISTORY, true);
        reader.setVariable(LineReader.DISABLE_COMPLETION, true);
        try {
            return new Typed.Line(
                    reader.readLine(prompt, null, (Character) null, draft.isEmpty() ? null : draft));
        } catch (EndOfFileException end) {
            return new Typed.End();
        } catch (UserInterruptException interrupted) {
            return new Typed.Interrupt(true);
        } finally {
            watch.end();
            looking.interrupt();
            Thread.interrupted(); // it was closed in the moment in which it was answered
            reader.setVariable(LineReader.DISABLE_HISTORY, false);
            reader.setVariable(LineReader.DISABLE_COMPLETION, false);
        }
    }

    /** Interrupts a prompt whose question is closed. */
    private static final class Watch implements Runnable {

        private final Thread asking;
        private final BooleanSupplier isOpen;
        private boolean ended;

        Watch(Thread asking, BooleanSupplier isOpen) {
            this.asking = asking;
            this.isOpen = isOpen;
        }

        @Override
        public void run() {
            try {
                while (isOpen.getAsBoolean()) {
                    Thread.sleep(LOOK_MILLIS);
                }
                interrupt();
            } catch (InterruptedException answered) {
                Thread.currentThread().interrupt();
            }
        }

        private synchronized void interrupt() {
            if (!ended) {
                asking.interrupt();
            }
        }

        /** From now on it interrupts nothing. */
        synchronized void end() {
            ended = true;
        }
    }

    @Override
    public void close() throws IOException {
        terminal.close();
    }
}
