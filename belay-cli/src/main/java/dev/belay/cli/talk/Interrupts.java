package dev.belay.cli.talk;

import dev.belay.cli.shell.ExitCode;
import java.util.concurrent.atomic.AtomicInteger;
import org.jline.utils.Signals;

/** What Ctrl-C does while a turn runs. Stateless. */
final class Interrupts {

    private Interrupts() {}

    /** The first Ctrl-C cancels, the second leaves at once. */
    static void during(Runnable cancel) {
        var pressed = new AtomicInteger();
        Signals.register("INT", () -> {
            if (pressed.incrementAndGet() > 1) {
                Runtime.getRuntime().halt(ExitCode.INTERRUPTED);
            }
            // in a thread of its own: a second signal must find the handler free
            Thread.ofPlatform().daemon().name("cancel").start(cancel);
        });
    }
}
