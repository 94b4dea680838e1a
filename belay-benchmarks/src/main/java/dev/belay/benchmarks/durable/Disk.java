package dev.belay.benchmarks.durable;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Stream;

/** The directory of all journals, and the speed of its disk. Closing it deletes the directory. */
final class Disk implements AutoCloseable {

    private static final int RECORD = 512;
    private static final int RECORDS = 400;

    private final Path directory;

    /**
     * A figure, and the disk at that time.
     *
     * @param value what was measured
     * @param fsyncs how many records a second could be appended and forced to the disk, before and after, on average
     */
    record Taken<T>(T value, double fsyncs) {}

    private Disk(Path directory) {
        this.directory = directory;
    }

    static Disk in(Path parent) throws IOException {
        return new Disk(Files.createTempDirectory(Files.createDirectories(parent), "durable-"));
    }

    /** A new directory for one journal. */
    Path folder(String name) throws IOException {
        return Files.createTempDirectory(directory, name);
    }

    /** Repeats a measurement, each time between two calibrations. */
    <T> List<Taken<T>> take(String what, int rounds, Callable<T> measure) throws Exception {
        List<Taken<T>> taken = new ArrayList<>();
        for (int round = 1; round <= rounds; round++) {
            System.err.printf("%s, round %d of %d%n", what, round, rounds);
            double before = fsyncsPerSecond();
            T value = measure.call();
            taken.add(new Taken<>(value, (before + fsyncsPerSecond()) / 2));
        }
        return taken;
    }

    /** Appends records to a file and forces each to the disk. */
    private double fsyncsPerSecond() throws IOException {
        Path file = directory.resolve("calibration");
        ByteBuffer record = ByteBuffer.allocate(RECORD);
        try (var channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE,
                StandardOpenOption.TRUNCATE_EXISTING)) {
            long start = System.nanoTime();
            for (int i = 0; i < RECORDS; i++) {
                record.clear();
                channel.write(record);
                channel.force(false);
            }
            return RECORDS / ((System.nanoTime() - start) / 1e9);
        } finally {
            Files.deleteIfExists(file);
        }
    }

    /** Deletes a directory and all that is in it. */
    static void delete(Path directory) throws IOException {
        try (Stream<Path> paths = Files.walk(directory)) {
            for (Path path : paths.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(path);
            }
        }
    }

    @Override
    public void close() throws IOException {
        delete(directory);
    }
}
