package dev.belay.store.jdbc;

import dev.belay.BelayException;
import dev.belay.runtime.store.journal.Secret;
import dev.belay.store.jdbc.file.PrivateFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The secrets that sign completion keys, if they are kept outside the store. Without them a store makes a secret and keeps it in its
 * file, so that a program which can read the file can make keys.
 *
 * <p>The text of a secret is 32 random bytes in hexadecimal digits or base64, as {@code openssl rand -base64 32} prints them. Several
 * secrets are separated by spaces or lines. The first one signs new keys; keys of the others stay known. A secret that is taken out is
 * revoked. Immutable.
 */
public final class SigningSecrets {

    /** The store makes its secret and keeps it. */
    public static final SigningSecrets IN_THE_STORE = new SigningSecrets(List.of());

    private static final int HEX_DIGITS = 2 * Secret.LENGTH;

    private final List<byte[]> secrets;

    private SigningSecrets(List<byte[]> secrets) {
        this.secrets = secrets;
    }

    /**
     * Reads a file once. Warns if other users can read it.
     *
     * @throws BelayException {@code secret_unavailable} if it has no secret
     */
    public static SigningSecrets file(Path file) {
        PrivateFiles.warnIfShared(file);
        try {
            return of("the file " + file, Files.readString(file));
        } catch (IOException e) {
            throw new BelayException("secret_unavailable",
                    "the file " + file + " with the secret of the store"
                            + " cannot be read: " + e,
                    e);
        }
    }

    /**
     * Reads an environment variable once.
     *
     * @throws BelayException {@code secret_unavailable} if it has no secret
     */
    public static SigningSecrets environment(String variable) {
        return of("the environment variable " + variable, System.getenv(variable));
    }

    static SigningSecrets of(String source, @Nullable String text) {
        List<byte[]> secrets = new ArrayList<>();
        for (String one : text == null ? new String[0] : text.strip().split("\\s+", -1)) {
            byte[] bytes = decode(one);
            if (bytes.length != Secret.LENGTH) {
                throw new BelayException("secret_unavailable", source + " must have secrets of "
                        + Secret.LENGTH + " bytes in base64 or hexadecimal digits, found " + bytes.length
                        + " bytes; make one with: openssl rand -base64 " + Secret.LENGTH);
            }
            secrets.add(bytes);
        }
        if (secrets.isEmpty()) {
            throw new BelayException("secret_unavailable",
                    source + " is not set; give it a secret, made with:"
                            + " openssl rand -base64 " + Secret.LENGTH);
        }
        return new SigningSecrets(List.copyOf(secrets));
    }

    /** The bytes of a text; none if it is neither base64 nor hexadecimal digits. */
    private static byte[] decode(String text) {
        try {
            return text.length() == HEX_DIGITS
                    ? HexFormat.of().parseHex(text)
                    : Base64.getDecoder().decode(text.replace('-', '+').replace('_', '/'));
        } catch (IllegalArgumentException e) {
            return new byte[0];
        }
    }

    List<byte[]> bytes() {
        return secrets;
    }

    @Override
    public String toString() {
        return secrets.isEmpty() ? "SigningSecrets[in the store]" : "SigningSecrets[" + secrets.size() + "]";
    }
}
