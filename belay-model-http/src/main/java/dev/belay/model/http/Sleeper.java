package dev.belay.model.http;

import java.time.Duration;

/** Lets time pass between two attempts. */
@FunctionalInterface
public interface Sleeper {

    /** Returns when the time has passed, or throws when the thread is interrupted. */
    void sleep(Duration time) throws InterruptedException;
}
