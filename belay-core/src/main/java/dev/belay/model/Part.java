package dev.belay.model;

import java.net.URI;
import java.util.Base64;
import java.util.Objects;

/** A piece of a message. Which pieces may stand in which message is a matter of types. All are immutable. */
public sealed interface Part {

    /** What a user message is made of. */
    sealed interface UserPart extends Part permits TextPart, ImagePart, FilePart {}

    /** What an assistant message is made of. */
    sealed interface AssistantPart extends Part permits TextPart, ReasoningPart, RefusalPart, CallPart {}

    /**
     * Text for the reader at the other end.
     *
     * @param text not empty; leave the part out instead
     */
    record TextPart(String text) implements UserPart, AssistantPart {

        /** Refuses empty text. */
        public TextPart {
            notEmpty(text, "text of a text part");
        }
    }

    /**
     * A picture.
     *
     * @param mediaType such as {@code image/png}
     * @param source where its bytes are
     */
    record ImagePart(String mediaType, Source source) implements UserPart {

        /** Refuses a media type without a slash. */
        public ImagePart {
            checkMediaType(mediaType);
            Objects.requireNonNull(source, "source");
        }
    }

    /**
     * A file, such as a PDF.
     *
     * @param mediaType such as {@code application/pdf}
     * @param name the name the model is told
     * @param source where its bytes are
     */
    record FilePart(String mediaType, String name, Source source) implements UserPart {

        /** Refuses a media type without a slash and an empty name. */
        public FilePart {
            checkMediaType(mediaType);
            notEmpty(name, "name of a file");
            Objects.requireNonNull(source, "source");
        }
    }

    /**
     * What the model thought, as far as the provider shows it. Never sent to another provider as text.
     *
     * @param text not empty
     */
    record ReasoningPart(String text) implements AssistantPart {

        /** Refuses empty text. */
        public ReasoningPart {
            notEmpty(text, "text of a reasoning part");
        }
    }

    /**
     * The model's words for not answering.
     *
     * @param text not empty
     */
    record RefusalPart(String text) implements AssistantPart {

        /** Refuses empty text. */
        public RefusalPart {
            notEmpty(text, "text of a refusal");
        }
    }

    /**
     * One tool call, exactly as the model sent it: nothing is parsed and nothing is repaired.
     *
     * @param id the provider's id; empty if it sent none
     * @param name the tool's name as the model wrote it, offered or not
     * @param arguments the raw argument text, possibly not JSON, possibly empty
     */
    record CallPart(String id, String name, String arguments) implements AssistantPart {

        /** Refuses null only. */
        public CallPart {
            Objects.requireNonNull(id, "id");
            Objects.requireNonNull(name, "name");
            Objects.requireNonNull(arguments, "arguments");
        }
    }

    /**
     * The answer to one call.
     *
     * @param callId the {@link CallPart#id()} it answers
     * @param toolName the {@link CallPart#name()} it answers
     * @param status how the call ended; providers with an error mark get it for everything but {@link Status#OK}
     * @param text what the model reads
     */
    record ReplyPart(String callId, String toolName, Status status, String text) implements Part {

        /** How a call ended. */
        public enum Status {
            /** The tool answered. */
            OK,
            /** The tool or the runtime failed. */
            ERROR,
            /** The call was cancelled. */
            CANCELLED,
            /** The call was not allowed, or made no sense, and did not run. */
            REJECTED
        }

        /** Refuses null only. */
        public ReplyPart {
            Objects.requireNonNull(callId, "callId");
            Objects.requireNonNull(toolName, "toolName");
            Objects.requireNonNull(status, "status");
            Objects.requireNonNull(text, "text");
        }
    }

    /** Where the bytes of an image or file are. */
    sealed interface Source {

        /** Takes the bytes into the message itself. */
        static Source of(byte[] bytes) {
            return new Inline(Base64.getEncoder().encodeToString(bytes));
        }

        /** Names an address the provider can read. */
        static Source at(URI uri) {
            return new Link(uri);
        }

        /** Names a file that was uploaded to the provider before. */
        static Source uploaded(String fileId) {
            return new Uploaded(fileId);
        }

        /**
         * Bytes inside the message, kept as Base64 because that is how they travel and how they compare.
         *
         * @param base64 the standard alphabet with padding
         */
        record Inline(String base64) implements Source {

            /** Refuses what is not Base64, and no bytes. */
            public Inline {
                notEmpty(base64, "inline content");
                Base64.getDecoder().decode(base64);
            }

            /** The bytes, a new array each time. */
            public byte[] bytes() {
                return Base64.getDecoder().decode(base64);
            }

            /** Says how much it is, not what. */
            @Override
            public String toString() {
                return "Inline[" + base64.length() + " characters of Base64]";
            }
        }

        /**
         * An address.
         *
         * @param uri absolute
         */
        record Link(URI uri) implements Source {

            /** Refuses a relative address. */
            public Link {
                if (!uri.isAbsolute()) {
                    throw new IllegalArgumentException("a link must be an absolute URI, not \"" + uri + "\"");
                }
            }
        }

        /**
         * A file the provider already has.
         *
         * @param fileId the provider's name for it
         */
        record Uploaded(String fileId) implements Source {

            /** Refuses an empty id. */
            public Uploaded {
                notEmpty(fileId, "id of an uploaded file");
            }
        }
    }

    private static void checkMediaType(String value) {
        int slash = value.indexOf('/');
        if (slash < 1 || slash == value.length() - 1) {
            throw new IllegalArgumentException(
                    "a media type has the form type/subtype, such as image/png, not \"" + value + "\"");
        }
    }

    private static void notEmpty(String value, String what) {
        if (value.isEmpty()) {
            throw new IllegalArgumentException("the " + what + " must not be empty");
        }
    }
}
