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

    /** Whether the wait of a number is settled. */
    @FunctionalInterface
    public interface Settled<X extends Exception> {

        /** Looks. */
        boolean is(int number) throws X;
    }

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

    /** The first number whose wait is not settled. Looks only so often that a process may get any number of signals. */
    public static <X extends Exception> int next(Settled<X> settled) throws X {
        int last = 0;
        int free = 1;
        while (settled.is(free)) {
            last = free;
            free = Math.multiplyExact(free, 2);
        }
        while (free - last > 1) {
            int middle = last + (free - last) / 2;
            if (settled.is(middle)) {
                last = middle;
            } else {
                free = middle;
            }
        }
        return free;
    }
}
