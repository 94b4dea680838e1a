package dev.belay.runtime.store;

/**
 * Who asks for an operator's verb, as the caller says.
 *
 * @param name a person or a program
 * @param door by which way, such as {@code library} or {@code command}
 */
public record Actor(String name, String door) {

    private static final int LONGEST = 200;

    /** The program itself. */
    public static final Actor PROGRAM = new Actor("program", "library");

    /** The policy of an agent. */
    public static final Actor POLICY = new Actor("policy", "gate");

    /** Checks that both are said. */
    public Actor {
        for (String part : new String[]{name, door}) {
            if (part.isBlank() || part.length() > LONGEST) {
                throw new IllegalArgumentException("name and door of an actor have 1 to " + LONGEST
                        + " characters and are not blank: \"" + part + "\"");
            }
        }
    }
}
