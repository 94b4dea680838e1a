package dev.belay.toolbox.command;

import java.io.Closeable;
import java.io.File;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A pipe with a name, open at both ends until a program has it. Java's own pipes cannot be used where Java empties them itself:
 * when a program ends, Java's reaper reads the rest, without bound, for as long as any other process writes to the pipe.
 *
 * @param path its name
 * @param stream the end to read from
 * @param writer the other end, held open so that neither this process nor the program blocks when it opens the pipe
 */
record NamedPipe(Path path, FileInputStream stream, RandomAccessFile writer) implements Closeable {

    private static final String MAKER = "mkfifo";
    private static final long LONGEST_MILLIS = 10_000;

    /** Whether Java's pipes would be emptied without bound here. Windows has no such reaper, and no such pipes either. */
    static boolean isNeeded() {
        return File.separatorChar == '/';
    }

    /** Creates the pipes; only their owner may use them. */
    static void make(List<Path> paths) throws IOException, InterruptedException {
        Path maker = maker(System.getenv("PATH")).orElseThrow(() -> new IOException(
                "there is no " + MAKER
                        + " on this machine, which makes the pipes for its output; install coreutils or busybox"));
        List<String> command = new ArrayList<>(List.of(maker.toString(), "-m", "600"));
        paths.forEach(path -> command.add(path.toString()));
        Process process = new ProcessBuilder(command)
                .redirectInput(ProgramStreams.NOTHING)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        try {
            if (!process.waitFor(LONGEST_MILLIS, TimeUnit.MILLISECONDS)) {
                throw new IOException(MAKER + " did not end within " + LONGEST_MILLIS / 1000 + " s");
            }
        } finally {
            process.destroyForcibly();
        }
        if (process.exitValue() != 0) {
            throw new IOException("no pipe could be made in the directory for temporary files (" + MAKER
                    + " ended with exit code " + process.exitValue()
                    + "); set java.io.tmpdir to a file system that has named pipes and room");
        }
    }

    private static Optional<Path> maker(@Nullable String path) {
        List<Path> directories = new ArrayList<>(List.of(Path.of("/usr/bin"), Path.of("/bin")));
        if (path != null) {
            for (String directory : path.split(File.pathSeparator, -1)) {
                if (directory.startsWith("/")) {
                    directories.add(Path.of(directory));
                }
            }
        }
        return directories.stream()
                .map(directory -> directory.resolve(MAKER))
                .filter(Files::isExecutable)
                .findFirst();
    }

    /** Opens both ends; the first is opened for reading and writing, which does not block. */
    static NamedPipe open(Path path) throws IOException {
        RandomAccessFile writer = new RandomAccessFile(path.toFile(), "rw");
        try {
            return new NamedPipe(path, new FileInputStream(path.toFile()), writer);
        } catch (IOException e) {
            writer.close();
            throw e;
        }
    }

    /** Closes the write end, so that only the program holds it; when reading stops, its writers get an error. */
    void letGo() {
        closeQuietly(writer);
    }

    @Override
    public void close() {
        closeQuietly(writer);
        closeQuietly(stream);
    }

    private static void closeQuietly(Closeable end) {
        try {
            end.close();
        } catch (IOException closed) {
            // this process has written nothing, so nothing is lost
        }
    }
}
