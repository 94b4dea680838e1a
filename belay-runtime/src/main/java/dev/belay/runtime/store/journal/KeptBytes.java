package dev.belay.runtime.store.journal;

import dev.belay.BelayException;
import dev.belay.tool.context.Attachments;

/** Bytes that a call wants to be kept beside its records. Immutable. */
public final class KeptBytes {

    private final Attachments.Reference reference;
    private final byte[] bytes;

    private KeptBytes(Attachments.Reference reference, byte[] bytes) {
        this.reference = reference;
        this.bytes = bytes;
    }

    /**
     * A copy of bytes, with the reference that names them.
     *
     * @throws BelayException {@code resource_limit} if there are more than {@link Attachments#LARGEST}
     * @throws IllegalArgumentException if there is none, or the media type is no such
     */
    public static KeptBytes of(byte[] bytes, String mediaType) {
        if (bytes.length > Attachments.LARGEST) {
            throw new BelayException("resource_limit", "an attachment has at most " + Attachments.LARGEST
                    + " bytes, found " + bytes.length + "; put parts of it, or keep it elsewhere");
        }
        byte[] own = bytes.clone();
        return new KeptBytes(new Attachments.Reference(ContentHash.of(own), mediaType, own.length), own);
    }

    /** What names them. */
    public Attachments.Reference reference() {
        return reference;
    }

    /** The name under which a keeper keeps them. */
    public String name() {
        return reference.hash() + " " + reference.mediaType();
    }

    /** A copy of them. */
    public byte[] bytes() {
        return bytes.clone();
    }
}
