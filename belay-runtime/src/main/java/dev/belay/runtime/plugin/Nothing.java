package dev.belay.runtime.plugin;

/** The input of an action that needs none. */
public record Nothing() {

    /** The only one that is needed. */
    public static final Nothing NOTHING = new Nothing();
}
