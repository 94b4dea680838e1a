package dev.belay.cli.talk;

import org.jspecify.annotations.Nullable;

/** Answers questions. Thread-safe; questions are asked one after another. */
interface Person {

    /** There is no person: every question finds the end of input. */
    Person NONE = prompt -> null;

    /**
     * Asks.
     *
     * @return the line that was typed; null if no more will come
     * @throws InterruptedException if the asking thread is to end
     */
    @Nullable
    String ask(String prompt) throws InterruptedException;
}
