package dev.belay.runtime.store.journal;

import dev.belay.runtime.effect.Resolution;
import org.jspecify.annotations.Nullable;

/**
 * What a write led to.
 *
 * @param refusal why it was not applied, or null if it was
 * @param resourceFence the fence of the resource that was taken, or 0
 * @param doubt the doubt that refused it, or null
 * @param answer the answer that refused it, or null
 */
public record Written(@Nullable Refusal refusal, long resourceFence, @Nullable String doubt,
        @Nullable Resolution answer) {

    /** It was applied, and took no resource. */
    public static final Written DONE = new Written(null, 0);

    /** What neither a doubt nor an answer has refused. */
    public Written(@Nullable Refusal refusal, long resourceFence) {
        this(refusal, resourceFence, null, null);
    }

    /** What a doubt has refused. */
    public static Written doubted(String doubt) {
        return new Written(Refusal.DOUBT, 0, doubt, null);
    }

    /** Why a write was not applied. */
    public enum Refusal {
        /** The scope was taken over, has ended or does not exist. */
        FENCED,
        /** The resource has another holder, who is alive. */
        BUSY,
        /** A doubt about the same call, or about its resource, is not settled. */
        DOUBT,
        /** The wait that it would close has an answer. */
        ANSWERED,
        /** The effect is recorded already. */
        CONFLICT
    }
}
