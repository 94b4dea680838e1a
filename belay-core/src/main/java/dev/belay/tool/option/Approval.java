package dev.belay.tool.option;

/** Whether a tool asks a person before it runs. */
public enum Approval {
    /** As the policy says. */
    INHERIT,
    /** Always, unless the policy denies. */
    ALWAYS,
    /** Never, unless the policy denies or asks. */
    NEVER
}
