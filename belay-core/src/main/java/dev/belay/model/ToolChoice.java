package dev.belay.model;

/** Whether the model may, must or must not call a tool. It is asked, not enforced: a model may still do otherwise. */
public sealed interface ToolChoice {

    /** Leaves it to the model; the default. */
    static ToolChoice auto() {
        return new Auto();
    }

    /** Asks for at least one call. */
    static ToolChoice any() {
        return new Any();
    }

    /** Asks for a call of one tool. */
    static ToolChoice specific(String name) {
        return new Specific(name);
    }

    /** Asks for no call, though tools are shown. */
    static ToolChoice none() {
        return new None();
    }

    /** The model decides. */
    record Auto() implements ToolChoice {}

    /** At least one call. */
    record Any() implements ToolChoice {}

    /**
     * A call of this tool.
     *
     * @param name one of the tools offered
     */
    record Specific(String name) implements ToolChoice {

        /** Refuses a name that no tool can have. */
        public Specific {
            ToolSpec.checkName(name, "tool to be chosen");
        }
    }

    /** No call. */
    record None() implements ToolChoice {}
}
