package dev.belay.cli.talk;

import dev.belay.tool.ToolEffect;

/** What happens to a call that changes something. */
enum ApproveMode {
    /** A person is asked. */
    ASK,
    /** It is refused: only {@code READ} runs. */
    SAFE,
    /** It is refused, because a person would be asked. */
    NEVER,
    /** It runs. */
    ALL;

    /** Whether a call of this effect runs without a question. */
    boolean lets(ToolEffect effect) {
        return this == ALL || effect == ToolEffect.READ;
    }
}
