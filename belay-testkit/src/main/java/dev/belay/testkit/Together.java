package dev.belay.testkit;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;

/** Starts actions at the same moment, each on a thread of its own, and waits for all of them. */
public final class Together {

    private Together() {}

    /** The results in the order of the actions; the first failure is thrown. */
    public static <T> List<T> run(List<? extends Callable<? extends T>> actions) {
        var start = new CyclicBarrier(actions.size());
        List<FutureTask<T>> tasks = new ArrayList<>();
        for (Callable<? extends T> action : actions) {
            var task = new FutureTask<T>(() -> {
                start.await();
                return action.call();
            });
            tasks.add(task);
            Thread.ofPlatform().daemon().start(task);
        }
        List<T> results = new ArrayList<>();
        for (FutureTask<T> task : tasks) {
            try {
                results.add(task.get());
            } catch (ExecutionException e) {
                throw new AssertionError("one of the threads failed", e.getCause());
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new AssertionError("interrupted", e);
            }
        }
        return results;
    }
}
