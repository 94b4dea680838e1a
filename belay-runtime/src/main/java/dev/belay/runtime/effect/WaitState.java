package dev.belay.runtime.effect;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The recorded state of a wait.
 *
 * @param name of the wait
 * @param kind what its settlement means for the scope
 * @param deadline when it times out, or null
 * @param announcement told to the user, or null
 * @param opened whether the scope has come to wait for it; a wait may be settled before
 * @param resolution that settled it, or null while it is open
 */
public record WaitState(WaitName name, OpenWait.Kind kind, @Nullable Instant deadline,
        @Nullable String announcement, boolean opened, @Nullable Resolution resolution) {}
