package dev.belay.mcp.client;

import dev.belay.mcp.McpServer;
import dev.belay.schema.KnownSecrets;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * The program of a server, with an environment of its own and the end of its standard error. It ends with this process: an exit hook
 * stops what is left.
 */
final class ChildProgram {

    /** The variables of this process that every program gets. */
    private static final List<String> INHERITED = List.of("HOME", "LOGNAME", "PATH", "SHELL", "TERM", "USER");
    private static final int TAIL = 2_048;
    private static final long GRACE_SECONDS = 2;
    private static final Set<ChildProgram> LIVE = ConcurrentHashMap.newKeySet();
    private static final AtomicBoolean HOOKED = new AtomicBoolean();

    private final Process process;
    private final KnownSecrets secrets;
    private final StringBuilder tail = new StringBuilder();
    private final Thread errors;

    private ChildProgram(Process process, KnownSecrets secrets) {
        this.process = process;
        this.secrets = secrets;
        this.errors = Thread.ofPlatform().daemon().name("belay-mcp-stderr").start(this::readErrors);
    }

    static ChildProgram start(McpServer.Way.Program program, KnownSecrets secrets) throws IOException {
        var builder = new ProcessBuilder(program.command());
        Map<String, String> environment = builder.environment();
        environment.keySet().retainAll(INHERITED);
        environment.putAll(program.variables());
        if (program.directory() != null) {
            builder.directory(new File(program.directory().toString()));
        }
        var child = new ChildProgram(builder.start(), secrets);
        if (HOOKED.compareAndSet(false, true)) {
            Runtime.getRuntime().addShutdownHook(new Thread(() -> LIVE.forEach(ChildProgram::kill)));
        }
        LIVE.add(child);
        return child;
    }

    OutputStream input() {
        return process.getOutputStream();
    }

    InputStream output() {
        return process.getInputStream();
    }

    private void readErrors() {
        char[] buffer = new char[4096];
        try (var in = new InputStreamReader(process.getErrorStream(), StandardCharsets.UTF_8)) {
            for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
                synchronized (tail) {
                    String shown = secrets.hideIn(tail.append(buffer, 0, n).toString()); // before it is cut
                    tail.setLength(0);
                    tail.append(shown, Math.max(0, shown.length() - TAIL), shown.length());
                }
            }
        } catch (IOException ended) {
            // the program is gone
        }
    }

    /**
     * How it ended, with the end of what it wrote to its standard error.
     *
     * @param alive what is said of a program that still runs
     */
    String epitaph(String alive) {
        try {
            process.waitFor(GRACE_SECONDS, TimeUnit.SECONDS); // its output ends a moment before it does
            errors.join(100);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        String how = process.isAlive()
                ? alive
                : "ended with exit code " + process.exitValue();
        synchronized (tail) {
            return tail.isEmpty() ? how : how + "; it said last: " + tail.toString().strip();
        }
    }

    /** Waits, asks it and all it started to end, waits, and ends them. Its input was closed, or is not read. */
    void stop() {
        boolean interrupted = Thread.interrupted();
        List<ProcessHandle> tree = tree();
        interrupted |= await(tree);
        tree = with(tree, tree());
        tree.forEach(ProcessHandle::destroy);
        if (tree.stream().anyMatch(ProcessHandle::isAlive)) {
            interrupted |= await(tree);
        }
        with(tree, tree()).forEach(ProcessHandle::destroyForcibly);
        LIVE.remove(this);
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private void kill() {
        tree().forEach(ProcessHandle::destroyForcibly);
    }

    private List<ProcessHandle> tree() {
        List<ProcessHandle> all = new ArrayList<>(process.descendants().toList());
        all.add(process.toHandle());
        return all;
    }

    private static List<ProcessHandle> with(List<ProcessHandle> some, List<ProcessHandle> others) {
        List<ProcessHandle> all = new ArrayList<>(some);
        others.stream().filter(one -> !all.contains(one)).forEach(all::add);
        return all;
    }

    /** Waits until all have ended or the grace is over; true if the thread was interrupted. */
    private static boolean await(List<ProcessHandle> tree) {
        long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(GRACE_SECONDS);
        boolean interrupted = false;
        for (ProcessHandle one : tree) {
            try {
                one.onExit().get(Math.max(0, until - System.nanoTime()), TimeUnit.NANOSECONDS);
            } catch (InterruptedException e) {
                interrupted = true;
            } catch (TimeoutException | ExecutionException e) {
                return interrupted; // the grace is over
            }
        }
        return interrupted;
    }
}
