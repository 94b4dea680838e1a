package dev.belay.runtime.effect;

/**
 * Names a scope: the turn, batch or process that owns effects. The code that submits a scope chooses its name; the same name with the
 * same input is the same scope.
 *
 * @param value 1 to 256 characters, none of them a control character
 */
public record ScopeId(String value) {

    private static final int LONGEST = 256;

    /** Checks the length and the characters. */
    public ScopeId {
        StoredNames.check("a scope id", value, LONGEST);
    }

    @Override
    public String toString() {
        return value;
    }
}
