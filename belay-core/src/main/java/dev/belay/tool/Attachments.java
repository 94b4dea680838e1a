package dev.belay.tool;

/** Bytes kept by content beside the conversation, for images, files and large results. */
public interface Attachments {

    /**
     * Names stored bytes.
     *
     * @param hash SHA-256 of the bytes, in hexadecimal
     * @param mediaType what they are
     * @param size how many
     */
    record Reference(String hash, String mediaType, long size) {}

    /** Stores bytes; the same bytes are stored once. */
    Reference put(byte[] bytes, String mediaType);

    /** The bytes of a reference. */
    byte[] get(Reference reference);
}
