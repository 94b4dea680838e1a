package dev.belay.runtime.effect.scope;

import dev.belay.runtime.effect.OpenWait;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A condition that an entry waits for. */
public sealed interface Waiting {

    /** When the condition may hold by itself, or null if only another thread can make it hold. */
    default @Nullable Instant due() {
        return switch (this) {
            case ForWait(OpenWait wait, var deadline) -> deadline;
            case ForTime(Instant moment) -> moment;
            case ForResource(var ticket, var again, var pausedBy) -> again;
            case ForPause pause -> null;
        };
    }

    /**
     * A wait is settled.
     *
     * @param opens how it is opened if it is not open yet
     * @param deadline when it times out, or null
     */
    record ForWait(OpenWait opens, @Nullable Instant deadline) implements Waiting {}

    /**
     * A moment has come.
     *
     * @param moment which
     */
    record ForTime(Instant moment) implements Waiting {}

    /**
     * A resource is free.
     *
     * @param ticket the place in its queue
     * @param again when to ask the store again because another process holds it, or null
     * @param pausedBy the keys of pauses that end this wait: a paused call has no place in a queue
     */
    record ForResource(ResourceQueues.Ticket ticket, @Nullable Instant again,
            List<String> pausedBy) implements Waiting {}

    /**
     * A pause has ended.
     *
     * @param key of its target
     */
    record ForPause(String key) implements Waiting {}
}
