package dev.belay.toolbox.command;

import dev.belay.tool.context.Cancellation;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Runs one program and all processes that it starts, with an environment of its own, bounded input, time and output. When it
 * returns or throws, it has ended every process that it can find; if this process dies, a {@link Supervisor} does.
 *
 * <p>Separate threads read the output ({@link ProgramStreams}), and this class does not wait for them: a process that escaped and
 * floods a pipe or holds it open delays no caller. Confined to one call.
 */
final class ProgramRun {

    /** The variable by which everything that was started can be found again, also after a restart: it begins with the call. */
    static final String MARK = "BELAY_CALL";

    /** Between asking processes to end and ending them; the runtime gives a call one second. */
    private static final long GRACE_MILLIS = 400;
    private static final long PAUSE_MILLIS = 20;
    private static final long LOOK_EVERY_NANOS = TimeUnit.MILLISECONDS.toNanos(200);
    /** Platform threads: a wait for a pipe pins the carrier of a virtual thread, and there are only as many carriers as cores. */
    static final ThreadFactory THREADS = Thread.ofPlatform().daemon().name("belay-output-", 1).factory();

    private static final AtomicLong RUNS = new AtomicLong();
    private static final Set<String> RUNNING = ConcurrentHashMap.newKeySet();

    private static final int OUT_HEAD = 8 << 10;
    private static final int OUT_TAIL = 16 << 10;
    private static final int ERR_HEAD = 4 << 10;
    private static final int ERR_TAIL = 8 << 10;

    /**
     * A program to run.
     *
     * @param call the idempotency key of the call that runs it
     * @param command the program and its arguments
     * @param directory where
     * @param environment its whole environment, without the mark
     * @param input its standard input; may be empty
     * @param most its time limit
     */
    record Program(String call, List<String> command, Path directory, Map<String, String> environment,
            String input,
            Duration most) {}

    /**
     * The end of a program.
     *
     * @param exit its exit code; -1 if it was ended
     * @param out its standard output
     * @param err its standard error
     * @param timedOut whether its time was up
     * @param leftBehind how many processes it left running, which were ended
     */
    record Ended(int exit, HeadTail out, HeadTail err, boolean timedOut, int leftBehind) {}

    private final Program program;
    private final HeadTail out;
    private final HeadTail err;

    private ProgramRun(Program program, int outTail) {
        this.program = program;
        out = new HeadTail(OUT_HEAD, outTail);
        err = new HeadTail(ERR_HEAD, ERR_TAIL);
    }

    /**
     * Runs it; an {@link IOException} means that it was never started, unless it is a {@link ProgramStreams.LostException}.
     *
     * @param threads makes the threads that wait for output; they must not be virtual
     */
    static Ended run(Program program, ThreadFactory threads, Cancellation cancellation)
            throws IOException, InterruptedException {
        return new ProgramRun(program, OUT_TAIL).run(threads, cancellation);
    }

    /** The same, keeping up to so many bytes of its output whole. */
    static Ended run(Program program, int mostOut, ThreadFactory threads, Cancellation cancellation)
            throws IOException, InterruptedException {
        return new ProgramRun(program, mostOut - OUT_HEAD).run(threads, cancellation);
    }

    /** Whether a call runs its program in this process. */
    static boolean isRunning(String call) {
        return RUNNING.contains(call);
    }

    /** The beginning of the mark of each run of a call, as it stands in an environment. */
    static String marks(String call) {
        return MARK + "=" + call + "-";
    }

    private Ended run(ThreadFactory threads, Cancellation cancellation)
            throws IOException, InterruptedException {
        cancellation.check();
        RUNNING.add(program.call());
        String mark = program.call() + "-" + ProcessHandle.current().pid() + "-" + RUNS.incrementAndGet()
                + "-"
                + System.nanoTime();
        try (ProgramStreams streams = ProgramStreams.open(program.input(), out, err, threads);
                Supervisor supervisor = Supervisor.start(MARK + "=" + mark)) {
            Process process = streams.start(builder(mark));
            supervisor.watch(process);
            return finish(process, new ProcessTree(process, MARK + "=" + mark, streams.directory()), streams,
                    cancellation);
        } finally {
            RUNNING.remove(program.call());
        }
    }

    private Ended finish(Process process, ProcessTree tree, ProgramStreams streams, Cancellation cancellation)
            throws IOException, InterruptedException {
        boolean cleared = false;
        try {
            boolean ended = await(process, tree, streams, cancellation);
            // at once if the program has ended: the remaining processes may be flooding and are not waited for
            int left = tree.end(ended ? 0 : GRACE_MILLIS);
            cleared = true;
            streams.finish();
            return new Ended(ended ? process.exitValue() : -1, out, err, !ended, left);
        } finally {
            if (!cleared) {
                tree.end(GRACE_MILLIS);
            }
        }
    }

    private ProcessBuilder builder(String mark) {
        List<String> command = new ArrayList<>(OwnSession.starter().orElse(List.of()));
        command.addAll(program.command());
        var builder = new ProcessBuilder(command).directory(program.directory().toFile());
        builder.environment().clear();
        builder.environment().putAll(program.environment());
        builder.environment().put(MARK, mark);
        return builder;
    }

    /** Waits; true if the program ended by itself. */
    private boolean await(Process process, ProcessTree tree, ProgramStreams streams,
            Cancellation cancellation)
            throws IOException, InterruptedException {
        long start = System.nanoTime();
        long looked = start;
        while (!process.waitFor(PAUSE_MILLIS, TimeUnit.MILLISECONDS)) {
            cancellation.check();
            streams.check();
            long now = System.nanoTime();
            if (now - start > program.most().toNanos()) {
                return false;
            }
            if (now - looked > LOOK_EVERY_NANOS) {
                tree.look();
                looked = now;
            }
        }
        return true;
    }
}
