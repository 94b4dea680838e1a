package dev.belay.runtime.effect.scope;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.runtime.effect.ScopeId;
import dev.belay.runtime.effect.WaitName;
import dev.belay.runtime.store.journal.Journal;
import dev.belay.runtime.store.journal.Secret;
import dev.belay.tool.context.Incarnation;
import java.lang.reflect.Proxy;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Pins the form of a key: who has one today must be able to use it after an update. */
class CompletionKeysTest {

    /** Computed with another implementation of HMAC-SHA256: number of the secret, incarnation, length and name of the scope, wait. */
    private static final String GOLDEN = "b1.AAAAAAAAAAcAAQIDBAUGBwgJCgsMDQ4PAAAABnR1cm4vc2NvbXBsZXRpb24"
            + ".M2aV5XA6GyXoUm6TgjN9Nt3NE7L9fpk7s7s8RUbknWI";

    private static final CompletionKeys.Named WAIT = new CompletionKeys.Named(new ScopeId("turn/s"),
            new Incarnation(0x0001020304050607L, 0x08090a0b0c0d0e0fL), new WaitName("completion"));

    /** A journal with one secret: the bytes from 0 to 31 under the number 7. */
    private static Journal journal() {
        byte[] bytes = new byte[Secret.LENGTH];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = (byte) i;
        }
        var secret = new Secret(7, bytes);
        return (Journal) Proxy.newProxyInstance(Journal.class.getClassLoader(), new Class<?>[]{Journal.class},
                (proxy, method, arguments) -> switch (method.getName()) {
                    case "currentSecret" -> secret;
                    case "secret" -> arguments[0].equals(7L) ? Optional.of(secret) : Optional.empty();
                    default -> throw new AssertionError(method);
                });
    }

    @Test
    void goldenVectorOfAKey() {
        var keys = new CompletionKeys(journal());
        assertThat(keys.of(WAIT, 7).token()).isEqualTo(GOLDEN);
        assertThat(keys.check(GOLDEN)).contains(WAIT);
    }
}
