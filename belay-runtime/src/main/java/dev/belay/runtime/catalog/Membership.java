package dev.belay.runtime.catalog;

/** What was decided about a tool. */
public enum Membership {
    /** Nothing: what the registry above says, else a member if the tool is resident. */
    DEFAULT,
    /** A member, also if it is not resident. An internal tool is never one. */
    PRESENT,
    /** No member. */
    ABSENT
}
