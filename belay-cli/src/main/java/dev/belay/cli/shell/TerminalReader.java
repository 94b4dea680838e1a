package dev.belay.cli.shell;

import dev.belay.cli.screen.Flow;
import dev.belay.cli.screen.Style;
import dev.belay.cli.screen.Styled;
import dev.belay.schema.ShownLines;
import java.io.IOException;
import java.util.function.BooleanSupplier;
import java.util.regex.Pattern;
import org.jline.keymap.KeyMap;
import org.jline.reader.Binding;
import org.jline.reader.EndOfFileException;
import org.jline.reader.LineReader;
import org.jline.reader.UserInterruptException;
import org.jline.reader.impl.LineReaderImpl;
import org.jline.terminal.Attributes;
import org.jline.terminal.Terminal;
import org.jline.terminal.TerminalBuilder;
import org.jline.utils.InfoCmp.Capability;
import org.jline.utils.NonBlockingReader;
import org.jspecify.annotations.Nullable;

/**
 * Reads lines at a terminal. A key answers a question only if it is pressed behind the prompt, and after a silence in which a person could
 * read it: earlier keys, from wherever they come, are early text and no answer. The cursor is hidden until the silence is over. A
 * question that is painted anew, because the window has changed or the process was stopped, asks again. What the shell writes meanwhile
 * comes behind the answer. Confined to one thread, but for signals.
 */
public final class TerminalReader extends LineReaderImpl implements Person {

    /** Nobody reads a question and answers it in less; keys of a text that is being typed come faster. */
    private static final long SILENCE_MILLIS = 300;
    private static final long LOOK_MILLIS = 100;
    /** Early text is kept up to this length. */
    private static final int MOST_EARLY = 65_536;
    private static final Pattern KEYS = Pattern.compile("\u001b(\\[[0-?]*[ -/]*[@-~]|O.|.)?");
    private static final String NO_ANSWER = "What was typed before the question stood here is no answer to it.";

    private final Shell shell;
    private final BooleanSupplier cancel;
    private final StringBuilder early = new StringBuilder();
    private boolean isQuestion;
    private boolean hasDraft;
    private volatile boolean isNew;

    /**
     * Reads at a terminal.
     *
     * @param shell that writes to it
     * @param cancel ends what runs, if a person presses Ctrl-C at a question; false if nothing runs
     */
    public TerminalReader(Shell shell, Terminal terminal, BooleanSupplier cancel) throws IOException {
        super(terminal);
        this.shell = shell;
        this.cancel = cancel;
        setOpt(LineReader.Option.DISABLE_EVENT_EXPANSION);
    }

    /** The terminal of this process: questions go to standard error, also if standard output is a file. */
    public static Terminal terminal() throws IOException {
        return TerminalBuilder.builder()
                .system(true)
                .systemOutput(TerminalBuilder.SystemOutput.SysErr)
                .nativeSignals(true)
                .build();
    }

    @Override
    public @Nullable String ask(String prompt, BooleanSupplier isOpen) throws InterruptedException {
        return edit(prompt, "", isOpen);
    }

    @Override
    public @Nullable String edit(String prompt, String draft, BooleanSupplier isOpen)
            throws InterruptedException {
        try {
            return line(prompt, draft, isOpen);
        } catch (EndOfFileException end) {
            return null;
        } catch (UserInterruptException interrupted) {
            if (isOpen.getAsBoolean() && !cancel.getAsBoolean()) {
                throw new CommandProblem(ExitCode.INTERRUPTED, "interrupted");
            }
            while (isOpen.getAsBoolean()) {
                Thread.sleep(LOOK_MILLIS); // a cancelled turn settles its questions
            }
            return null;
        }
    }

    /** Reads one line that is no message; interrupted if the question is closed meanwhile. */
    private String line(String prompt, String draft, BooleanSupplier isOpen) {
        var watch = new Watch(Thread.currentThread(), isOpen);
        Thread looking = Thread.ofVirtual().start(watch);
        setVariable(LineReader.DISABLE_HISTORY, true);
        setVariable(LineReader.DISABLE_COMPLETION, true);
        isQuestion = true;
        hasDraft = !draft.isEmpty();
        shell.out().hold();
        shell.err().hold();
        try {
            return readLine(question(prompt), null, (Character) null, hasDraft ? draft : null);
        } finally {
            isQuestion = false;
            watch.end();
            looking.interrupt();
            Thread.interrupted(); // it was closed in the moment in which it was answered
            setVariable(LineReader.DISABLE_HISTORY, false);
            setVariable(LineReader.DISABLE_COMPLETION, false);
            shell.err().release();
            shell.out().release();
        }
    }

    /** A question in lines of the terminal; the answer stands behind it. */
    private String question(String prompt) {
        int columns = terminal.getWidth() > 0 ? terminal.getWidth() : ShownLines.USUAL_WIDTH;
        return new Flow(columns - 1).words(prompt, Style.ASKS)
                .text()
                .add(" ", Style.ASKS)
                .on(shell.theme(2))
                .replace("%", "%%");
    }

    /** A prompt as the line reader takes it. */
    public String styled(String prompt, Style... looks) {
        return Styled.of(prompt, looks).on(shell.theme(2)).replace("%", "%%");
    }

    /** Painting a prompt, the first time too. */
    @Override
    public boolean redrawLine() {
        isNew = true;
        return super.redrawLine();
    }

    @Override
    public Binding readBinding(KeyMap<Binding> keys, @Nullable KeyMap<Binding> local) {
        while (isQuestion) {
            if (isNew) {
                awaitSilence();
            } else if (bindingReader.peekCharacter(LOOK_MILLIS) != NonBlockingReader.READ_EXPIRED
                    && !isNew) {
                break;
            }
        }
        return super.readBinding(keys, local);
    }

    private void awaitSilence() {
        isNew = false;
        if (!hasDraft && buf.length() > 0) {
            buf.clear(); // typed before it was painted anew
            redisplay();
        }
        terminal.puts(Capability.cursor_invisible);
        terminal.flush();
        boolean isEarly = takeEarly(SILENCE_MILLIS);
        terminal.puts(Capability.cursor_normal);
        terminal.flush();
        if (isEarly) {
            printAbove(NO_ANSWER);
            isNew = true;
        }
    }

    /** Takes keys until there is none for so long; whether there was one. */
    private boolean takeEarly(long millis) {
        boolean isEarly = false;
        while (bindingReader.peekCharacter(millis) >= 0) {
            int key = bindingReader.readCharacter();
            isEarly = true;
            if (early.length() < MOST_EARLY) {
                early.appendCodePoint(key);
            }
        }
        return isEarly;
    }

    /** What was typed while no message was read, as a draft of the next one. Keys that are no text are left out. */
    public String draft() {
        Attributes cooked = terminal.enterRawMode(); // else an unfinished line cannot be read
        try {
            takeEarly(1);
        } finally {
            terminal.setAttributes(cooked);
        }
        var text = new StringBuilder();
        KEYS.matcher(early)
                .replaceAll("")
                .replace('\r', '\n')
                .chars()
                .filter(c -> c == '\n' || !Character.isISOControl(c))
                .forEach(c -> text.append((char) c));
        early.setLength(0);
        return text.toString().strip();
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
}
