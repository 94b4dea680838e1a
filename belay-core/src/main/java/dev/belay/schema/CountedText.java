package dev.belay.schema;

import java.util.regex.Matcher;

/**
 * A text whose characters can be read only so often, so that a regular expression gives up instead of running away. One text
 * after the other may be put in, under the same {@link Matcher}. Confined to one thread.
 */
public final class CountedText implements CharSequence {

    private String text;
    private int allowed;
    private int left;

    /** What a search came to. */
    public enum Search {
        /** There is a match. */
        FOUND,
        /** There is none. */
        NOT_FOUND,
        /** It took too many reads, or too deep a stack, to say. */
        UNDECIDED
    }

    /** A text that may be read so often. */
    public CountedText(String text, int reads) {
        this.text = text;
        allowed = reads;
        left = reads;
    }

    /** Becomes another text, with reads of its own; a matcher over it must be reset. */
    public void over(String other, int reads) {
        text = other;
        allowed = reads;
        left = reads;
    }

    /** Looks for the next match, by a matcher over this text. */
    public Search find(Matcher matcher) {
        try {
            return matcher.find() ? Search.FOUND : Search.NOT_FOUND;
        } catch (TooManyReads | StackOverflowError tooExpensive) {
            return Search.UNDECIDED;
        }
    }

    /** How many characters were read. */
    public int reads() {
        return allowed - left;
    }

    /** Counts a read; throws what {@link #find} catches if there were too many. */
    @Override
    public char charAt(int index) {
        if (--left < 0) {
            throw new TooManyReads();
        }
        return text.charAt(index);
    }

    @Override
    public int length() {
        return text.length();
    }

    @Override
    public CharSequence subSequence(int start, int end) {
        return text.subSequence(start, end);
    }

    @Override
    public String toString() {
        return text;
    }

    private static final class TooManyReads extends RuntimeException {

        private static final long serialVersionUID = 1L;

        TooManyReads() {
            super("too many reads", null, false, false);
        }
    }
}
