package dev.belay.runtime.store;

/** What a {@link dev.belay.runtime.store.journal.JournalProbe} is told of each write of sessions. The same in every store. */
public final class SessionWrites {

    private SessionWrites() {}

    /** {@code accept SESSION INPUT}. */
    public static String accept(SessionId session, String input) {
        return "accept " + session + " " + input;
    }

    /** {@code withdraw SESSION INPUT}. */
    public static String withdraw(SessionId session, String input) {
        return "withdraw " + session + " " + input;
    }

    /** {@code commit SESSION TURN}. */
    public static String commit(SessionId session, long turn) {
        return "commit " + session + " " + turn;
    }

    /** {@code abandon SESSION TURN}. */
    public static String abandon(SessionId session, long turn) {
        return "abandon " + session + " " + turn;
    }

    /** {@code create SESSION}. */
    public static String create(SessionId session) {
        return "create " + session;
    }

    /** {@code delete SESSION}. */
    public static String delete(SessionId session) {
        return "delete " + session;
    }
}
