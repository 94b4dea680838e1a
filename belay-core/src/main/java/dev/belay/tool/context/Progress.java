package dev.belay.tool.context;

/** Reports the progress of a call to listeners. Never blocks, never fails, is never recorded; old reports may be dropped. */
@FunctionalInterface
public interface Progress {

    /** Without listeners. */
    Progress SILENT = message -> {};

    /** Says something; also shows that the call is not idle. */
    void report(String message);
}
