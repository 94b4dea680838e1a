package dev.belay.cli.talk;

import dev.belay.cli.shell.ExitCode;
import java.util.concurrent.atomic.AtomicInteger;
import org.jline.utils.Signals;

/** What Ctrl-C does while a turn runs: the first one cancels, the second leaves at once. Thread-safe. */
final class Interrupts implements Runnable {

    private final Runnable cancel;
    private final AtomicInteger pressed = new AtomicInteger();

    Interrupts(Runnable cancel) {
        this.cancel = cancel;
    }

    /** Does so from now on in this process. */
    static void during(Runnable cancel) {
        Signals.register("INT", new Interrupts(cancel));
    }

    @Override
    public void run() {
        if (pressed.incrementAndGet() > 1) {
            Runtime.getRuntime().halt(ExitCode.INTERRUPTED);
        }
        // in a thread of its own: a second signal must find the handler free
        Thread.ofPlatform().daemon().name("cancel").start(cancel);
    }

    /** Another turn begins. */
    void forget() {
        pressed.set(0);
    }
}
