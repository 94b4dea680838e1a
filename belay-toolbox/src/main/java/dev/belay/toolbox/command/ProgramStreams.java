package dev.belay.toolbox.command;

import dev.belay.schema.Wording;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadFactory;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The streams of one program. Its input is a file, so that writing it never blocks; each output is a {@link NamedPipe}, read by an
 * {@link OutputPump}. They are in a private directory that is removed as soon as the program has opened them.
 *
 * <p>Confined to one call.
 */
final class ProgramStreams implements AutoCloseable {

    static final File NOTHING = new File(File.separatorChar == '/' ? "/dev/null" : "NUL");

    private static final Logger LOG = LoggerFactory.getLogger(ProgramStreams.class);
    private static final String INPUT = "in";
    private static final List<String> OUTPUTS = List.of("out", "err");

    private final Path directory;
    private final List<HeadTail> kept;
    private final ThreadFactory threads;
    private final List<NamedPipe> pipes = new ArrayList<>();
    private final List<OutputPump> pumps = new ArrayList<>();

    private ProgramStreams(Path directory, List<HeadTail> kept, ThreadFactory threads) {
        this.directory = directory;
        this.kept = kept;
        this.threads = threads;
    }

    /** Output of a program was lost after it was started. */
    static final class LostException extends IOException {

        private static final long serialVersionUID = 1L;

        LostException(IOException cause) {
            super(Wording.of(cause), cause);
        }
    }

    /** Creates the streams; {@code threads} must not be virtual, because a wait for a pipe pins the carrier. */
    static ProgramStreams open(String input, HeadTail out, HeadTail err, ThreadFactory threads)
            throws IOException, InterruptedException {
        // the real path, because /proc shows the pipes of a process under it
        Path directory = Files.createTempDirectory("belay-run-").toRealPath();
        ProgramStreams streams = new ProgramStreams(directory, List.of(out, err), threads);
        boolean opened = false;
        try {
            if (!input.isEmpty()) {
                Files.write(directory.resolve(INPUT), input.getBytes(StandardCharsets.UTF_8));
            }
            if (NamedPipe.isNeeded()) {
                streams.openPipes();
            }
            opened = true;
            return streams;
        } finally {
            if (!opened) {
                streams.close();
            }
        }
    }

    private void openPipes() throws IOException, InterruptedException {
        List<Path> paths = OUTPUTS.stream().map(directory::resolve).toList();
        NamedPipe.make(paths);
        for (Path path : paths) {
            pipes.add(NamedPipe.open(path));
        }
    }

    /** The directory of the pipes; a process that has one of them open was started by the program. */
    Path directory() {
        return directory;
    }

    /** Starts a program with these streams; an {@link IOException} means that it was not started. */
    Process start(ProcessBuilder builder) throws IOException {
        Path input = directory.resolve(INPUT);
        builder.redirectInput(Files.exists(input) ? input.toFile() : NOTHING);
        if (!pipes.isEmpty()) {
            builder.redirectOutput(pipes.getFirst().path().toFile());
            builder.redirectError(pipes.getLast().path().toFile());
        }
        for (int at = 0; at < pipes.size(); at++) {
            pumps.add(OutputPump.of(pipes.get(at), kept.get(at), threads));
        }
        // before the program: if no thread can be created, no program is left running
        pumps.forEach(OutputPump::start);
        Process process = builder.start();
        if (pipes.isEmpty()) {
            pumps.add(OutputPump.polling(process.getInputStream(), kept.getFirst(), threads));
            pumps.add(OutputPump.polling(process.getErrorStream(), kept.getLast(), threads));
            pumps.forEach(OutputPump::start);
        }
        pipes.forEach(NamedPipe::letGo);
        removeDirectory();
        return process;
    }

    /** Throws if output has been lost. */
    void check() throws LostException {
        for (OutputPump pump : pumps) {
            @Nullable
            IOException failure = pump.failure();
            if (failure != null) {
                throw new LostException(failure);
            }
        }
    }

    /** Reads the rest of the pipes, after all processes that were found have ended. */
    void finish() throws LostException, InterruptedException {
        for (OutputPump pump : pumps) {
            pump.finish();
        }
        check();
    }

    @Override
    public void close() {
        pumps.forEach(OutputPump::stop);
        pipes.forEach(NamedPipe::close);
        removeDirectory();
    }

    private void removeDirectory() {
        try {
            Files.deleteIfExists(directory.resolve(INPUT));
            for (String name : OUTPUTS) {
                Files.deleteIfExists(directory.resolve(name));
            }
            Files.delete(directory);
        } catch (NoSuchFileException removed) {
            // it was removed when the program had started
        } catch (IOException e) {
            LOG.debug("{} cannot be removed now", directory, e);
        }
    }
}
