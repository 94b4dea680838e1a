package dev.belay.tool.option;

/** When a call runs within its batch. */
public enum Scheduling {
    /** Together with the other parallel calls of the batch. */
    PARALLEL,
    /** After all parallel calls, one at a time, in the model's order. */
    SERIAL
}
