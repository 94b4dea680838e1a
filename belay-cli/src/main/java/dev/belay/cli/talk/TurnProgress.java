package dev.belay.cli.talk;

import dev.belay.cli.screen.LiveMarkdown;
import dev.belay.cli.screen.Style;
import dev.belay.cli.screen.Theme;
import dev.belay.cli.shell.Moving;
import dev.belay.cli.shell.Shell;
import dev.belay.cli.shell.ShortHandles;
import dev.belay.cli.shell.Times;
import dev.belay.model.Usage;
import dev.belay.runtime.dispatch.CallEvent;
import dev.belay.runtime.dispatch.CallReference;
import dev.belay.runtime.session.TurnEvent;
import dev.belay.schema.Shown;
import dev.belay.schema.ShownLines;
import dev.belay.tool.ToolOutcome;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Tells what happens in a turn: a line for each call on standard error, and the model's words as they come if standard output is a
 * terminal. Thread-safe.
 */
final class TurnProgress {

    private static final int ARGUMENTS = 80;
    private static final String MODEL = "model";
    /** The width is asked for so often at most: that starts a program. */
    private static final Duration MEASURES = Duration.ofSeconds(1);
    /** Words are laid out so often at most; a fast model sends more pieces. */
    private static final Duration PAINTS = Duration.ofMillis(30);
    private static final int ALL = Integer.MAX_VALUE;
    private static final String BEGIN = "starts";
    /** How reasoning begins and ends. */
    private static final String[] DIM = {"\u001b[2m", "\u001b[0m"};
    /** After so long without a word of the model a line says so, where nothing turns; then after twice as long. */
    private static final Duration FIRST_SILENCE = Duration.ofSeconds(30);
    /** Fits a terminal of 20 columns, with the time. */
    private static final int LONGEST_WORK = 10;

    private final Shell shell;
    private final boolean isQuiet;
    private final LongSupplier nanos;
    private final Map<String, Long> began = new HashMap<>();
    private final Set<String> waiting = new HashSet<>();
    private @Nullable LiveMarkdown words;
    private @Nullable LiveMarkdown thoughts;
    private int columns;
    private long measured;
    private boolean inLine;
    private boolean isBelowLine;
    private boolean streamed;
    private boolean thinks;
    private Usage last = Usage.NONE;
    private long painted;
    private boolean isHeld;
    private String work = "";
    private String trouble = "";
    private long since;
    private long heard;
    private Duration silence = FIRST_SILENCE;
    private int frame;

    /**
     * Tells on a shell.
     *
     * @param isQuiet says nothing, because events are printed instead
     * @param nanos a clock
     */
    TurnProgress(Shell shell, boolean isQuiet, LongSupplier nanos) {
        this.shell = shell;
        this.nanos = nanos;
        this.isQuiet = isQuiet;
        painted = nanos.getAsLong() - PAINTS.toNanos();
    }

    /** Gets ready for words, while the model thinks: what reads Markdown is loaded only now. */
    private void listen() {
        if (words == null && shell.isRich(1)) {
            words = new LiveMarkdown(shell.theme(1), () -> columns(1));
        }
        if (thoughts == null && shell.colours(2)) {
            thoughts = new LiveMarkdown(Theme.NONE, () -> columns(2));
        }
    }

    private int columns(int stream) {
        if (columns == 0 || nanos.getAsLong() - measured >= MEASURES.toNanos()) {
            columns = shell.width(stream).orElse(ShownLines.USUAL_WIDTH);
            measured = nanos.getAsLong();
        }
        return columns;
    }

    /** The turn was given; nothing was heard of it yet. */
    synchronized void begin() {
        if (!isQuiet) {
            works(BEGIN);
        }
    }

    /** What the last round has read and written. */
    synchronized Usage last() {
        return last;
    }

    /** Whether the words of the last round are on the terminal already. */
    synchronized boolean isStreamed() {
        return streamed;
    }

    synchronized void on(TurnEvent event) {
        if (isQuiet) {
            return;
        }
        switch (event) {
            case TurnEvent.RoundStarted round -> {
                listen();
                streamed = false;
                works(MODEL);
            }
            case TurnEvent.Text text -> {
                heard();
                text(text.chunk());
            }
            case TurnEvent.Reasoning reasoning -> {
                heard();
                think(reasoning.chunk());
            }
            case TurnEvent.RoundEnded round -> {
                last = round.usage();
                endLine();
            }
            case TurnEvent.Plugin plugin -> {
                PluginLines.of(plugin).forEach(this::line);
                if (shell.isLively()) {
                    shell.err()
                            .control(PluginLines.notice(plugin, shell.variable("TERM_PROGRAM").orElse("")));
                }
            }
            case TurnEvent.ModelWaiting waiting -> {
                if (!waiting.message().equals(trouble)) { // told once, not with every try
                    trouble = waiting.message();
                    line("the model does not answer (" + waiting.code() + "): " + trouble
                            + "; asked again until " + Times.at(waiting.until()));
                }
                works("waits");
            }
            case TurnEvent.RoundRestarted again -> {
                if (!again.reason().equals(trouble)) {
                    line("the model is asked again: " + again.reason());
                }
            }
            case TurnEvent.Call call -> call(call.event());
            case TurnEvent.Committed committed -> {
                works("");
                endLine();
            }
            default -> {
            }
        }
    }

