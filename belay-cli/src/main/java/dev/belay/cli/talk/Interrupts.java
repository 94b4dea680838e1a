package dev.belay.cli.talk;

import dev.belay.cli.shell.ExitCode;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import org.jline.utils.Signals;
import org.jspecify.annotations.Nullable;

/** What Ctrl-C does while a turn runs: the first one cancels, the second leaves at once. Thread-safe. */
final class Interrupts implements BooleanSupplier {

    private final AtomicReference<@Nullable LiveTalk> talk = new AtomicReference<>();
    private final AtomicInteger pressed = new AtomicInteger();

    /** Does so from now on in this process, with the turn of this talk. */
    void during(LiveTalk running) {
        of(running);
        Signals.register("INT", this::getAsBoolean);
    }

    /** From now on turns of this talk are cancelled, from the first Ctrl-C; null for none. */
    void of(@Nullable LiveTalk running) {
        talk.set(running);
        pressed.set(0);
    }

    /** Ctrl-C was pressed; false if there is no turn to cancel. */
    @Override
    public boolean getAsBoolean() {
        if (pressed.incrementAndGet() > 1) {
            Runtime.getRuntime().halt(ExitCode.INTERRUPTED);
        }
        LiveTalk running = talk.get();
        if (running == null) {
            return false;
        }
        // in a thread of its own: a second signal must find the handler free
        Thread.ofPlatform().daemon().name("cancel").start(running::cancel);
        return true;
    }

    /** The talk whose turns are cancelled. */
    @Nullable
    LiveTalk talk() {
        return talk.get();
    }
}
