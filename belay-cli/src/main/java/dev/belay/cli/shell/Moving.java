package dev.belay.cli.shell;

import java.time.Duration;

/** A line that moves while something takes its time, on a terminal where lines may change. Thread-safe. */
public final class Moving {

    private static final Duration TICK = Duration.ofMillis(100);
    private static final String FRAMES = "|/-\\";

    private final Shell shell;
    private final Thread thread;
    private boolean isOver;

    private Moving(Shell shell, String word) {
        this.shell = shell;
        thread = Thread.ofVirtual().name("belay-moving").unstarted(() -> move(word));
    }

    /** Moves until its end. */
    public static Moving start(Shell shell, String word) {
        var moving = new Moving(shell, word);
        if (shell.isLively()) {
            moving.thread.start();
        }
        return moving;
    }

    private void move(String word) {
        try {
            for (int frame = 0;; frame++) {
                Thread.sleep(TICK);
                show(frame(frame, word, TICK.multipliedBy(frame)));
            }
        } catch (InterruptedException over) {
            Thread.currentThread().interrupt();
        }
    }

    private synchronized void show(String frame) {
        if (!isOver) {
            shell.err().passing(frame);
        }
    }

    /** What stands there at a moment. */
    public static String frame(int number, String word, Duration since) {
        return FRAMES.charAt(number % FRAMES.length()) + " " + word + " " + since.toSeconds() + " s";
    }

    /** Moves no more, and leaves nothing behind. */
    public synchronized void end() {
        isOver = true;
        thread.interrupt();
        shell.err().passing("");
    }
}