    /** Something else is at work from now on. */
    private void works(String at) {
        clear();
        work = at;
        since = nanos.getAsLong();
        heard();
    }

    private void heard() {
        heard = nanos.getAsLong();
        silence = FIRST_SILENCE;
    }

    /** Shows that work goes on: on a terminal in place, if nothing else was told for a moment; else a line if the model is silent. */
    synchronized void tick() {
        if (words != null && !isHeld) {
            write(words.flush());
        }
        if (isQuiet || isHeld || inLine || work.isEmpty()) {
            return;
        }
        if (!shell.isLively()) {
            if (work.equals(MODEL) && nanos.getAsLong() - heard >= silence.toNanos()) {
                line("the model has sent nothing for " + silence.toSeconds() + " s");
                silence = silence.multipliedBy(2);
            }
            return;
        }
        shell.err()
                .passing(Moving.frame(frame++, Shown.inLine(work, LONGEST_WORK),
                        Duration.ofNanos(nanos.getAsLong() - since)));
    }

    /** Words of the model: laid out on a terminal, as they are if that is dumb, and in the end if there is none. */
    private void text(String chunk) {
        if (!shell.terminals().contains(1)) {
            return;
        }
        endThoughts();
        streamed = true;
        if (words == null) {
            write(Shown.output(chunk));
            return;
        }
        words.keep(chunk);
        if (nanos.getAsLong() - painted >= PAINTS.toNanos()) {
            write(words.flush());
            painted = nanos.getAsLong();
        }
    }

    private void write(String shown) {
        if (!shown.isEmpty()) {
            clear();
            shell.out().control(isBelowLine && words != null ? "\n" + shown : shown);
            isBelowLine = false;
            inLine = !shown.endsWith("\n");
        }
    }

    private void think(String chunk) {
        if (thoughts != null) {
            String shown = thoughts.add(chunk);
            thinks = true;
            if (!shown.isEmpty()) {
                shell.err().control(DIM[0] + shown + DIM[1]);
                inLine = !shown.endsWith("\n");
            }
        }
    }

    private void endThoughts() {
        if (thinks && thoughts != null) {
            thinks = false;
            shell.err().control(DIM[0] + thoughts.end() + DIM[1]);
            inLine = false;
        }
    }

    /** Says something on a line of its own, whatever is being told. */
    synchronized void say(String text) {
        line(text);
    }

    /** While a person is asked, nothing moves; the time of calls that asked counts from the answer on. */
    synchronized void hold(boolean held) {
        clear();
        endLine();
        isHeld = held;
        if (!held) {
            waiting.forEach(call -> began.put(call, nanos.getAsLong()));
            waiting.clear();
        }
    }

    private void clear() {
        shell.err().passing("");
    }

    private void call(CallEvent event) {
        CallReference call = event.call();
        String key = call.turn() + "/" + call.round() + "/" + call.index();
        switch (event) {
            case CallEvent.Started started -> {
                began.put(key, nanos.getAsLong());
                works(call.tool());
            }
            case CallEvent.Progress(var reference, String message, long dropped) ->
                line("  " + call.tool() + ": " + Shown.inLine(message, ARGUMENTS));
            case CallEvent.Parked(var reference, String announcement) -> {
                began.remove(key);
                waiting.add(key);
                if (shell.canAsk()
                        && ("a person is asked whether " + call.tool() + " may run").equals(announcement)) {
                    return; // the question says so
                }
                line(1, "* " + describe(call) + "  waits for an answer"
                        + (announcement == null ? "" : ": " + Shown.inLine(announcement, ARGUMENTS)),
                        Style.ASKS);
            }
            case CallEvent.InDoubt(var reference, String doubt, boolean held) -> {
                String text = "! " + describe(call) + "  may have happened: doubt " + doubt;
                line(ALL, text, Style.BAD);
            }
            case CallEvent.Finished(var reference, ToolOutcome outcome) -> {
                Long since = began.remove(key);
                String took = since == null
                        ? ""
                        : ", " + Times.took(Duration.ofNanos(nanos.getAsLong() - since));
                boolean isGood = outcome.code().isEmpty();
                String text = "* " + describe(call) + "  " + outcome.code().orElse("ok") + ", "
                        + size(outcome.text()) + took;
                line(isGood ? 1 : ALL, text, isGood ? Style.GOOD : Style.BAD);
            }
        }
    }

    /** The tool with its target on a terminal, else with its arguments. */
    private String describe(CallReference call) {
        String target = shell.isRich(2) ? CallTarget.of(call.arguments()) : "";
        if (!target.isEmpty()) {
            return Shown.name(call.tool()) + " " + target;
        }
        return Shown.name(call.tool()) + " " + Shown.inLine(ShortHandles.in(call.arguments()), ARGUMENTS);
    }

    private static String size(String text) {
        return Times.many(text.length()) + (text.length() == 1 ? " character" : " characters");
    }

    private void line(String text) {
        line(0, text);
    }

    private void line(int first, String text, Style... looks) {
        clear();
        endLine();
        shell.err().remark(first, text, looks);
        isBelowLine = true;
    }

    private void endLine() {
        endThoughts();
        if (words != null) {
            write(words.end());
        } else if (inLine) {
            shell.out().print("\n");
        }
        inLine = false;
    }
}
