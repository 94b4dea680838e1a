package dev.belay.runtime.plugin;

/** Where a contribution stands in the prompt. What rarely changes comes first, so that providers' caches hold. */
public enum Slot {
    /** After the instructions. */
    SYSTEM,
    /** What is around: machine, project, user. */
    ENVIRONMENT,
    /** How to use tools. */
    TOOLS,
    /** After the conversation; sent once and not kept. */
    VOLATILE
}
