package dev.belay.runtime.store.journal;

import dev.belay.runtime.effect.StoredNames;
import dev.belay.runtime.store.Actor;
import dev.belay.runtime.store.SessionId;
import dev.belay.runtime.store.SessionProfile;
import java.time.Instant;
import java.util.Locale;

/**
 * A pause that is in force: inputs are accepted, what runs goes on, and nothing of its target begins.
 *
 * @param target what is paused
 * @param by who asked for it
 * @param reason why
 * @param since when
 */
public record Pause(Target target, Actor by, String reason, Instant since) {

    /** What can be paused. */
    public enum Type {
        /** All turns, processes and calls. */
        EVERYTHING,
        /** The turns of an agent, and processes that call its tools. */
        AGENT,
        /** The calls of a tool, whichever agent has it. */
        TOOL,
        /** The turns of a session. */
        SESSION;

        /** Its name in rows and keys. */
        public String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /**
     * What is paused.
     *
     * @param type of it
     * @param name of it; {@code *} for everything
     */
    public record Target(Type type, String name) {

        private static final int LONGEST_TOOL = 128;
        private static final String ALL = "*";

        /** Everything. */
        public static final Target EVERYTHING = new Target(Type.EVERYTHING, ALL);

        /** Checks the name. */
        public Target {
            switch (type) {
                case EVERYTHING -> {
                    if (!name.equals(ALL)) {
                        throw new IllegalArgumentException(
                                "everything has the name *, found \"" + name + "\"");
                    }
                }
                case AGENT -> SessionProfile.requireAgent(name);
                case TOOL -> StoredNames.check("the name of a tool", name, LONGEST_TOOL);
                case SESSION -> new SessionId(name);
            }
        }

        /** An agent. */
        public static Target agent(String name) {
            return new Target(Type.AGENT, name);
        }

        /** A tool, by its name. */
        public static Target tool(String name) {
            return new Target(Type.TOOL, name);
        }

        /** A session. */
        public static Target session(String id) {
            return new Target(Type.SESSION, id);
        }

        /** Its key: the type and the name. */
        public String key() {
            return type.word() + "/" + name;
        }

        /** The target of a key. */
        public static Target of(String key) {
            int slash = key.indexOf('/');
            return new Target(Type.valueOf(key.substring(0, slash).toUpperCase(Locale.ROOT)),
                    key.substring(slash + 1));
        }

        @Override
        public String toString() {
            return this.equals(EVERYTHING) ? "everything" : type.word() + " " + name;
        }
    }
}
