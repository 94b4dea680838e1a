package dev.belay.cli.talk;

import dev.belay.cli.shell.Shell;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** Reads lines that are typed. A thread of its own reads, because reading cannot be interrupted. Thread-safe. */
final class Keyboard implements Person {

    private static final long LOOK_MILLIS = 100;

    private final Shell shell;
    private final LinkedBlockingQueue<Optional<String>> typed = new LinkedBlockingQueue<>();
    private final Lock one = new ReentrantLock();
    private boolean reads;
    private boolean ended;

    Keyboard(Shell shell) {
        this.shell = shell;
    }

    @Override
    public @Nullable String ask(String prompt, BooleanSupplier isOpen) throws InterruptedException {
        one.lockInterruptibly();
        try {
            if (ended) {
                return null;
            }
            if (!reads) {
                reads = true;
                Thread.ofPlatform().daemon().name("keyboard").start(this::read);
            }
            shell.err().print(prompt);
            Optional<String> line = null;
            while (line == null && isOpen.getAsBoolean()) {
                line = typed.poll(LOOK_MILLIS, TimeUnit.MILLISECONDS);
            }
            if (line == null) {
                shell.err().line("");
                return null;
            }
            ended = line.isEmpty();
            return line.orElse(null);
        } finally {
            one.unlock();
        }
    }

    private void read() {
        var lines = new BufferedReader(new InputStreamReader(shell.in(), StandardCharsets.UTF_8));
        try {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                typed.add(Optional.of(line));
            }
        } catch (IOException closed) {
            // the same as its end
        }
        typed.add(Optional.empty());
    }
}
