package dev.belay.runtime.effect.scope;

import dev.belay.json.FramedHash;
import dev.belay.runtime.effect.JournalException;
import dev.belay.runtime.effect.ScopeId;
import dev.belay.runtime.effect.WaitName;
import dev.belay.runtime.store.journal.Journal;
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
 * MAC (HMAC-SHA256) proves that a host made the key. The same wait always has the same key. All wrong keys have the same answer, and
 * the store is not asked for the wait before the MAC is right.
 *
 * <p>Thread-safe.
 */
public final class CompletionKeys {

    private static final String VERSION = "b1";
    private static final String ALGORITHM = "HmacSHA256";
    private static final int LONGEST = 8192;
    private static final int ID_DIGITS = 24;
    private static final Base64.Encoder ENCODER = Base64.getUrlEncoder().withoutPadding();
    private static final Base64.Decoder DECODER = Base64.getUrlDecoder();

    private final Journal journal;
    /** At most one entry for each secret that the store has. */
    private final Map<Long, Secret> known = new ConcurrentHashMap<>();

    public CompletionKeys(Journal journal) {
        this.journal = journal;
    }

    /**
     * The wait that a key names.
     *
     * @param scope of the wait
     * @param incarnation of that scope
     * @param name of the wait
     */
    public record Named(ScopeId scope, Incarnation incarnation, WaitName name) {}

    /** The key of a wait. */
    CompletionKey of(Journal.Claim claim, WaitName wait) {
        Secret secret = secret(claim.secret()).orElseThrow(() -> JournalException.corrupt(
                "secret " + claim.secret() + " of scope " + claim.scope()
                        + " was revoked; its keys cannot be made any more",
                null));
        byte[] payload = payload(claim.secret(), new Named(claim.scope(), claim.incarnation(), wait));
        String token = VERSION + "." + ENCODER.encodeToString(payload) + "."
                + ENCODER.encodeToString(sign(secret, payload));
        return new CompletionKey(id(claim.scope(), claim.incarnation(), wait), token);
    }

    /** The wait that a token names, if a host made the token and its secret was not revoked. */
    public Optional<Named> check(String token) {
        if (token.length() > LONGEST) {
            return Optional.empty();
        }
        String[] parts = token.split("\\.", -1);
        if (parts.length != 3 || !parts[0].equals(VERSION)) {
            return Optional.empty();
        }
        byte[] payload = strict(parts[1]);
        byte[] mac = strict(parts[2]);
        if (payload.length < Long.BYTES || mac.length == 0) {
            return Optional.empty();
        }
        long secretId = ByteBuffer.wrap(payload).getLong();
        Optional<Secret> secret = secret(secretId);
        if (secret.isEmpty() || !MessageDigest.isEqual(sign(secret.get(), payload), mac)) {
            return Optional.empty();
        }
        if (journal.secret(secretId).isEmpty()) { // revoked, perhaps by another process
            known.remove(secretId);
            return Optional.empty();
        }
        return read(payload);
    }

    /** The public name of a wait: it reveals nothing and settles nothing. */
    private static String id(ScopeId scope, Incarnation incarnation, WaitName wait) {
        return "w" + new FramedHash().add("belay-wait-1")
                .add(incarnation.bytes())
                .add(scope.value())
                .add(wait.value())
                .hex()
                .substring(0, ID_DIGITS);
    }

    private Optional<Secret> secret(long id) {
        Secret cached = known.get(id);
        if (cached != null) {
            return Optional.of(cached);
        }
        Optional<Secret> found = journal.secret(id);
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

    private static Optional<Named> read(byte[] payload) {
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
            return Optional.of(new Named(new ScopeId(text(scope)), incarnation, new WaitName(text(wait))));
        } catch (BufferUnderflowException | CharacterCodingException | IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    private static String text(ByteBuffer bytes) throws CharacterCodingException {
        return StandardCharsets.UTF_8.newDecoder().decode(bytes).toString();
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

    private static byte[] sign(Secret secret, byte[] payload) {
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(new SecretKeySpec(secret.bytes(), ALGORITHM));
            return mac.doFinal(payload);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java platform has " + ALGORITHM, e);
        }
    }
}
