package dev.belay.toolbox.command;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.LongPredicate;

/** Reads what Linux tells about processes in {@code /proc}; elsewhere it finds nothing. Stateless. */
final class ProcFiles {

    private static final Path PROC = Path.of("/proc");
    private static final List<String> OUTPUTS = List.of("fd/1", "fd/2");

    private ProcFiles() {}

    static boolean exist() {
        return Files.isDirectory(PROC.resolve("self"));
    }

    /** The processes that satisfy a condition, without this one. */
    static List<ProcessHandle> find(LongPredicate wanted) {
        List<ProcessHandle> found = new ArrayList<>();
        if (!exist()) {
            return found;
        }
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(PROC, "[0-9]*")) {
            for (Path entry : entries) {
                long pid = Long.parseLong(entry.getFileName().toString());
                if (pid != ProcessHandle.current().pid() && wanted.test(pid)) {
                    ProcessHandle.of(pid).ifPresent(found::add);
                }
            }
        } catch (IOException | NumberFormatException e) {
            return found; // those found so far
        }
        return found;
    }

    /** Whether the environment of a process contains a text. */
    static boolean hasMark(long pid, String mark) {
        try {
            return new String(Files.readAllBytes(file(pid, "environ")), StandardCharsets.ISO_8859_1)
                    .contains(mark);
        } catch (IOException notOurs) {
            return false;
        }
    }

    /** Whether a process writes to a file of a directory. */
    static boolean writesInto(long pid, Path directory) {
        for (String output : OUTPUTS) {
            try {
                if (Files.readSymbolicLink(file(pid, output)).startsWith(directory)) {
                    return true;
                }
            } catch (IOException notOurs) {
                // of another user, closed, or gone
            }
        }
        return false;
    }

    /** Whether a process is of a session. */
    static boolean isOfSession(long pid, long session) {
        return stat(pid).filter(stat -> Long.parseLong(stat.split(" ", 5)[3]) == session).isPresent();
    }

    /** Whether a process runs; a zombie has ended, only its parent has not collected it. */
    static boolean isRunning(ProcessHandle process) {
        return process.isAlive() && stat(process.pid()).map(stat -> !stat.startsWith("Z")).orElse(true);
    }

    /** State, parent, group, session and more; the name before them may contain any character. */
    private static Optional<String> stat(long pid) {
        try {
            String stat = Files.readString(file(pid, "stat"), StandardCharsets.ISO_8859_1);
            return Optional.of(stat.substring(stat.lastIndexOf(')') + 2));
        } catch (IOException gone) {
            return Optional.empty();
        }
    }

    private static Path file(long pid, String name) {
        return PROC.resolve(pid + "/" + name);
    }
}
