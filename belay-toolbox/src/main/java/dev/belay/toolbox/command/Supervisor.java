package dev.belay.toolbox.command;

import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A process that ends a program after this process has died, however that happened: {@code kill -9}, no memory, a crash. It is
 * a shell that waits on a pipe. The pipe closes with this process, and nothing else holds its other end.
 *
 * <p>The shell starts before the program and knows the mark, so that a death between the two starts is covered. It has a
 * session of its own: signals to the group of this process do not reach it. A program with the rights of the same user can kill
 * it.
 *
 * <p>Confined to one call.
 */
final class Supervisor implements Closeable {

    static final Path SHELL = Path.of("/bin/sh");

    /**
     * Reads the mark and the process group, then waits for the end of the pipe. The mark has the idempotency key of the call, so it stands in no
     * command line, which every user of the machine can read: not in that of the shell, nor in that of {@code grep}. Each round collects before it kills, because a killed parent
     * can no longer be followed to its children. A process is invisible for a moment while it forks or executes, so three rounds
     * in a row must find nothing.
     *
     * <p>{@code kill -KILL -GROUP} is the one spelling that dash, bash and busybox all take; dash refuses {@code --} after it.
     */
    private static final String SCRIPT = """
            trap '' HUP INT QUIT TERM
            read -r mark || exit 0
            read -r group || group=
            while read -r more; do :; done
            collect() {
                found=
                for path in $(printf '%s\\n' "$mark" | grep -l "$@" 2>/dev/null); do
                    path=${path#/proc/}
                    found="$found ${path%%/*}"
                done
                all="$all$found"
            }
            rounds=0 quiet=0
            while [ $quiet -lt 3 ] && [ $rounds -lt 100 ]; do
                all=
                if [ -d /proc/self ]; then
                    collect -F -f - /proc/[0-9]*/environ
                    [ -z "$group" ] || collect -E -e "[)] [^ZX] [0-9]+ [0-9]+ $group " /proc/[0-9]*/stat
                    found=$all
                    for level in 1 2 3 4 5 6 7 8; do
                        [ -n "$found" ] || break
                        parents=$(echo $found | tr ' ' '|')
                        collect -E -e "[)] [^ZX] ($parents) " /proc/[0-9]*/stat
                    done
                fi
                [ -z "$group" ] || kill -KILL "-$group" 2>/dev/null
                [ -z "$all" ] || kill -KILL $all 2>/dev/null
                if [ -n "$all" ]; then quiet=0; else quiet=$((quiet + 1)); fi
                rounds=$((rounds + 1))
                sleep 0.03
            done
            """;

    private final @Nullable Process process;

    private Supervisor(@Nullable Process process) {
        this.process = process;
    }

    /** Whether this machine has a shell for it. */
    static boolean isPossible() {
        return Files.isExecutable(SHELL);
    }

    /** Starts one for what will carry a mark; without a shell it does nothing. */
    static Supervisor start(String mark) throws IOException {
        return new Supervisor(isPossible() ? start(SHELL, mark) : null);
    }

    static Process start(Path shell, String mark) throws IOException {
        Process process = builder(shell).start();
        tell(process, mark);
        return process;
    }

    private static void tell(Process process, String line) throws IOException {
        OutputStream pipe = process.getOutputStream();
        pipe.write((line + "\n").getBytes(StandardCharsets.US_ASCII));
        pipe.flush();
    }

    private static ProcessBuilder builder(Path shell) {
        List<String> command = new ArrayList<>(OwnSession.starter().orElse(List.of()));
        command.addAll(List.of(shell.toString(), "-c", SCRIPT, "belay-supervisor"));
        var builder = new ProcessBuilder(command)
                .directory(Path.of("/").toFile())
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(ProcessBuilder.Redirect.DISCARD);
        String path = System.getenv().getOrDefault("PATH", "");
        builder.environment().clear(); // a mark of a call in which this process itself runs must not reach it
        builder.environment().put("PATH", "/usr/bin:/bin:" + path);
        return builder;
    }

    /** Tells the process group of the program, if it has one of its own. */
    void watch(Process program) {
        if (process == null || OwnSession.starter().isEmpty()) {
            return;
        }
        try {
            tell(process, String.valueOf(program.pid()));
        } catch (IOException killed) {
            // the program still ends with its call
        }
    }

    /** Ends the supervisor, after the program and all that it started have ended. */
    @Override
    public void close() {
        if (process != null) {
            process.destroyForcibly(); // before its pipe closes: it does not look for processes of a call that has ended
        }
    }
}
