package dev.belay.tool.context;

import dev.belay.schema.Description;
import dev.belay.schema.Length;
import dev.belay.schema.Pattern;
import dev.belay.schema.Range;
import dev.belay.tool.ToolException;

/**
 * Bytes kept by content beside the conversation, for images, files and large results. A body may use it from several threads.
 *
 * <p>What a call keeps belongs to its session, or to its process or batch if it is in none: every call of these reads it, and no
 * other call does. It is kept at once, even if the call fails.
 */
public interface Attachments {

    /** An attachment has at most so many bytes: 64 MiB. */
    int LARGEST = 64 << 20;

    /**
     * Names stored bytes. A tool may return it, and take it as an input: it is an object of three fields in JSON. Hand it on as
     * it is: another media type or size is another reference, which names nothing.
     *
     * @param hash SHA-256 of the bytes, in 64 lower-case hexadecimal digits
     * @param mediaType what they are, such as {@code image/png}; 200 characters at most
     * @param size how many, from 1 to {@link Attachments#LARGEST}
     */
    record Reference(
            @Description("SHA-256 of the content, copied from the reference") @Pattern(Reference.HASH) String hash,
            @Description("media type of the content, copied from the reference") @Pattern(Reference.MEDIA_TYPE) @Length(max = Reference.LONGEST_TYPE) String mediaType,
            @Description("bytes of the content, copied from the reference") @Range(min = 1, max = LARGEST) long size) {

        private static final String HASH = "^[0-9a-f]{64}$";
        private static final String MEDIA_TYPE = "^[A-Za-z0-9!#$&^_.+-]+/[A-Za-z0-9!#$&^_.+-]+( *;[ -~]*)?$";
        private static final int LONGEST_TYPE = 200;

        /** Refuses what no attachment can have. */
        public Reference {
            if (!hash.matches(HASH)) {
                throw new IllegalArgumentException(
                        "the hash of an attachment has 64 lower-case hexadecimal digits, found \"" + hash
                                + "\"");
            }
            if (mediaType.length() > LONGEST_TYPE || !mediaType.matches(MEDIA_TYPE)) {
                throw new IllegalArgumentException(
                        "a media type has the form type/subtype, such as image/png, and at most "
                                + LONGEST_TYPE + " characters, found \"" + mediaType + "\"");
            }
            if (size < 1 || size > LARGEST) {
                throw new IllegalArgumentException(
                        "an attachment has 1 to " + LARGEST + " bytes, found " + size);
            }
        }
    }

    /**
     * Stores bytes; the same bytes are stored once. What is done to the array afterwards changes nothing.
     *
     * @param bytes at least one
     * @param mediaType what they are, such as {@code image/png}
     * @return the same for the same bytes and type, however often they are put
     * @throws ToolException {@code resource_limit} if there are more than {@link #LARGEST}
     * @throws IllegalArgumentException if there is none, or the media type is no such
     */
    Reference put(byte[] bytes, String mediaType);

    /**
     * The bytes of a reference, a new array each time.
     *
     * @throws ToolException {@code unknown_attachment} if nothing of that name is kept where the call is
     */
    byte[] get(Reference reference);
}
