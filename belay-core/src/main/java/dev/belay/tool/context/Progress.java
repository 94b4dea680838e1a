package dev.belay.tool.context;

/** Tells whoever watches how far a call is. Never blocks, never fails, is never recorded; the oldest may be dropped. */
@FunctionalInterface
public interface Progress {

    /** Nobody watches. */
    Progress SILENT = message -> {};

    /** Says something; also shows that the call is not idle. */
    void report(String message);
}
