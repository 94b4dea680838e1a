package dev.belay.toolbox.file;

import dev.belay.tool.context.Cancellation;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiPredicate;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Visits the regular files below a directory. Links are not followed and protected directories are not entered; depth, time and
 * the number of entries are bounded. Spare threads take parts of the work, so several threads call a visitor at once.
 *
 * <p>A directory stays open while its entries are visited, so at most depth times threads are open.
 */
final class TreeWalk {

    /** Deeper trees are attacks. */
    private static final int DEEPEST = 64;
    /** More entries take longer than the time allowed. */
    private static final long MOST_ENTRIES = 5_000_000;
    /** Files given to a spare thread at once, enough to outweigh the cost of the handover. */
    private static final int SLICE = 256;

    private final BiPredicate<String, String> secrets;
    private final Visitor visitor;
    private final Semaphore spare;
    private final ThreadFactory threads;
    private final LongSupplier nanos;
    private final long end;
    private final Cancellation cancellation;
    private final AtomicLong entries = new AtomicLong();
    private final AtomicBoolean stopped = new AtomicBoolean();
    private final AtomicBoolean tooDeep = new AtomicBoolean();
    private final AtomicReference<@Nullable Throwable> fault = new AtomicReference<>();

    /** Receives the files. */
    @FunctionalInterface
    interface Visitor {

        /**
         * Looks at one file.
         *
         * @param folder its directory, open
         * @param name its name there
         * @param path its path from where the walk began
         * @param attributes its attributes
         */
        void file(Folder folder, Path name, String path, BasicFileAttributes attributes) throws Exception;
    }

    /**
     * The time and the threads of a walk.
     *
     * @param threads makes spare threads
     * @param spare how many of them at most
     * @param nanos a clock
     * @param most how long it may take
     * @param cancellation ends the walk early
     */
    record Means(ThreadFactory threads, int spare, LongSupplier nanos, Duration most,
            Cancellation cancellation) {}

    /**
     * A walk.
     *
     * @param secrets whether a name is passed over, given the path above it from where the walk began
     */
    TreeWalk(BiPredicate<String, String> secrets, Means means, Visitor visitor) {
        this.secrets = secrets;
        this.visitor = visitor;
        spare = new Semaphore(means.spare());
        threads = means.threads();
        nanos = means.nanos();
        end = nanos.getAsLong() + means.most().toNanos();
        cancellation = means.cancellation();
    }

    /** Visits all files below; the folder stays open. */
    void run(Folder folder, String prefix) throws Exception {
        folder(folder, prefix, 0);
        Throwable thrown = fault.get();
        switch (thrown) {
            case null -> {
            }
            case Exception e -> throw e;
            case Error e -> throw e;
            default -> throw new IllegalStateException(thrown);
        }
    }

    /** Why some files were not visited, as text; empty if all were. */
    String shortfall() {
        return (stopped.get()
                ? "[stopped early: there is too much to look through; narrow path or pattern]\n"
                : "")
                + (tooDeep.get() ? "[directories deeper than " + DEEPEST + " were passed over]\n" : "");
    }

    /** Whether to stop; loops inside a file check it too. */
    boolean isOver() {
        if (!stopped.get() && nanos.getAsLong() - end > 0) {
            stopped.set(true);
        }
        return stopped.get() || fault.get() != null;
    }

    private void folder(Folder folder, String prefix, int depth) throws Exception {
        List<Path> names = folder.names();
        names.removeIf(name -> secrets.test(prefix, name.toString()));
        if (entries.addAndGet(names.size()) > MOST_ENTRIES) {
            stopped.set(true);
        }
        names.sort(null);
        List<Thread> forked = new ArrayList<>();
        try {
            for (int from = 0; from < names.size() && !isOver(); from += SLICE) {
                List<Path> slice = names.subList(from, Math.min(from + SLICE, names.size()));
                boolean last = from + SLICE >= names.size();
                if (last || !fork(forked, () -> entries(folder, slice, prefix, depth))) {
                    entries(folder, slice, prefix, depth);
                }
            }
        } catch (Throwable e) {
            fault.compareAndSet(null, e);
        } finally {
            join(forked);
        }
    }

    private void entries(Folder folder, List<Path> names, String prefix, int depth) throws Exception {
        List<Thread> forked = new ArrayList<>();
        try {
            for (Path name : names) {
                cancellation.check();
                if (isOver() || Thread.currentThread().isInterrupted()) {
                    return;
                }
                entry(folder, name, prefix, depth, forked);
            }
        } finally {
            join(forked);
        }
    }

    private void entry(Folder folder, Path name, String prefix, int depth, List<Thread> forked)
            throws Exception {
        BasicFileAttributes attributes;
        try {
            attributes = folder.attributes(name);
        } catch (NoSuchFileException gone) {
            return;
        }
        String path = prefix + name;
        if (attributes.isRegularFile()) {
            visitor.file(folder, name, path, attributes);
        } else if (attributes.isDirectory()) {
            if (depth == DEEPEST) {
                tooDeep.set(true);
                return;
            }
            Folder inner;
            try {
                inner = folder.enter(name);
            } catch (IOException unreadable) {
                return; // gone, not readable, or a link by now
            }
            if (!fork(forked, () -> enter(inner, path, depth))) {
                enter(inner, path, depth);
            }
        }
    }

    private void enter(Folder inner, String path, int depth) throws Exception {
        try (inner) {
            folder(inner, path + "/", depth + 1);
        }
    }

    private interface Work {

        void run() throws Exception;
    }

    private boolean fork(List<Thread> forked, Work work) {
        if (!spare.tryAcquire()) {
            return false;
        }
        Thread thread = threads.newThread(() -> {
            try {
                work.run();
            } catch (Throwable e) {
                fault.compareAndSet(null, e);
            } finally {
                spare.release();
            }
        });
        forked.add(thread);
        thread.start();
        return true;
    }

    /** Waits for the spare threads; an interruption ends their work, but not the wait. */
    private void join(List<Thread> forked) {
        boolean interrupted = false;
        for (Thread thread : forked) {
            while (true) {
                try {
                    thread.join();
                    break;
                } catch (InterruptedException e) {
                    interrupted = true;
                    fault.compareAndSet(null, e);
                }
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
