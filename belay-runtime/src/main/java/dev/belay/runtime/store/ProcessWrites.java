package dev.belay.runtime.store;

/** What a {@link dev.belay.runtime.store.journal.JournalProbe} is told of each write of processes. The same in every store. */
public final class ProcessWrites {

    private ProcessWrites() {}

    /** {@code start-process PROCESS}. */
    public static String start(ProcessId process) {
        return "start-process " + process;
    }

    /** {@code grant-process PROCESS SESSION}. */
    public static String grant(ProcessId process, SessionId session) {
        return "grant-process " + process + " " + session;
    }

    /** {@code event PROCESS KEY}. */
    public static String event(ProcessId process, String key) {
        return "event " + process + " " + key;
    }

    /** {@code signal PROCESS}. */
    public static String signal(ProcessId process) {
        return "signal " + process;
    }

    /** {@code watch PROCESS}. */
    public static String watch(ProcessId process) {
        return "watch " + process;
    }

    /** {@code end-process PROCESS}. */
    public static String end(ProcessId process) {
        return "end-process " + process;
    }

    /** {@code abandon-process PROCESS}. */
    public static String abandon(ProcessId process) {
        return "abandon-process " + process;
    }
}
