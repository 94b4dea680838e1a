package dev.belay.runtime.store.journal;

/** Signs keys of waits. Immutable; never shown. */
public final class Secret {

    /** How many random bytes a secret has. */
    public static final int LENGTH = 32;

    private final long id;
    private final byte[] bytes;

    /**
     * Creates one.
     *
     * @param id its number, which keys carry
     * @param bytes 32 random bytes
     */
    public Secret(long id, byte[] bytes) {
        if (bytes.length != LENGTH) {
            throw new IllegalArgumentException("a secret has " + LENGTH + " bytes, found " + bytes.length);
        }
        this.id = id;
        this.bytes = bytes.clone();
    }

    /** Its number. */
    public long id() {
        return id;
    }

    /** A copy of its bytes. */
    public byte[] bytes() {
        return bytes.clone();
    }

    @Override
    public String toString() {
        return "Secret[" + id + "]";
    }
}
