package dev.belay.tool.context;

/** What a call wants of the turn it is in. Only a turn that the runtime owns listens; in a loop of your own, you decide. */
public enum TurnControl {
    /** The turn goes on. */
    GO_ON,
    /** The turn ends with the call's value. */
    FINISH,
    /** The turn ends with the call's failure. */
    FAIL
}
