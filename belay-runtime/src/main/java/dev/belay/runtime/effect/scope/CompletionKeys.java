package dev.belay.runtime.effect.scope;

import dev.belay.runtime.effect.ScopeId;
import dev.belay.runtime.effect.WaitName;
import dev.belay.runtime.store.Store;
import dev.belay.runtime.store.journal.Secret;
import dev.belay.tool.context.CompletionKey;
import dev.belay.tool.context.Incarnation;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Base64;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Makes and checks the keys of waits: {@code b1.PAYLOAD.MAC}, both parts in URL-safe base64. The payload names a wait of a scope; the
 * MAC (HMAC-SHA256) proves that a host made the key. The same wait has the same key until the secret that signed it is revoked. All
 * wrong keys have the same answer, and the store is not asked for the wait before the MAC is right.
 *
 * <p>The MAC is for keys that come from outside. A key that the store has kept, or that a scope awaits, is read without it, so that
 * revoking a secret does not cut what waits inside.
 *
 * <p>Thread-safe.
 */
public final class CompletionKeys {

    private static final String VERSION = "b1";
    private static final String ALGORITHM = "HmacSHA256";
    private static final int LONGEST = 8192;
    private static final Base64.Encoder ENCODER = Base64.getUrlEncoder().withoutPadding();
    private static final Base64.Decoder DECODER = Base64.getUrlDecoder();

    private final Store store;
    /** At most one entry for each secret that the store has. */
    private final Map<Long, Secret> known = new ConcurrentHashMap<>();

    public CompletionKeys(Store store) {
        this.store = store;
    }

    /**
     * The wait that a key names.
     *
     * @param scope of the wait
     * @param incarnation of that scope
     * @param name of the wait
     */
    public record Named(ScopeId scope, Incarnation incarnation, WaitName name) {}

    /**
     * The key of a wait.
     *
     * @param first the secret that signs keys of its scope, unless it was revoked
     */
    public CompletionKey of(Named wait, long first) {
        Secret secret = signing(first);
        byte[] payload = payload(secret.id(), wait);
        String token = VERSION + "." + ENCODER.encodeToString(payload) + "."
                + ENCODER.encodeToString(sign(secret, payload));
        return new CompletionKey(wait.name().keyId(wait.scope(), wait.incarnation()), token);
    }

    /** The secret of the scope, or the next one that was not revoked. Another process may have revoked one, so the store is asked. */
    private Secret signing(long first) {
        Secret current = store.currentSecret();
        for (long id = first; id < current.id(); id++) {
            Optional<Secret> found = store.secret(id);
            if (found.isPresent()) {
                return found.get();
            }
        }
        return current;
    }

    /** The wait that a token names, if a host made the token and its secret was not revoked. */
    public Optional<Named> check(String token) {
        return Token.of(token).filter(this::isSigned).flatMap(Token::named);
    }

    /** The wait that a token names, which the store has kept or a scope of this host has made: its signature is not asked for. */
    public static Optional<Named> inside(String token) {
        return Token.of(token).flatMap(Token::named);
    }

    private boolean isSigned(Token token) {
        long id = token.secret();
        Optional<Secret> secret = secret(id);
        if (secret.isEmpty()) {
            store.currentSecret(); // a program that cannot sign cannot tell a wrong key from a right one: secret_unavailable
        }
        if (secret.isEmpty() || !MessageDigest.isEqual(sign(secret.get(), token.payload), token.mac)) {
            return false;
        }
        if (store.secret(id).isEmpty()) { // revoked, perhaps by another process
            known.remove(id);
            return false;
        }
        return true;
    }

    private Optional<Secret> secret(long id) {
        Secret cached = known.get(id);
        if (cached != null) {
            return Optional.of(cached);
        }
        Optional<Secret> found = store.secret(id);
        found.ifPresent(secret -> known.put(id, secret));
        return found;
    }

    private static byte[] payload(long secret, Named named) {
        byte[] scope = named.scope().value().getBytes(StandardCharsets.UTF_8);
        byte[] wait = named.name().value().getBytes(StandardCharsets.UTF_8);
        return ByteBuffer.allocate(Long.BYTES + 16 + Integer.BYTES + scope.length + wait.length)
                .putLong(secret)
                .put(named.incarnation().bytes())
                .putInt(scope.length)
                .put(scope)
                .put(wait)
                .array();
    }

    private static byte[] sign(Secret secret, byte[] payload) {
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(new SecretKeySpec(secret.bytes(), ALGORITHM));
            return mac.doFinal(payload);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java platform has " + ALGORITHM, e);
        }
    }

    /** The parts of a token. */
    private static final class Token {

        private final byte[] payload;
        private final byte[] mac;

        private Token(byte[] payload, byte[] mac) {
            this.payload = payload;
            this.mac = mac;
        }

        static Optional<Token> of(String text) {
            String[] parts = text.length() > LONGEST ? new String[0] : text.split("\\.", -1);
            if (parts.length != 3 || !parts[0].equals(VERSION)) {
                return Optional.empty();
            }
            var token = new Token(strict(parts[1]), strict(parts[2]));
            return token.payload.length < Long.BYTES || token.mac.length == 0
                    ? Optional.empty()
                    : Optional.of(token);
        }

        /** Decodes text only if its bytes encode to the same text: two spellings of one key would be two keys. */
        private static byte[] strict(String text) {
            try {
                byte[] bytes = DECODER.decode(text);
                return ENCODER.encodeToString(bytes).equals(text) ? bytes : new byte[0];
            } catch (IllegalArgumentException e) {
                return new byte[0];
            }
        }

        long secret() {
            return ByteBuffer.wrap(payload).getLong();
        }

        Optional<Named> named() {
            try {
                ByteBuffer in = ByteBuffer.wrap(payload);
                in.getLong();
                var incarnation = new Incarnation(in.getLong(), in.getLong());
                int length = in.getInt();
                if (length < 0 || length > in.remaining()) {
                    return Optional.empty();
                }
                ByteBuffer scope = in.slice(in.position(), length);
                ByteBuffer wait = in.slice(in.position() + length, in.remaining() - length);
                return Optional
                        .of(new Named(new ScopeId(text(scope)), incarnation, new WaitName(text(wait))));
            } catch (BufferUnderflowException | CharacterCodingException | IllegalArgumentException e) {
                return Optional.empty();
            }
        }

        private static String text(ByteBuffer bytes) throws CharacterCodingException {
            return StandardCharsets.UTF_8.newDecoder().decode(bytes).toString();
        }
    }
}
