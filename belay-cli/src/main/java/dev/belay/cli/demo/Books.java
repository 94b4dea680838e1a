package dev.belay.cli.demo;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/**
 * Files beside the database that Belay knows nothing of: which bodies ran, and what the bank has booked.
 *
 * @param home their directory
 */
record Books(Path home) {

    private Path ran() {
        return home.resolve("ran.txt");
    }

    private Path bank() {
        return home.resolve("bank.txt");
    }

    /** Notes that a body ran. */
    void ran(String tool) throws IOException {
        append(ran(), tool);
    }

    /** How often a body ran. */
    int times(String tool) throws IOException {
        return Collections.frequency(lines(ran()), tool);
    }

    /** Books a payment under an idempotency key. */
    void book(String key, String receipt) throws IOException {
        append(bank(), key + " " + receipt);
    }

    /** The receipt of a payment, by its idempotency key. */
    Optional<String> booked(String key) throws IOException {
        return lines(bank()).stream()
                .filter(line -> line.startsWith(key + " "))
                .map(line -> line.substring(key.length() + 1))
                .findFirst();
    }

    private static List<String> lines(Path file) throws IOException {
        return Files.exists(file) ? Files.readAllLines(file) : List.of();
    }

    private static void append(Path file, String line) throws IOException {
        Files.writeString(file, line + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    }
}
