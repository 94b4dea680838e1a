package dev.belay.runtime.effect.scope;

import dev.belay.runtime.effect.OpenWait;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** What a suspended scope waits for. */
sealed interface Waiting {

    /**
     * A wait to be settled.
     *
     * @param opens how it is opened if it is not open yet
     * @param deadline when it times out, or null
     */
    record ForWait(OpenWait opens, @Nullable Instant deadline) implements Waiting {}

    /**
     * A moment to come.
     *
     * @param due which
     */
    record ForTime(Instant due) implements Waiting {}

    /**
     * A resource to be free.
     *
     * @param ticket the place in its queue
     * @param again when to ask the store again because another process holds it, or null
     */
    record ForResource(ResourceQueues.Ticket ticket, @Nullable Instant again) implements Waiting {}
}
