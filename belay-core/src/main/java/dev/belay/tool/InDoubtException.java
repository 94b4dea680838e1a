package dev.belay.tool;

/**
 * Tells a resumable body that one of its {@code ONCE} steps started before a crash and left no outcome: it may have happened.
 * A body that can find out what became of it catches this; uncaught, the call ends as {@code in_doubt}.
 */
public final class InDoubtException extends ToolException {

    private static final long serialVersionUID = 1L;

    private final String stepId;

    /** Creates one for a step. */
    public InDoubtException(String stepId) {
        super(ToolFailure.inDoubt("step \"" + stepId + "\" started and left no outcome"));
        this.stepId = stepId;
    }

    /** The step. */
    public String stepId() {
        return stepId;
    }
}
