package dev.belay.json;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * SHA-256 over fields, each preceded by its length as four big-endian bytes, so that no two lists of fields run together. The
 * encoding is pinned by golden vectors and never changes. Confined to one thread.
 */
public final class FramedHash {

    /** Copied for each hash, because a lookup of the algorithm takes longer than the hash of a short record. Never updated. */
    private static final MessageDigest EMPTY = sha256();

    private final MessageDigest digest;
    /** A length or a number on its way. */
    private final byte[] scratch = new byte[Long.BYTES];

    /** Starts with no field. */
    public FramedHash() {
        digest = empty();
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }

    private static MessageDigest empty() {
        try {
            return (MessageDigest) EMPTY.clone();
        } catch (CloneNotSupportedException e) {
            return sha256(); // a provider need not be able to
        }
    }

    /** Adds bytes. */
    public FramedHash add(byte[] field) {
        bigEndian(field.length, Integer.BYTES);
        digest.update(field);
        return this;
    }

    /** Adds text as UTF-8. */
    public FramedHash add(String field) {
        return add(field.getBytes(StandardCharsets.UTF_8));
    }

    /** Adds a number as eight big-endian bytes. */
    public FramedHash add(long field) {
        bigEndian(Long.BYTES, Integer.BYTES);
        bigEndian(field, Long.BYTES);
        return this;
    }

    private void bigEndian(long value, int bytes) {
        for (int i = 0; i < bytes; i++) {
            scratch[i] = (byte) (value >>> ((bytes - 1 - i) * Byte.SIZE));
        }
        digest.update(scratch, 0, bytes);
    }

    /** Sixty-four lower-case hexadecimal digits. */
    public String hex() {
        return HexFormat.of().formatHex(digest.digest());
    }
}
