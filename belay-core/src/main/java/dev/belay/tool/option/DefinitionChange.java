package dev.belay.tool.option;

/** What happens to a started or waiting call whose tool has another fingerprint after a restart. */
public enum DefinitionChange {
    /** Fails with {@code definition_changed}. */
    FAIL,
    /** Goes on with the new definition. */
    CONTINUE,
    /** Asks a person; a started {@code ONCE} call is held in doubt first. */
    ASK
}
