package dev.belay.toolbox.command;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * All processes that one program started. They are found in four ways, because a process can escape each single one: as
 * descendants, looked up repeatedly while the program runs; by the session that the program was started in; by a mark in the
 * environment, which children inherit; by the pipes that they write to. The last three need {@code /proc}.
 *
 * <p>A process is not found if it leaves the session, clears the environment, writes elsewhere and loses its parent between two
 * lookups.
 *
 * <p>Confined to one thread.
 */
final class ProcessTree {

    private static final List<Path> KILL = List.of(Path.of("/bin/kill"), Path.of("/usr/bin/kill"));
    /** How often the remaining processes are looked up and ended; new ones appear only while others still run. */
    private static final int ROUNDS = 40;
    private static final long ROUND_MILLIS = 25;
    /** A process is invisible for a moment while it forks or executes: so many rounds in a row must find nothing. */
    private static final int QUIET_ROUNDS = 3;

    private final ProcessHandle program;
    private final String mark;
    private final Path pipes;
    private final boolean ownSession;
    private final Set<ProcessHandle> known = new HashSet<>();

    ProcessTree(Process program, String mark, Path pipes) {
        this.program = program.toHandle();
        this.mark = mark;
        this.pipes = pipes;
        // not its current session: a program that was just started may not have created its own yet
        ownSession = OwnSession.starter().isPresent();
        known.add(this.program);
    }

    /** Records the processes that run now. */
    void look() {
        program.descendants().forEach(known::add);
    }

    /** The processes still running, without the program itself. */
    List<ProcessHandle> others() {
        look();
        marked().forEach(known::add);
        return known.stream()
                .filter(process -> process.pid() != program.pid() && ProcFiles.isRunning(process))
                .toList();
    }

    /** Asks all of them to end, waits a little, and then ends them. Returns how many besides the program were running. */
    int end(long graceMillis) {
        // an interruption is often the reason for this call and must not cut it short
        boolean interrupted = Thread.interrupted();
        try {
            return endAll(graceMillis);
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private int endAll(long graceMillis) {
        List<ProcessHandle> others = others();
        if (graceMillis > 0 && (program.isAlive() || !others.isEmpty())) {
            signal("TERM");
            others.forEach(ProcessHandle::destroy);
            program.destroy();
            await(graceMillis);
        }
        for (int round = 0; round < ROUNDS; round++) {
            signal("KILL");
            List<ProcessHandle> left = others();
            program.destroyForcibly();
            left.forEach(ProcessHandle::destroyForcibly);
            if (left.isEmpty() && !program.isAlive()) {
                break;
            }
            await(ROUND_MILLIS);
        }
        return others.size();
    }

    /** Sends a signal to the whole group at once, so that no process can escape it by a fork. */
    private void signal(String name) {
        Optional<Path> kill = KILL.stream().filter(Files::isExecutable).findFirst();
        if (!ownSession || kill.isEmpty()) {
            return;
        }
        try {
            new ProcessBuilder(kill.get().toString(), "-s", name, "--", "-" + program.pid())
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start()
                    .onExit()
                    .get(1, TimeUnit.SECONDS);
        } catch (Exception e) {
            if (e instanceof InterruptedException) {
                Thread.currentThread().interrupt();
            }
            // the single signals that follow do the same, one by one
        }
    }

    /** Waits until no process runs, up to a limit. */
    private void await(long millis) {
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
        boolean interrupted = false;
        while (System.nanoTime() < end
                && (program.isAlive() || known.stream().anyMatch(ProcFiles::isRunning))) {
            try {
                TimeUnit.MILLISECONDS.sleep(5);
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** Processes in the program's session, with its mark, or with its pipes open. */
    private List<ProcessHandle> marked() {
        return ProcFiles.find(pid -> (ownSession && ProcFiles.isOfSession(pid, program.pid()))
                || ProcFiles.hasMark(pid, mark) || ProcFiles.writesInto(pid, pipes));
    }

    /**
     * Ends what carries a mark and was started by a process that is dead. Returns how many could not be ended.
     *
     * @param mark the mark, or its beginning
     */
    static int endMarked(String mark) throws InterruptedException {
        List<ProcessHandle> left = List.of();
        int quiet = 0;
        for (int round = 0; round < ROUNDS && quiet < QUIET_ROUNDS; round++) {
            left = ProcFiles.find(pid -> ProcFiles.hasMark(pid, mark));
            left.forEach(ProcessHandle::destroyForcibly);
            quiet = left.isEmpty() ? quiet + 1 : 0;
            TimeUnit.MILLISECONDS.sleep(ROUND_MILLIS);
        }
        return left.size();
    }
}
