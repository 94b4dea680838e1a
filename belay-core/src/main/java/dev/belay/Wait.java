package dev.belay;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Something that work waits for until a person, a service or an operator acts. Made by the runtime and by the test kit; it never holds a
 * whole key or a password. Thread-safe.
 */
public interface Wait {

    /** What is waited for. */
    enum Kind {
        /** A person's word whether a call may run. */
        APPROVAL("an approval"),
        /** The result of a parked call, or of work outside. */
        COMPLETION("a completion"),
        /** An event or a signal that a body awaits. */
        EVENT("an event"),
        /** A person's word whether a call has happened. */
        DOUBT("the end of a doubt"),
        /** The end of a pause. */
        PAUSE("the end of a pause"),
        /** The program that owns the loop of the turn. */
        PROGRAM("the program that owns its loop"),
        /** A build of a plugin that can read what is kept for it. */
        PLUGIN("another build of a plugin"),
        /** A program that is configured otherwise. */
        CONFIGURATION("another configuration"),
        /** A program that defines the agent. */
        AGENT("a program that defines its agent");

        private final String words;

        Kind(String words) {
            this.words = words;
        }

        /** In words, with their article. */
        public String words() {
            return words;
        }
    }

    /** What is waited for. */
    Kind kind();

    /** The session whose turn waits; empty outside sessions. */
    String session();

    /** The number of that turn; 0 outside turns. */
    long turn();

    /** The tool whose call waits; empty if no call does. */
    String tool();

    /** The arguments of that call as a person is shown them: escaped, on one line, cut; empty if no call waits. */
    String arguments();

    /** Why, in words: who asks for the approval, the announcement of the tool, the pause, the plugin or the agent; may be empty. */
    String detail();

    /** The public id of the key that settles it; empty if no key does. */
    String keyId();

    /** What an answer to an approval must name; else empty. */
    String digest();

    /** Since when. */
    Instant since();

    /** When it ends by itself. */
    Optional<Instant> until();

    /** The code that answers it. */
    String code();

    /** The command line that answers it; empty if no command can reach the store. */
    String command();

    /** What one wait is, on one line. */
    static String line(Wait wait) {
        var line = new StringBuilder(wait.tool().isEmpty() ? wait.kind().words() : wait.tool());
        if (!wait.arguments().isEmpty()) {
            line.append(' ').append(wait.arguments());
        }
        if (!wait.detail().isEmpty()) {
            line.append(", ").append(wait.detail());
        }
        if (!wait.keyId().isEmpty()) {
            line.append(", key ").append(wait.keyId());
        }
        wait.until().ifPresent(until -> line.append(", until ").append(until));
        return line.toString();
    }

    /**
     * Waits for what comes after a rest.
     *
     * @param <T> the result that has rested
     */
    @FunctionalInterface
    interface Next<T> {

        /** What comes when other waits than these are open, or the end has come. */
        T after(List<Wait> waits) throws InterruptedException;
    }
}
