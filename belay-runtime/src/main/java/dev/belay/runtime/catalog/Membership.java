package dev.belay.runtime.catalog;

/** A decision about a tool. */
public enum Membership {
    /** No decision: the registry above decides, else the tool is a member if it is resident. */
    DEFAULT,
    /** A member, also if it is not resident. An internal tool is never a member. */
    PRESENT,
    /** No member. */
    ABSENT
}
