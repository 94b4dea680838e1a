package dev.belay.runtime.output;

import java.util.Optional;

/** Keeps whole outputs while a projector shows a batch. Confined to the thread that shows it. */
@FunctionalInterface
public interface OutputKeeper {

    /** Keeps nothing: outside sessions, and for turns that are abandoned. */
    OutputKeeper NONE = text -> Optional.empty();

    /**
     * Keeps an output with its session, by content: the same text again gives the same handle and writes nothing.
     *
     * @return the handle for {@code read_output}; empty if nothing is kept here, or the text has more than 64 MiB
     */
    Optional<String> keep(String text);
}
