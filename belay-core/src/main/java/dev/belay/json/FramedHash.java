package dev.belay.json;

import java.nio.charset.StandardCharsets;
import java.security.DigestException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * SHA-256 over fields, each preceded by its length as four big-endian bytes, so that no two lists of fields run together. The
 * encoding is pinned by golden vectors and never changes. Confined to one thread, and over with {@link #hex}.
 */
public final class FramedHash {

    /** To make a digest takes longer than the hash of a short record. */
    private static final Spare<FramedHash.Work> SPARE = new Spare<>();

    /** A digest with room for bytes on their way to it. */
    private static final class Work {

        private static final int ROOM = 256;
        private static final int LENGTH = 32;

        private final MessageDigest digest;
        private final byte[] bytes = new byte[ROOM];

        Work() {
            try {
                digest = MessageDigest.getInstance("SHA-256");
            } catch (NoSuchAlgorithmException e) {
                throw new IllegalStateException("every Java platform has SHA-256", e);
            }
        }

        void bigEndian(long value, int length) {
            for (int i = 0; i < length; i++) {
                bytes[i] = (byte) (value >>> ((length - 1 - i) * Byte.SIZE));
            }
            digest.update(bytes, 0, length);
        }

        /** Adds text of ASCII characters, which are their own UTF-8. */
        void ascii(CharSequence text) {
            int filled = 0;
            for (int at = 0; at < text.length(); at++) {
                bytes[filled++] = (byte) text.charAt(at);
                if (filled == ROOM) {
                    digest.update(bytes, 0, filled);
                    filled = 0;
                }
            }
            digest.update(bytes, 0, filled);
        }

        /** The hash; the digest is as new afterwards. */
        String hex() {
            try {
                return HexFormat.of().formatHex(bytes, 0, digest.digest(bytes, 0, LENGTH));
            } catch (DigestException e) {
                throw new IllegalStateException("SHA-256 has " + LENGTH + " bytes", e);
            }
        }
    }

    private Work work;
    private boolean over;

    /** Starts with no field. */
    public FramedHash() {
        Work spare = SPARE.take();
        work = spare == null ? new Work() : spare;
    }

    private Work work() {
        if (over) {
            throw new IllegalStateException("the hash was taken; a new one begins with new FramedHash()");
        }
        return work;
    }

    /** Adds bytes. */
    public FramedHash add(byte[] field) {
        work().bigEndian(field.length, Integer.BYTES);
        work.digest.update(field);
        return this;
    }

    /** Adds text as UTF-8. */
    public FramedHash add(String field) {
        return text(field);
    }

    /** Adds the canonical form of a value as UTF-8. */
    public FramedHash add(Json field) {
        return field.withCanonical(this::text);
    }

    private FramedHash text(CharSequence field) {
        if (!isAscii(field)) {
            return add(field.toString().getBytes(StandardCharsets.UTF_8));
        }
        work().bigEndian(field.length(), Integer.BYTES);
        work.ascii(field);
        return this;
    }

    private static boolean isAscii(CharSequence text) {
        for (int at = 0; at < text.length(); at++) {
            if (text.charAt(at) >= 0x80) {
                return false;
            }
        }
        return true;
    }

    /** Adds a number as eight big-endian bytes. */
    public FramedHash add(long field) {
        work().bigEndian(Long.BYTES, Integer.BYTES);
        work.bigEndian(field, Long.BYTES);
        return this;
    }

    /** Adds text as UTF-8 without its length, for forms that are framed otherwise. */
    public FramedHash addBare(String text) {
        if (isAscii(text)) {
            work().ascii(text);
        } else {
            work().digest.update(text.getBytes(StandardCharsets.UTF_8));
        }
        return this;
    }

    /** Sixty-four lower-case hexadecimal digits; nothing can be added afterwards. */
    public String hex() {
        String hex = work().hex();
        over = true;
        SPARE.give(work);
        return hex;
    }
}
