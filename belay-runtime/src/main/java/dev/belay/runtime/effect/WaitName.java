package dev.belay.runtime.effect;

import dev.belay.json.FramedHash;
import dev.belay.tool.context.Incarnation;

/**
 * Names a wait within its scope.
 *
 * @param value 1 to 1024 characters, none of them a control character
 */
public record WaitName(String value) {

    private static final int LONGEST = 1024;
    private static final int KEY_ID_DIGITS = 24;

    /** Checks the length and the characters. */
    public WaitName {
        StoredNames.check("the name of a wait", value, LONGEST);
    }

    /** The public name of this wait of a scope, which its key has as {@code id()}: it reveals nothing and settles nothing. */
    public String keyId(ScopeId scope, Incarnation incarnation) {
        return "w" + new FramedHash().add("belay-wait-1")
                .add(incarnation.bytes())
                .add(scope.value())
                .add(value)
                .hex()
                .substring(0, KEY_ID_DIGITS);
    }

    @Override
    public String toString() {
        return value;
    }
}
