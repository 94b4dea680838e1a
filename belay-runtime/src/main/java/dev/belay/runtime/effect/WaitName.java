package dev.belay.runtime.effect;

/**
 * Names a wait within its scope.
 *
 * @param value 1 to 1024 characters, none of them a control character
 */
public record WaitName(String value) {

    private static final int LONGEST = 1024;

    /** Checks the length and the characters. */
    public WaitName {
        StoredNames.check("the name of a wait", value, LONGEST);
    }

    @Override
    public String toString() {
        return value;
    }
}
