package dev.belay.laws.effect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.belay.json.Json;
import dev.belay.runtime.effect.Deadline;
import dev.belay.runtime.effect.Delivery;
import dev.belay.runtime.effect.Resolution;
import dev.belay.runtime.effect.ScopeId;
import dev.belay.runtime.store.journal.OutcomeJson;
import dev.belay.tool.context.CompletionKey;
import java.util.Base64;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Keys of waits: deterministic, signed, one URL-safe string; everything else is unknown (J.2). */
interface KeyScenarios extends Scenarios {

    /** How many forged keys one test tries. */
    int FORGERIES = Boolean.getBoolean("belay.long") ? 1_000_000 : 100_000;

    private void playsWaiter() {
        stage().plays("wait", (scope, input) -> OutcomeJson.of(
                scope.await(stage().showKey(scope, input.value().asString()), Deadline.NONE)));
    }

    private Delivery resolve(StagedHost host, String token) {
        return host.host().resolve(token, Resolution.ok(Json.string("forged")));
    }

    @Test
    default void aKeyIsTheSameEveryTime() throws Exception {
        playsWaiter();
        StagedHost first = stage().open();
        ScopeId scope = first.submit("s", "wait", Json.string("w"));
        CompletionKey key = stage().key("w");
        first.crash();
        StagedHost second = stage().open();
        if (second.host().waits(scope).stream().noneMatch(wait -> wait.opened())) {
            assertThat(stage().key("w")).isEqualTo(key);
        }

        assertThat(second.resolve(key, Json.TRUE)).isEqualTo(new Delivery.Accepted());
        assertThat(second.resultInTime(scope)).isEqualTo(Json.of("{\"ok\":true}"));
    }

    @Test
    default void aKeyIsOneUrlSafeString() throws Exception {
        stage().plays("wait", (scope, input) -> OutcomeJson.of(
                scope.await(stage().showKey(scope, "räume/ist das ok?&=#%"), Deadline.NONE)));
        StagedHost host = stage().open();
        ScopeId scope = host.submit("order 42/é?", "wait");
        CompletionKey key = stage().key("räume/ist das ok?&=#%");

        assertThat(key.token()).matches("[A-Za-z0-9._~-]+");
        assertThat(key.id()).matches("[A-Za-z0-9._~-]+");
        assertThat(key.toString()).doesNotContain(key.token());

        assertThat(host.host().resolve(key.token(), Resolution.ok(Json.TRUE)))
                .isEqualTo(new Delivery.Accepted());
        host.result(scope);
    }

    @Test
    default void theIdAloneResolvesNothing() throws Exception {
        playsWaiter();
        StagedHost host = stage().open();
        ScopeId scope = host.submit("s", "wait", Json.string("w"));
        CompletionKey key = stage().key("w");

        assertThat(resolve(host, key.id())).isEqualTo(new Delivery.Unknown());
        assertThat(host.host().resolve(new CompletionKey(key.id(), key.id()), Resolution.ok(Json.TRUE)))
                .isEqualTo(new Delivery.Unknown());

        host.resolve(key, Json.TRUE);
        host.result(scope);
    }

    @Test
    default void keysOfTwoWaitsAreTwo() throws Exception {
        playsWaiter();
        StagedHost host = stage().open();
        ScopeId one = host.submit("s1", "wait", Json.string("w1"));
        ScopeId two = host.submit("s2", "wait", Json.string("w2"));
        CompletionKey first = stage().key("w1");
        CompletionKey second = stage().key("w2");
        assertThat(first.id()).isNotEqualTo(second.id());
        String[] left = first.token().split("\\.", -1);
        String[] right = second.token().split("\\.", -1);

        for (int i = 0; i < left.length; i++) {
            if (!left[i].equals(right[i])) {
                String[] mixed = left.clone();
                mixed[i] = right[i];
                assertThat(resolve(host, String.join(".", mixed))).as("part %s swapped", i)
                        .isEqualTo(new Delivery.Unknown());
            }
        }

        host.resolve(first, Json.number(1));
        host.resolve(second, Json.number(2));
        assertThat(host.result(one)).isEqualTo(Json.of("{\"ok\":1}"));
        assertThat(host.result(two)).isEqualTo(Json.of("{\"ok\":2}"));
    }

    @Test
    default void oddStringsAreUnknown() throws Exception {
        playsWaiter();
        StagedHost host = stage().open();
        ScopeId scope = host.submit("s", "wait", Json.string("w"));
        CompletionKey key = stage().key("w");
        String token = key.token();

        for (String odd : List.of(".", "..", "...", "null", "é", "a".repeat(100_000), token + ".",
                "." + token, token + " ", " " + token, token + "=", token + "\n", token + token,
                token.toUpperCase(java.util.Locale.ROOT), token.substring(1), token.replace('.', ':'),
                Base64.getUrlEncoder()
                        .encodeToString(token.getBytes(java.nio.charset.StandardCharsets.UTF_8)))) {
            assertThat(resolve(host, odd)).as("\"%s\"", odd.length() > 50 ? odd.substring(0, 50) : odd)
                    .isEqualTo(new Delivery.Unknown());
        }
        for (String none : List.of("", " ", "\n")) {
            assertThatThrownBy(() -> resolve(host, none)).isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("the key is empty");
        }
        for (int length = 1; length < token.length(); length++) {
            assertThat(resolve(host, token.substring(0, length))).as("cut to %s", length)
                    .isEqualTo(new Delivery.Unknown());
        }

        host.resolve(key, Json.TRUE);
        host.result(scope);
    }

