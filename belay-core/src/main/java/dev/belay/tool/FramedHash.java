package dev.belay.tool;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * SHA-256 over fields, each preceded by its length as four big-endian bytes, so that no two lists of fields run together. The
 * encoding is pinned by golden vectors and never changes. Confined to one thread.
 */
public final class FramedHash {

    private final MessageDigest digest;

    /** Starts with no field. */
    public FramedHash() {
        try {
            digest = MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }

    /** Adds bytes. */
    public FramedHash add(byte[] field) {
        digest.update(ByteBuffer.allocate(Integer.BYTES).putInt(field.length).array());
        digest.update(field);
        return this;
    }

    /** Adds text as UTF-8. */
    public FramedHash add(String field) {
        return add(field.getBytes(StandardCharsets.UTF_8));
    }

    /** Adds a number as eight big-endian bytes. */
    public FramedHash add(long field) {
        return add(ByteBuffer.allocate(Long.BYTES).putLong(field).array());
    }

    /** Sixty-four lower-case hexadecimal digits. */
    public String hex() {
        return HexFormat.of().formatHex(digest.digest());
    }
}
