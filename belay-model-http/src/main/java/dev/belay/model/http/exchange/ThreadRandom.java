package dev.belay.model.http.exchange;

import java.util.concurrent.ThreadLocalRandom;
import java.util.random.RandomGenerator;

/** The randomness of whichever thread asks. Thread-safe. */
public final class ThreadRandom implements RandomGenerator {

    @Override
    public long nextLong() {
        return ThreadLocalRandom.current().nextLong();
    }
}
