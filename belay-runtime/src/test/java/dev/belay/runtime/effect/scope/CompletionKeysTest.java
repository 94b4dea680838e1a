package dev.belay.runtime.effect.scope;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.runtime.effect.ScopeId;
import dev.belay.runtime.effect.WaitName;
import dev.belay.runtime.store.memory.SharedMemory;
import dev.belay.tool.context.Incarnation;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

/** Pins the form of a key: who has one today must be able to use it after an update. */
class CompletionKeysTest {

    /** Computed with another implementation of HMAC-SHA256: number of the secret, incarnation, length and name of the scope, wait. */
    private static final String GOLDEN = "b1.AAAAAAAAAAEAAQIDBAUGBwgJCgsMDQ4PAAAABnR1cm4vc2NvbXBsZXRpb24"
            + ".hW1JOsw1Db52SkkHc8vsefC_38TY8fec-wWccDq7wxY";

    private static final CompletionKeys.Named WAIT = new CompletionKeys.Named(new ScopeId("turn/s"),
            new Incarnation(0x0001020304050607L, 0x08090a0b0c0d0e0fL), new WaitName("completion"));

    /** Draws the bytes from 0 upwards. */
    private static final RandomGenerator COUNTING = new RandomGenerator() {

        @Override
        public long nextLong() {
            return 0;
        }

        @Override
        public void nextBytes(byte[] bytes) {
            for (int i = 0; i < bytes.length; i++) {
                bytes[i] = (byte) i;
            }
        }
    };

    @Test
    void goldenVectorOfAKey() {
        var keys = new CompletionKeys(new SharedMemory(COUNTING).open());
        assertThat(keys.of(WAIT, 1).token()).isEqualTo(GOLDEN);
        assertThat(keys.check(GOLDEN)).contains(WAIT);
    }
}
