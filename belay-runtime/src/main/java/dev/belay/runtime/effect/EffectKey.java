package dev.belay.runtime.effect;

/**
 * Names one effect within its scope. It depends only on values that were recorded before, never on time or chance.
 *
 * @param value 1 to 1024 characters, none of them a control character
 */
public record EffectKey(String value) {

    private static final int LONGEST = 1024;

    /** Checks the length and the characters. */
    public EffectKey {
        StoredNames.check("an effect key", value, LONGEST);
    }

    @Override
    public String toString() {
        return value;
    }
}
