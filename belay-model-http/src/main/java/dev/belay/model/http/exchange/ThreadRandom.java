package dev.belay.model.http.exchange;

import java.util.concurrent.ThreadLocalRandom;
import java.util.random.RandomGenerator;

/** Uses the {@link ThreadLocalRandom} of the calling thread. Thread-safe. */
public final class ThreadRandom implements RandomGenerator {

    @Override
    public long nextLong() {
        return ThreadLocalRandom.current().nextLong();
    }
}
