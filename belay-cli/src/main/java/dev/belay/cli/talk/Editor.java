package dev.belay.cli.talk;

import dev.belay.cli.screen.Style;
import dev.belay.cli.shell.OwnFiles;
import dev.belay.cli.shell.Person;
import dev.belay.cli.shell.Shell;
import dev.belay.cli.shell.TerminalReader;
import dev.belay.schema.Shown;
import java.io.IOException;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Objects;
import java.util.function.BooleanSupplier;
import org.jline.keymap.KeyMap;
import org.jline.reader.Binding;
import org.jline.reader.Completer;
import org.jline.reader.EOFError;
import org.jline.reader.EndOfFileException;
import org.jline.reader.LineReader;
import org.jline.reader.ParsedLine;
import org.jline.reader.Parser.ParseContext;
import org.jline.reader.Reference;
import org.jline.reader.UserInterruptException;
import org.jline.reader.impl.DefaultParser;
import org.jline.terminal.Attributes;
import org.jline.terminal.Terminal;
import org.jspecify.annotations.Nullable;

/** A person at a terminal, with editing, history and completion. Confined to one thread, but for {@link #interrupts}. */
final class Editor implements Person, AutoCloseable {

    private static final String PROMPT = "> ";
    private static final String NEW_LINE = "belay-new-line";
    private static final String SLASH = "belay-slash";

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
        Attributes attributes = terminal.getAttributes();
        attributes.setLocalFlag(Attributes.LocalFlag.ECHOCTL, false); // Ctrl-C writes no ^C into a line
        terminal.setAttributes(attributes);
        reader = new TerminalReader(shell, terminal, cancel);
        reader.setParser(new Messages());
        reader.setCompleter(completer);
        reader.setVariable(LineReader.SECONDARY_PROMPT_PATTERN, "  ");
        reader.setVariable(LineReader.COMPLETION_STYLE_LIST_STARTING, "bold");
        if (!shell.colours(2)) {
            reader.setVariable(LineReader.COMPLETION_STYLE_LIST_DESCRIPTION, "bold");
        }
        reader.getWidgets().put(NEW_LINE, () -> write("\n"));
        reader.getWidgets()
                .put(SLASH, () -> write("/") && (!reader.getBuffer().toString().equals("/")
                        || list()));
        KeyMap<Binding> keys = Objects.requireNonNull(reader.getKeyMaps().get(LineReader.MAIN),
                LineReader.MAIN);
        keys.bind(new Reference(NEW_LINE), KeyMap.alt("\r"), KeyMap.alt("\n"));
        keys.bind(new Reference(SLASH), "/");
    }

    private boolean write(String text) {
        reader.getBuffer().write(text);
        return true;
    }

    private boolean list() {
        reader.callWidget(LineReader.LIST_CHOICES);
        return true;
    }

    /** Words of a message: an apostrophe is no quote, and a backslash at the end goes on in the next line. */
    private static final class Messages extends DefaultParser {

        Messages() {
            setQuoteChars(new char[0]);
            setEscapeChars(new char[0]);
        }

        @Override
        public ParsedLine parse(String line, int cursor, ParseContext context) {
            if (context == ParseContext.ACCEPT_LINE && line.endsWith("\\")) {
                throw new EOFError(-1, -1, "the next line belongs to it");
            }
            return super.parse(line, cursor, context);
        }
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

    /**
     * The next message; what was typed before it was asked for is its draft. A line that ends in a backslash goes on in the next.
     *
     * @param status stands above the prompt
     */
    Typed message(String status) {
        String above = status.isEmpty()
                ? ""
                : "\n" + reader.styled(Shown.inLine(status, Math.max(1, terminal.getWidth() - 2)), Style.DIM)
                        + "\n";
        try {
            String draft = reader.draft();
            String text = reader.readLine(above + reader.styled(PROMPT, Style.STRONG), null, (Character) null,
                    draft.isEmpty() ? null : draft);
            return new Typed.Line(text.replace("\\\n", "\n"));
        } catch (UserInterruptException interrupted) {
            return new Typed.Interrupt(interrupted.getPartialLine().isEmpty());
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