    @Test
    default void everyChangedCharacterMakesAKeyUnknown() throws Exception {
        playsWaiter();
        StagedHost host = stage().open();
        ScopeId scope = host.submit("s", "wait", Json.string("w"));
        CompletionKey key = stage().key("w");

        for (int i = 0; i < key.token().length(); i++) {
            for (char c : new char[]{'A', 'B', 'g', '-', '_', '.', '=', '0'}) {
                var changed = new StringBuilder(key.token());
                changed.setCharAt(i, c);
                if (!changed.toString().equals(key.token())) {
                    assertThat(resolve(host, changed.toString())).as("'%s' at %s", c, i)
                            .isEqualTo(new Delivery.Unknown());
                }
            }
        }

        assertThat(host.resolve(key, Json.TRUE)).isEqualTo(new Delivery.Accepted());
        host.result(scope);
    }

    @Test
    default void forgeriesAreUnknown() throws Exception {
        playsWaiter();
        StagedHost host = stage().open();
        ScopeId scope = host.submit("s", "wait", Json.string("w"));
        CompletionKey key = stage().key("w");
        long seed = System.nanoTime();
        var random = new SplittableRandom(seed);
        int tries = stage().parksAtOnce() ? FORGERIES : FORGERIES / 100;

        for (int i = 0; i < tries; i++) {
            String forged = forge(key.token(), random);
            if (!forged.equals(key.token()) && !(resolve(host, forged) instanceof Delivery.Unknown)) {
                throw new AssertionError("seed " + seed + ", forgery " + i + " was accepted: " + forged);
            }
        }

        assertThat(host.resolve(key, Json.TRUE)).as("seed %s", seed).isEqualTo(new Delivery.Accepted());
        assertThat(host.result(scope)).isEqualTo(Json.of("{\"ok\":true}"));
    }

    /** Changes, swaps, drops or adds a few characters, mostly of the alphabet. */
    private static String forge(String token, SplittableRandom random) {
        String alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.";
        var forged = new StringBuilder(token);
        int changes = 1 + random.nextInt(3);
        for (int i = 0; i < changes; i++) {
            int at = random.nextInt(forged.length());
            char c = alphabet.charAt(random.nextInt(alphabet.length()));
            switch (random.nextInt(8)) {
                case 0 -> forged.deleteCharAt(at);
                case 1 -> forged.insert(at, c);
                case 2 -> {
                    int other = random.nextInt(forged.length());
                    char kept = forged.charAt(at);
                    forged.setCharAt(at, forged.charAt(other));
                    forged.setCharAt(other, kept);
                }
                default -> forged.setCharAt(at, c);
            }
        }
        return forged.toString();
    }

    @Test
    default void aRotatedSecretKeepsOldKeysValid() throws Exception {
        playsWaiter();
        StagedHost host = stage().open();
        ScopeId old = host.submit("old", "wait", Json.string("w-old"));
        CompletionKey oldKey = stage().key("w-old");

        stage().records().rotateSecret();
        ScopeId fresh = host.submit("fresh", "wait", Json.string("w-fresh"));
        CompletionKey freshKey = stage().key("w-fresh");

        assertThat(host.resolve(oldKey, Json.number(1))).isEqualTo(new Delivery.Accepted());
        assertThat(host.resolve(freshKey, Json.number(2))).isEqualTo(new Delivery.Accepted());
        assertThat(host.result(old)).isEqualTo(Json.of("{\"ok\":1}"));
        assertThat(host.result(fresh)).isEqualTo(Json.of("{\"ok\":2}"));
    }

    @Test
    default void aRevokedKeyIsUnknown() throws Exception {
        playsWaiter();
        StagedHost host = stage().open();
        ScopeId scope = host.submit("s", "wait", Json.string("w"));
        CompletionKey key = stage().key("w");
        host.letPark(scope);

        stage().records().revokeSecrets();

        assertThat(host.resolve(key, Json.TRUE)).isEqualTo(new Delivery.Unknown());
        StagedHost other = stage().open();
        assertThat(other.resolve(key, Json.TRUE)).isEqualTo(new Delivery.Unknown());
    }

    @Test
    default void keysOfOtherRecordsAreUnknown() throws Exception {
        playsWaiter();
        StagedHost host = stage().open();
        ScopeId scope = host.submit("s", "wait", Json.string("w"));
        CompletionKey key = stage().key("w");
        host.resolve(key, Json.TRUE);
        host.result(scope);
        String[] parts = key.token().split("\\.", -1);
        byte[] mac = Base64.getUrlDecoder().decode(parts[parts.length - 1]);
        mac[0] ^= 1;
        parts[parts.length - 1] = Base64.getUrlEncoder().withoutPadding().encodeToString(mac);

        assertThat(resolve(host, String.join(".", parts))).as("one bit of the signature")
                .isEqualTo(new Delivery.Unknown());
    }
}
