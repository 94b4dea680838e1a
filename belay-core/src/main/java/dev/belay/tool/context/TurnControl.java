package dev.belay.tool.context;

/** What a call asks of its turn. Only a turn of the runtime's loop obeys; in a loop of your own, your code decides. */
public enum TurnControl {
    /** The turn goes on. */
    GO_ON,
    /** The turn ends with the call's value. */
    FINISH,
    /** The turn ends with the call's failure. */
    FAIL
}
