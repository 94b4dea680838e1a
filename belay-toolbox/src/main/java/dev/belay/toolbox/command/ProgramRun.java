package dev.belay.toolbox.command;

import dev.belay.tool.Cancellation;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Runs one program and whatever it starts: environment from nothing, input that ends, time and output bounded, and at the end
 * nobody left, however it ends.
 *
 * <p>Output is taken while it comes and never waited for, so that a process that got away and holds on to the pipe holds up
 * nobody. Confined to one call.
 */
final class ProgramRun {

    /** The variable by which everything that was started can be found again. */
    static final String MARK = "BELAY_CALL";

    /** Between asking to end and ending; the runtime gives a call one second. */
    private static final long GRACE_MILLIS = 400;
    private static final long LONGEST_PAUSE_MILLIS = 20;
    private static final long LOOK_EVERY_NANOS = TimeUnit.MILLISECONDS.toNanos(200);
    private static final File NOTHING = new File(File.separatorChar == '/' ? "/dev/null" : "NUL");
    private static final AtomicLong RUNS = new AtomicLong();

    private static final int OUT_HEAD = 8 << 10;
    private static final int OUT_TAIL = 16 << 10;
    private static final int ERR_HEAD = 4 << 10;
    private static final int ERR_TAIL = 8 << 10;

    /**
     * What to run.
     *
     * @param command the program and its arguments
     * @param directory where
     * @param environment all it gets, but for the mark
     * @param input what it reads; may be empty
     * @param most how long it may take
     */
    record Program(List<String> command, Path directory, Map<String, String> environment, String input,
            Duration most) {}

    /**
     * How it ended.
     *
     * @param exit its exit code; -1 if it was ended
     * @param out what it wrote
     * @param err what it wrote to the other stream
     * @param timedOut whether its time was up
     * @param leftBehind how many processes it left running, which were ended
     */
    record Ended(int exit, HeadTail out, HeadTail err, boolean timedOut, int leftBehind) {}

    private final Program program;
    private final HeadTail out;
    private final HeadTail err;
    private final byte[] buffer = new byte[64 << 10];

    private ProgramRun(Program program, int outTail) {
        this.program = program;
        out = new HeadTail(OUT_HEAD, outTail);
        err = new HeadTail(ERR_HEAD, ERR_TAIL);
    }

    /** Runs it; an {@link IOException} means that it was never started. */
    static Ended run(Program program, ThreadFactory threads, Cancellation cancellation)
            throws IOException, InterruptedException {
        return new ProgramRun(program, OUT_TAIL).run(threads, cancellation);
    }

    /** The same, keeping up to so many bytes of its output whole. */
    static Ended run(Program program, int mostOut, ThreadFactory threads, Cancellation cancellation)
            throws IOException, InterruptedException {
        return new ProgramRun(program, mostOut - OUT_HEAD).run(threads, cancellation);
    }

    private Ended run(ThreadFactory threads, Cancellation cancellation)
            throws IOException, InterruptedException {
        cancellation.check();
        String mark = ProcessHandle.current().pid() + "-" + RUNS.incrementAndGet() + "-" + System.nanoTime();
        Process process = start(mark);
        ProcessTree tree = new ProcessTree(process, MARK + "=" + mark);
        boolean cleared = false;
        try {
            feed(process, threads);
            boolean ended = await(process, tree, cancellation);
            // at once where the program is gone: who is left is not waited for, and may be flooding
            int left = tree.end(ended ? 0 : GRACE_MILLIS);
            cleared = true;
            while (drain(process)) {
                // what is still in the pipes
            }
            return new Ended(ended ? process.exitValue() : -1, out, err, !ended, left);
        } finally {
            if (!cleared) {
                tree.end(GRACE_MILLIS);
            }
            close(process);
        }
    }

    private Process start(String mark) throws IOException {
        List<String> command = new ArrayList<>(ProcessTree.sessionStart());
        command.addAll(program.command());
        var builder = new ProcessBuilder(command).directory(program.directory().toFile());
        if (program.input().isEmpty()) {
            builder.redirectInput(NOTHING);
        }
        builder.environment().clear();
        builder.environment().putAll(program.environment());
        builder.environment().put(MARK, mark);
        return builder.start();
    }

    /** Gives the input and ends it; a program that does not read must not hold us up. */
    private void feed(Process process, ThreadFactory threads) {
        if (program.input().isEmpty()) {
            return;
        }
        OutputStream in = process.getOutputStream();
        threads.newThread(() -> {
            try (in) {
                in.write(program.input().getBytes(StandardCharsets.UTF_8));
            } catch (IOException unread) {
                // the program ended first, which is its right
            }
        }).start();
    }

    /** Waits, taking output; true if the program ended by itself. */
    private boolean await(Process process, ProcessTree tree, Cancellation cancellation)
            throws IOException, InterruptedException {
        long start = System.nanoTime();
        long looked = start;
        long pause = 1;
        while (true) {
            boolean busy = drain(process);
            pause = busy ? 0 : Math.min(LONGEST_PAUSE_MILLIS, pause + 1);
            if (process.waitFor(pause, TimeUnit.MILLISECONDS)) {
                return true;
            }
            cancellation.check();
            long now = System.nanoTime();
            if (now - start > program.most().toNanos()) {
                return false;
            }
            if (now - looked > LOOK_EVERY_NANOS) {
                tree.look();
                looked = now;
            }
        }
    }

    /** Takes what is there now; whether there was something. */
    private boolean drain(Process process) throws IOException {
        boolean busy = take(process.getInputStream(), out);
        return take(process.getErrorStream(), err) || busy;
    }

    private boolean take(InputStream in, HeadTail kept) throws IOException {
        boolean any = false;
        // a few at a time: a flood must not keep us from looking at the clock
        for (int round = 0; round < 16; round++) {
            int available = in.available();
            if (available <= 0) {
                break;
            }
            int read = in.read(buffer, 0, Math.min(buffer.length, available));
            if (read < 0) {
                break;
            }
            kept.add(buffer, read);
            any = true;
        }
        return any;
    }

    private static void close(Process process) {
        try {
            process.getInputStream().close();
            process.getErrorStream().close();
        } catch (IOException closed) {
            // nobody reads them any more
        }
    }
}
