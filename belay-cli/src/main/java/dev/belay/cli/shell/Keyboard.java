package dev.belay.cli.shell;

import java.io.IOException;
import java.util.function.BooleanSupplier;
import org.jline.terminal.Terminal;
import org.jspecify.annotations.Nullable;

/**
 * A person at the terminal of the process, which is taken for one question at a time.
 *
 * @param shell of the process
 * @param cancel ends what runs, if a person presses Ctrl-C at a question; false if nothing runs
 */
record Keyboard(Shell shell, BooleanSupplier cancel) implements Person {

    @Override
    public @Nullable String ask(String prompt, BooleanSupplier isOpen) throws InterruptedException {
        return edit(prompt, "", isOpen);
    }

    @Override
    public @Nullable String edit(String prompt, String draft, BooleanSupplier isOpen)
            throws InterruptedException {
        try (Terminal terminal = TerminalReader.terminal()) {
            // what ran before answers Ctrl-C again when the terminal is closed
            terminal.handle(Terminal.Signal.INT, signal -> {
                if (!cancel.getAsBoolean()) {
                    System.exit(ExitCode.INTERRUPTED);
                }
            });
            return new TerminalReader(shell, terminal, cancel).edit(prompt, draft, isOpen);
        } catch (IOException broken) {
            throw new CommandProblem(ExitCode.FAILED, "the terminal cannot be used: " + broken.getMessage());
        }
    }
}
