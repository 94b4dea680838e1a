package dev.belay.tool.option;

/**
 * How much of an output a tool wants shown to the model, and from which end.
 *
 * @param maxBytes at most this many bytes of UTF-8
 * @param maxLines at most this many lines
 * @param keep the part that is kept when it is too long
 */
public record OutputBudget(int maxBytes, int maxLines, Keep keep) {

    /** Which part of a long output is kept. */
    public enum Keep {
        /** The beginning. */
        HEAD,
        /** The end. */
        TAIL,
        /** Both, with the middle left out. */
        BOTH
    }

    /** Refuses bounds below one. */
    public OutputBudget {
        if (maxBytes < 1 || maxLines < 1) {
            throw new IllegalArgumentException(
                    "a budget must allow something, found " + maxBytes + " bytes and " + maxLines + " lines");
        }
    }
}
