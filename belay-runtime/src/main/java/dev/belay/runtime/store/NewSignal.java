package dev.belay.runtime.store;

import dev.belay.json.Json;
import dev.belay.runtime.effect.Resolution;
import dev.belay.runtime.effect.WaitName;
import org.jspecify.annotations.Nullable;

/**
 * A signal on its way to a process. Signals of one name have waits that are numbered from 1, and are settled in the order of these
 * numbers, by signals or by themselves.
 *
 * @param before what the name of a wait has before its number
 * @param after what it has behind
 * @param once a wait of its own that is settled together with it, so that the same signal is found when it is sent again; null if
 *        each time counts
 * @param sent what the wait is settled with
 */
public record NewSignal(String before, String after, @Nullable WaitName once, Json sent) {

    /** The wait of a number. */
    public WaitName wait(int number) {
        return new WaitName(before + number + after);
    }

    /** What settles that wait. */
    public Resolution resolution() {
        return Resolution.ok(sent);
    }

    /** What settles the wait by which the signal is found again: the number that it got. */
    public static Resolution got(int number) {
        return Resolution.ok(Json.number(number));
    }
}
