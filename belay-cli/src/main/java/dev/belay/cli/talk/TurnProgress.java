package dev.belay.cli.talk;

import dev.belay.cli.shell.Shell;
import dev.belay.cli.shell.Times;
import dev.belay.runtime.dispatch.CallEvent;
import dev.belay.runtime.dispatch.CallReference;
import dev.belay.runtime.session.TurnEvent;
import dev.belay.schema.Shown;
import dev.belay.tool.ToolOutcome;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;

/**
 * Tells what happens in a turn: a line for each call on standard error, and the model's words as they come if standard output is a
 * terminal. Thread-safe.
 */
final class TurnProgress {

    private static final int ARGUMENTS = 80;
    private static final String MODEL = "model";
    private static final String FRAMES = "|/-\\";
    /** The rest of the line; what was there is longer at times. */
    private static final String CLEAR = "\u001b[K";
    /** After so long without a word of the model a line says so, where nothing turns; then after twice as long. */
    private static final Duration FIRST_SILENCE = Duration.ofSeconds(30);
    /** Fits a terminal of 20 columns, with the time. */
    private static final int LONGEST_WORK = 10;

    private final Shell shell;
    private final boolean isQuiet;
    private final LongSupplier nanos;
    private final Map<String, Long> began = new HashMap<>();
    private final Set<String> waiting = new HashSet<>();
    private boolean inLine;
    private boolean streamed;
    private boolean spins;
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
                streamed = false;
                works(MODEL);
            }
            case TurnEvent.Text text when shell.terminals().contains(1) -> {
                clear();
                shell.out().print(Shown.output(text.chunk()));
                inLine = !text.chunk().endsWith("\n");
                streamed = true;
            }
            case TurnEvent.Text text -> heard();
            case TurnEvent.Reasoning reasoning -> heard();
            case TurnEvent.ModelWaiting waiting -> {
                if (!waiting.message().equals(trouble)) { // told once, not with every try
                    trouble = waiting.message();
                    line("the model does not answer (" + waiting.code() + "): " + trouble
                            + "; asked again until " + waiting.until().truncatedTo(ChronoUnit.SECONDS));
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
        spins = true;
        shell.err()
                .control("\r" + FRAMES.charAt(frame++ % FRAMES.length()) + " "
                        + Shown.inLine(work, LONGEST_WORK) + " "
                        + Duration.ofNanos(nanos.getAsLong() - since).toSeconds() + " s" + CLEAR);
    }

    /** While a person is asked, nothing moves; the time of calls that asked counts from the answer on. */
    synchronized void hold(boolean held) {
        clear();
        isHeld = held;
        if (!held) {
            waiting.forEach(call -> began.put(call, nanos.getAsLong()));
            waiting.clear();
        }
    }

    private void clear() {
        if (spins) {
            spins = false;
            shell.err().control("\r" + CLEAR);
        }
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
                line("* " + describe(call) + "  waits for an answer"
                        + (announcement == null ? "" : ": " + Shown.inLine(announcement, ARGUMENTS)));
            }
            case CallEvent.InDoubt(var reference, String doubt, boolean held) ->
                line("! " + describe(call) + "  may have happened: doubt " + doubt);
            case CallEvent.Finished(var reference, ToolOutcome outcome) -> {
                Long since = began.remove(key);
                String took = since == null
                        ? ""
                        : ", " + Times.took(Duration.ofNanos(nanos.getAsLong() - since));
                line("* " + describe(call) + "  " + outcome.code().orElse("ok") + ", " + size(outcome.text())
                        + took);
            }
        }
    }

    private static String describe(CallReference call) {
        return Shown.name(call.tool()) + " " + Shown.inLine(call.arguments(), ARGUMENTS);
    }

    private static String size(String text) {
        int length = text.length();
        return length < 1_000
                ? length + (length == 1 ? " character" : " characters")
                : length / 1_000 + "k characters";
    }

    private void line(String text) {
        clear();
        endLine();
        shell.err().remark(text);
    }

    private void endLine() {
        if (inLine) {
            shell.out().print("\n");
            inLine = false;
        }
    }
}
