package dev.belay.cli.shell;

import java.io.IOException;
import java.nio.charset.StandardCharsets;

/**
 * Keeps the terminal from writing {@code ^C} into a line of ours when a person presses Ctrl-C. A process that is killed leaves it so, which
 * harms nothing else. Stateless.
 */
public final class ControlEcho {

    private ControlEcho() {}

    /** Something that a person may interrupt. */
    @FunctionalInterface
    public interface Work {

        /** Its exit code. */
        int run() throws InterruptedException;
    }

    /** Runs work on a terminal that does not write so. */
    public static int without(Shell shell, Work work) throws InterruptedException {
        String before = shell.canAsk() && shell.isLively() ? stty("stty -g && stty -echoctl") : "";
        try {
            return work.run();
        } finally {
            if (before.matches("[0-9a-f:=]+")) {
                stty("stty " + before);
            }
        }
    }

    private static String stty(String command) {
        try {
            Process process = new ProcessBuilder("sh", "-c", "exec </dev/tty && " + command)
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
        } catch (IOException noStty) {
            return "";
        }
    }
}
