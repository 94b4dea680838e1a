package dev.belay.testkit;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Looks for an order in which a model, that does one call after another, gives the answers that concurrent callers were given: a call that
 * ended before another began comes before it. Thread-safe.
 *
 * @param <M> the model
 */
public final class SomeOrder<M> {

    /** Calls are kept in the bits of a number. */
    private static final int MOST = 62;

    private final Supplier<M> fresh;
    private final Function<M, String> picture;

    /**
     * A call that has ended.
     *
     * @param begun when, by a counter that all callers share
     * @param ended when
     * @param answer what the caller was told
     * @param words what the caller asked, for messages
     * @param ask asks the model, and changes it
     * @param <M> the model
     */
    public record Call<M>(long begun, long ended, String answer, String words, Function<M, String> ask) {

        @Override
        public String toString() {
            return begun + "-" + ended + " " + words + ": " + answer;
        }
    }

    /**
     * Orders of calls to a model.
     *
     * @param fresh makes a model that was not called
     * @param picture tells models apart that answer differently
     */
    public SomeOrder(Supplier<M> fresh, Function<M, String> picture) {
        this.fresh = fresh;
        this.picture = picture;
    }

    /** Whether the model gives all answers in some order. */
    public boolean explains(List<Call<M>> calls) {
        if (calls.size() > MOST) {
            throw new IllegalArgumentException("at most " + MOST + " calls, found " + calls.size());
        }
        return goesOn(calls, new ArrayList<>(), 0, new HashSet<>());
    }

    private boolean goesOn(List<Call<M>> calls, List<Call<M>> before, long done, Set<String> tried) {
        if (before.size() == calls.size()) {
            return true;
        }
        long firstEnd = Long.MAX_VALUE;
        for (int i = 0; i < calls.size(); i++) {
            if ((done & 1L << i) == 0) {
                firstEnd = Math.min(firstEnd, calls.get(i).ended());
            }
        }
        for (int i = 0; i < calls.size(); i++) {
            Call<M> call = calls.get(i);
            if ((done & 1L << i) != 0 || call.begun() > firstEnd) {
                continue;
            }
            M model = after(before);
            if (call.ask().apply(model).equals(call.answer())
                    && tried.add((done | 1L << i) + " " + picture.apply(model))) {
                before.addLast(call);
                if (goesOn(calls, before, done | 1L << i, tried)) {
                    return true;
                }
                before.removeLast();
            }
        }
        return false;
    }

    /** The model after some calls, whose answers are known to be right. */
    private M after(List<Call<M>> calls) {
        M model = fresh.get();
        for (Call<M> call : calls) {
            String answer = call.ask().apply(model);
            if (!answer.equals(call.answer())) {
                throw new IllegalStateException(
                        "the model answers the same calls differently: " + call + ", then " + answer);
            }
        }
        return model;
    }
}
