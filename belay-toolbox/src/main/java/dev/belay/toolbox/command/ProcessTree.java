package dev.belay.toolbox.command;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
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

    private static final Path PROC = Path.of("/proc");
    private static final Path SETSID = Path.of("/usr/bin/setsid");
    private static final List<Path> KILL = List.of(Path.of("/bin/kill"), Path.of("/usr/bin/kill"));
    /** How often the remaining processes are looked up and ended; new ones appear only while others still run. */
    private static final int ROUNDS = 40;
    private static final long ROUND_MILLIS = 25;

    private static final List<String> OUTPUTS = List.of("fd/1", "fd/2");

    private final ProcessHandle program;
    private final byte[] mark;
    private final Path pipes;
    private final boolean ownSession;
    private final Set<ProcessHandle> known = new HashSet<>();

    ProcessTree(Process program, String mark, Path pipes) {
        this.program = program.toHandle();
        this.mark = mark.getBytes(StandardCharsets.UTF_8);
        this.pipes = pipes;
        // not its current session: a program that was just started may not have created its own yet
        ownSession = canStartSession();
        known.add(this.program);
    }

    /** The words before a command that give it a session of its own; none where that is not possible. */
    static List<String> sessionStart() {
        return canStartSession() ? List.of(SETSID.toString()) : List.of();
    }

    private static boolean canStartSession() {
        return Files.isExecutable(SETSID) && Files.isDirectory(PROC.resolve("self"));
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
                .filter(process -> process.pid() != program.pid() && isRunning(process))
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
        while (System.nanoTime() < end && (program.isAlive() || known.stream().anyMatch(this::isRunning))) {
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

    /** Whether a process runs; a zombie has ended, only its parent has not collected it. */
    private boolean isRunning(ProcessHandle process) {
        return process.isAlive() && stat(process.pid()).map(stat -> !stat.startsWith("Z")).orElse(true);
    }

    /** Processes in the program's session, with its mark, or with its pipes open. */
    private List<ProcessHandle> marked() {
        List<ProcessHandle> found = new ArrayList<>();
        if (!Files.isDirectory(PROC.resolve("self"))) {
            return found;
        }
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(PROC, "[0-9]*")) {
            for (Path entry : entries) {
                long pid = Long.parseLong(entry.getFileName().toString());
                if (pid != ProcessHandle.current().pid()
                        && (isOfSession(pid) || hasMark(entry) || hasPipe(entry))) {
                    ProcessHandle.of(pid).ifPresent(found::add);
                }
            }
        } catch (IOException | NumberFormatException e) {
            return found; // those found so far
        }
        return found;
    }

    private boolean isOfSession(long pid) {
        return ownSession && session(pid).orElse(-1L) == program.pid();
    }

    private boolean hasPipe(Path process) {
        for (String output : OUTPUTS) {
            try {
                if (Files.readSymbolicLink(process.resolve(output)).startsWith(pipes)) {
                    return true;
                }
            } catch (IOException notOurs) {
                // of another user, closed, or gone
            }
        }
        return false;
    }

    private boolean hasMark(Path process) {
        try {
            return contains(Files.readAllBytes(process.resolve("environ")), mark);
        } catch (IOException notOurs) {
            return false;
        }
    }

    private static boolean contains(byte[] all, byte[] part) {
        return new String(all, StandardCharsets.ISO_8859_1)
                .contains(new String(part, StandardCharsets.ISO_8859_1));
    }

    private static Optional<Long> session(long pid) {
        return stat(pid).map(stat -> Long.parseLong(stat.split(" ", 5)[3]));
    }

    /** State, parent, group, session and more; the name before them may contain any character. */
    private static Optional<String> stat(long pid) {
        try {
            String stat = Files.readString(PROC.resolve(pid + "/stat"), StandardCharsets.ISO_8859_1);
            return Optional.of(stat.substring(stat.lastIndexOf(')') + 2));
        } catch (IOException gone) {
            return Optional.empty();
        }
    }
}
