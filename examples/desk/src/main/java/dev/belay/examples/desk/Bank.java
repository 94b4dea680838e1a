package dev.belay.examples.desk;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;

/**
 * Stands in for a bank that knows idempotency keys: the same key is the same payment. Its book is the file {@code bank.txt}, with a
 * line for each request. It answers a minute after it has paid.
 */
final class Bank {

    static final Path BOOK = Path.of("bank.txt");

    private static final Duration SLOWNESS = Duration.ofMinutes(1);

    private Bank() {}

    static synchronized String pay(long order, int cents, String key) throws IOException {
        List<String> book = Files.exists(BOOK) ? Files.readAllLines(BOOK) : List.of();
        String receipt = "R-" + (1 + book.stream().filter(line -> line.contains(": paid")).count());
        for (String line : book) {
            if (line.contains(": paid") && line.endsWith(" key " + key)) {
                receipt = line.replaceAll(".*receipt (\\S+),.*", "$1");
                book("known, receipt " + receipt + ", nothing paid", key, book.size());
                return receipt;
            }
        }
        String euros = BigDecimal.valueOf(cents, 2).toPlainString();
        book("paid " + euros + " euros for order " + order + ", receipt " + receipt, key, book.size());
        System.out.println("bank: paid " + euros
                + " euros; the receipt comes in a minute. To see a crash, end this program now: kill -9 "
                + ProcessHandle.current().pid());
        try {
            Thread.sleep(SLOWNESS);
        } catch (InterruptedException e) {
            throw new InterruptedIOException("the request was given up after the bank had paid");
        }
        return receipt;
    }

    private static void book(String what, String key, int before) throws IOException {
        Files.writeString(BOOK, "request " + (before + 1) + ": " + what + ", key " + key + "\n",
                StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    }
}
