package dev.belay.cli.shell;

import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** Answers questions. Confined to one thread; questions are asked one after another. */
public interface Person {

    /** There is no person: every question finds the end of input. */
    Person NONE = (prompt, isOpen) -> null;

    /**
     * Asks. At a terminal, only what was typed behind the prompt answers.
     *
     * @param isOpen whether the question still stands; looked at from time to time
     * @return the line that was typed; null if no more will come, or if the question does not stand any more
     * @throws InterruptedException if the asking thread is to end
     */
    @Nullable
    String ask(String prompt, BooleanSupplier isOpen) throws InterruptedException;

    /** Asks for a change of a text. */
    default @Nullable String edit(String prompt, String draft, BooleanSupplier isOpen)
            throws InterruptedException {
        return ask("  " + draft + "\n" + prompt, isOpen);
    }
}
